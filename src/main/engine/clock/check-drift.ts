import { present } from '#shared/assert.ts';
import type { ChangeGroup, Stamp } from '#shared/model/change-group.ts';
import { compareStamps, formatStamp, formatWallMs, hlcWallMs } from '#shared/model/hlc.ts';
import type { SiteId } from '#shared/model/ids.ts';
import { err, ok } from '#shared/result.ts';
import type { Result } from '#shared/result.ts';

export interface ClockAhead {
  readonly code: 'clock-ahead';
  readonly stamp: Stamp;
  /** Wall time of the stamp, and of this replica when it was checked. */
  readonly remoteMs: number;
  readonly nowMs: number;
  readonly driftMaxMs: number;
  /** One sentence with both times and the next step. */
  readonly message: string;
}

/**
 * Checks every stamp of a group against this replica's clock and hands back the highest, for the clock to observe;
 * null of a group without any (CLOCK-002).
 *
 * Errors: `clock-ahead` when one is more than `driftMaxMs` ahead: nothing of the group may be written.
 */
export function checkDrift(
  group: ChangeGroup,
  bound: { readonly nowMs: number; readonly driftMaxMs: number },
): Result<Stamp | null, ClockAhead> {
  const highest = highestStamp(group);
  if (highest === null) return ok(null);
  const remoteMs = hlcWallMs(highest.hlc);
  if (remoteMs - bound.nowMs <= bound.driftMaxMs) return ok(highest);
  return err({
    code: 'clock-ahead',
    stamp: highest,
    remoteMs,
    ...bound,
    message: aheadMessage(highest, bound),
  });
}

/** Highest stamp among all facts, cells and migrations of a group. */
function highestStamp(group: ChangeGroup): Stamp | null {
  let highest: Stamp | null = null;
  for (const stamp of stampsOf(group)) {
    if (highest === null || compareStamps(stamp, highest) > 0) highest = stamp;
  }
  return highest;
}

function* stampsOf(group: ChangeGroup): Generator<Stamp> {
  const siteAt = (index: number): SiteId => present(group.sites[index], `a group names its sites: ${index}`);
  for (const migration of group.migrations) yield migration.stamp;
  for (const block of group.blocks) {
    yield { hlc: block.hlc, site: siteAt(block.site) };
    for (const [, , hlc, site] of block.clocks) yield { hlc, site: siteAt(site) };
  }
  for (const { stamp } of group.replacements ?? []) yield stamp;
}

function aheadMessage(stamp: Stamp, bound: { readonly nowMs: number; readonly driftMaxMs: number }): string {
  const aheadSeconds = Math.round((hlcWallMs(stamp.hlc) - bound.nowMs) / 1000);
  return (
    `A change is stamped ${formatStamp(stamp)}, ${aheadSeconds} s ahead of this replica's clock, ` +
    `${formatWallMs(bound.nowMs)}; at most ${bound.driftMaxMs / 1000} s are taken. ` +
    `Set the clocks right; the change is tried again by itself. Where it would take too long to become true, ` +
    `take its author on as a new site once its clock is right (concord new-site): what it wrote counts as written right after what it knew before.`
  );
}
