import type { SyncReport } from './sync-report.ts';

/** Rounds before two replicas that keep writing are let go: quiet ones need two, a resolution that travels three. */
const ROUNDS_MAX = 20;

export interface BothWaysReport {
  /** False: the last round still moved something, or was not reached. */
  readonly quiet: boolean;
  readonly rounds: number;
  /** One report per round, in order. */
  readonly aFromB: readonly SyncReport[];
  readonly bFromA: readonly SyncReport[];
}

/**
 * Syncs both directions in turn until a round moves nothing, or 20 rounds are over.
 *
 * A direction that is blocked or cannot go on counts as still when a round leaves it where it was.
 */
export async function syncBothWays(
  directions: {
    readonly aFromB: () => Promise<SyncReport>;
    readonly bFromA: () => Promise<SyncReport>;
  },
  roundsMax = ROUNDS_MAX,
): Promise<BothWaysReport> {
  const aFromB: SyncReport[] = [];
  const bFromA: SyncReport[] = [];

  for (let rounds = 1; rounds <= roundsMax; rounds += 1) {
    aFromB.push(await directions.aFromB());
    bFromA.push(await directions.bFromA());
    if (isStill(aFromB) && isStill(bFromA)) return { quiet: true, rounds, aFromB, bFromA };
  }
  return { quiet: false, rounds: roundsMax, aFromB, bFromA };
}

function isStill(reports: readonly SyncReport[]): boolean {
  const last = reports.at(-1);
  if (last === undefined) return false;
  if (last.admittedGroups === 0) return true;
  // A line that stays blocked is given the resolutions it asks for in every round, though it has them.
  const before = reports.at(-2);
  const sameConflict = last.blocked !== null && last.blocked.conflictId === before?.blocked?.conflictId;
  return sameConflict && last.factsApplied === 0 && last.factsHeld === 0;
}
