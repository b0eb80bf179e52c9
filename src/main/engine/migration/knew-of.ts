import type { Migration, Stamp } from '#shared/model/change-group.ts';

/** The part of a migration that says what its author knew. */
export type Informed = Pick<Migration, 'stamp' | 'knew'>;

/**
 * Whether the author of a migration had recorded or admitted what another stamp marks when it wrote.
 *
 * HLC order alone cannot say this: a later stamp need not have known of an earlier one. A site always knew of what it
 * wrote before, whether its vector says so or not.
 */
export function knewOf(migration: Informed, other: Stamp): boolean {
  const { stamp, knew } = migration;
  if (other.site === stamp.site) return other.hlc < stamp.hlc;
  const known = knew[other.site];
  return known !== undefined && other.hlc <= known;
}

/** Whether neither of two migrations knew of the other: only then precedence has something to settle. */
export const areConcurrent = (left: Informed, right: Informed): boolean =>
  !knewOf(left, right.stamp) && !knewOf(right, left.stamp);
