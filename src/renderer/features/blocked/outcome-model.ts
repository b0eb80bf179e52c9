import type { ResolutionOutcome } from '#shared/api/blocked-procedures.ts';

import { listed } from '../../ui/sentence-model.ts';
import type { NamePart } from '../../ui/sentence-model.ts';
import type { Verdict } from '../../ui/verdict-line.tsx';
import { counted, number, numberWord } from '../../ui/words-model.ts';

type ReplicaOutcome = ResolutionOutcome['replicas'][number];

/** What the page says once the decision has been applied. */
export function outcomeVerdict(outcome: ResolutionOutcome, object: string): Verdict {
  const stuck = outcome.replicas.filter((replica) => replica.stillStuck);
  const freed = outcome.replicas.filter((replica) => replica.wasStuck && !replica.stillStuck);
  if (outcome.option === 'setAside') {
    return {
      state: 'inSync',
      headline: ['Set ', { name: object }, ' aside: the line goes on, its changes are held.'],
      consequence: ['It still waits for a decision; the journal says who set it aside and why.'],
    };
  }
  if (stuck.length === 0) {
    return {
      state: 'inSync',
      headline: [{ name: object }, ` is decided: ${freedWords(freed)}.`],
      consequence: [
        `It travelled in ${counted(outcome.rounds, 'round')} of sync; what waited behind it flows. Each replica that has it keeps it in its journal.`,
      ],
    };
  }
  return {
    state: 'behind',
    headline: [{ name: object }, ' is decided, and on its way to ', ...listed(stuck.map(nameOf)), '.'],
    consequence: ['They come free by themselves when they next sync; nothing is left for you to do.'],
  };
}

function freedWords(freed: readonly ReplicaOutcome[]): string {
  if (freed.length === 0) return 'nothing is stuck on it any more';
  if (freed.length === 1) return 'the replica that was stuck is free';
  return freed.length === 2
    ? 'both replicas are free'
    : `all ${numberWord(freed.length).toLowerCase()} replicas are free`;
}

/** What became of one replica, in words. */
export function replicaOutcomeWords(replica: ReplicaOutcome, hereRef: string): string {
  if (replica.stillStuck) return 'still waits for the decision; it arrives with its next sync';
  if (replica.wasStuck)
    return replica.ref === hereRef ? 'decided here; its line goes on' : 'came free by itself';
  return 'took the decision over';
}

const nameOf = (replica: ReplicaOutcome): NamePart => ({
  name: replica.name,
  to: { screen: 'replica', ref: replica.ref, tab: 'overview' },
});

/** What the decision let in at once where it was made; the rest comes with the sync. */
export function admittedWords(admitted: ResolutionOutcome['admitted']): string {
  const parts = [
    admitted.migrations > 0 ? counted(admitted.migrations, 'migration') : '',
    admitted.factsApplied > 0 ? `${counted(admitted.factsApplied, 'change')} applied` : '',
    admitted.factsSuperseded > 0 ? `${number(admitted.factsSuperseded)} superseded` : '',
    admitted.factsHeld > 0 ? `${number(admitted.factsHeld)} held` : '',
  ].filter((part) => part !== '');
  return parts.length === 0 ? 'nothing at once; it comes with the sync' : parts.join(', ');
}
