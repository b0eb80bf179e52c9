import type { ReplicaStatus } from '#shared/model/views.ts';
import { ReplicaState } from '#shared/model/vocabulary.ts';
import type { WorkerFailure } from '../worker/worker-messages.ts';

/** What a replica's state is decided from. */
export interface StateFacts {
  readonly status: ReplicaStatus | null;
  /** Why its file cannot be opened. */
  readonly failure: WorkerFailure | null;
  /** What the open replica cannot do now, one sentence. */
  readonly trouble: string | null;
  /** What its worker died of, until it answers again. */
  readonly crash: string | null;
  readonly isBlocked: boolean;
  /** A peer of one of its links no longer has what comes next. */
  readonly isTooOld: boolean;
  /** It has links, and all are paused. */
  readonly isPaused: boolean;
  readonly lagChanges: number;
}

export interface StateVerdict {
  readonly state: ReplicaState;
  /** One sentence; null where the state says it all. */
  readonly reason: string | null;
}

/** The worst state that applies, in the order of `ReplicaState`. */
export function decideReplicaState(facts: StateFacts): StateVerdict {
  const verdicts = [...applying(facts)].sort((a, b) => severity(a.state) - severity(b.state));
  return verdicts[0] ?? { state: 'inSync', reason: null };
}

/** Position in the order of severity; the worst is 0. */
function severity(state: ReplicaState): number {
  return ReplicaState.options.indexOf(state);
}

function* applying(facts: StateFacts): Generator<StateVerdict> {
  if (facts.failure !== null)
    yield { state: STATE_OF_FAILURE[facts.failure.code], reason: facts.failure.message };
  if (facts.crash !== null) {
    yield {
      state: 'unreachable',
      reason: `Its worker ended (${firstLine(facts.crash)}); it is started again by itself.`,
    };
  }
  if (facts.trouble !== null) {
    yield {
      state: 'locked',
      reason: `Another program holds the file (${facts.trouble}); closing that program helps.`,
    };
  }
  if (facts.isTooOld)
    yield { state: 'tooOld', reason: 'A peer no longer has what comes next: re-bootstrap it.' };
  if (facts.isBlocked) yield { state: 'blocked', reason: null };
  if (facts.isPaused) yield { state: 'paused', reason: null };
  if (facts.lagChanges > 0) yield { state: 'behind', reason: null };
  if (facts.status === null) yield { state: 'unreachable', reason: 'It has not answered yet.' };
  // How far behind it is, the links that it has now say better than its memory of peers that it once had.
  else if (facts.status.state !== 'behind') yield { state: facts.status.state, reason: null };
}

/** What a file that cannot be opened makes of its replica. */
export const STATE_OF_FAILURE: Readonly<Record<WorkerFailure['code'], ReplicaState>> = {
  'other-format': 'incompatible',
  'damaged-file': 'damaged',
  'not-a-database': 'damaged',
  'empty-file': 'damaged',
  'not-a-replica': 'damaged',
  locked: 'locked',
  'in-use-by-host': 'locked',
  'file-not-found': 'unreachable',
  'file-exists': 'unreachable',
  'no-rights': 'unreachable',
  'unsupported-encoding': 'unreachable',
  'already-a-replica': 'unreachable',
  'runtime-too-old': 'unreachable',
};

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? text;
}
