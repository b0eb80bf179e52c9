import { hasMoved, type Movement } from './has-moved.ts';

/** Quiet replicas need two rounds, a resolution that travels three; those that keep writing would go on for ever. */
const ROUNDS_MAX = 20;

export interface RoundsReport<R> {
  /** False: the last round still moved something. */
  readonly quiet: boolean;
  /** One report per direction, in the order given, for each round. */
  readonly rounds: readonly (readonly R[])[];
}

/**
 * Syncs directions in turn until a round moves nothing, or 20 rounds are over: both ways between two replicas,
 * or every pair of a fleet.
 *
 * A direction that is blocked or cannot go on counts as still when a round leaves it where it was.
 */
export async function syncInRounds<R extends Movement>(
  directions: readonly (() => Promise<R>)[],
  roundsMax = ROUNDS_MAX,
): Promise<RoundsReport<R>> {
  const rounds: (readonly R[])[] = [];
  while (rounds.length < roundsMax) {
    const before = rounds.at(-1);
    const round: R[] = [];
    for (const sync of directions) round.push(await sync());
    rounds.push(round);
    if (!round.some((report, place) => hasMoved(report, before?.[place]))) return { quiet: true, rounds };
  }
  return { quiet: false, rounds };
}
