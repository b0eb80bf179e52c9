/** What tells whether a sync of one direction changed anything: a `SyncReport`, or a peer's `pulled`. */
export interface Movement {
  readonly factsApplied: number;
  readonly factsHeld: number;
  readonly migrations: number;
}

/**
 * Whether a sync changed the puller, so that others may have something new to pull from it.
 *
 * Groups that were admitted do not count: what was here already, or lost to what was, changes nothing, and a replica
 * that stays blocked is given the answers to its conflicts in every round. Else two of them would never be quiet.
 */
export const hasMoved = ({ factsApplied, factsHeld, migrations }: Movement): boolean =>
  factsApplied + factsHeld + migrations > 0;
