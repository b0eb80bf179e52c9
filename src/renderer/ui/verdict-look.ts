import type { ReplicaState, Verdict } from '#shared/model/vocabulary.ts';

/** How a verdict over a migration is drawn and said. */
export const VERDICT_LOOK: Readonly<
  Record<Verdict, { readonly state: ReplicaState; readonly word: string }>
> = {
  executed: { state: 'inSync', word: 'executed' },
  alreadyApplied: { state: 'inSync', word: 'already applied' },
  superseded: { state: 'inSync', word: 'superseded' },
  convergedWithWarning: { state: 'behind', word: 'converged, with a warning' },
  conflict: { state: 'blocked', word: 'conflict' },
  waitingForRows: { state: 'behind', word: 'waits for rows' },
};
