/** What tells whether a sync of one direction brought anything: a `SyncReport`, or a peer's `pulled`. */
export interface Movement {
  readonly admittedGroups: number;
  readonly factsApplied: number;
  readonly factsHeld: number;
  readonly blocked: { readonly conflictId: string } | null;
}

/**
 * Whether a direction moved anything since the round before.
 *
 * A line that stays blocked is given the resolutions it asks for in every round, though it has them: that is
 * no movement, or two replicas with a conflict would never be quiet.
 */
export function hasMoved(now: Movement, before: Movement | undefined): boolean {
  if (now.admittedGroups === 0) return false;
  const isSameBlock = now.blocked !== null && now.blocked.conflictId === before?.blocked?.conflictId;
  return !isSameBlock || now.factsApplied > 0 || now.factsHeld > 0;
}
