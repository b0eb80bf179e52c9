import type { ActivityLog } from './activity-log.ts';
import type { FleetBoard } from './fleet-board.ts';
import type { LinkPull } from './links.ts';

/** While changes keep arriving, their number is written down this often. */
const SYNCED_GAP_MS = 60_000;

/** Writes down how much arrived where, the rows of a minute at once. Schema changes are told by the replica itself. */
export function createPullNotes(deps: {
  readonly activity: ActivityLog;
  readonly board: FleetBoard;
  readonly nowMs: () => number;
}): (pull: LinkPull) => void {
  const sums = new Map<string, { readonly changes: number; readonly notedMs: number }>();

  return ({ record, into, report }) => {
    const changes = report.factsApplied + report.factsHeld;
    if (changes === 0) return;
    const about = { ref: into, name: nameOf(into) };
    const peer = nameOf(into === record.a ? (record.b ?? record.bName) : record.a);
    noteChanges(`${record.id} ${into}`, changes, (sum) =>
      deps.activity.note('synced', { changes: sum, peer }, about),
    );
  };

  function noteChanges(direction: string, changes: number, note: (sum: number) => void): void {
    const before = sums.get(direction) ?? { changes: 0, notedMs: Number.NEGATIVE_INFINITY };
    const sum = before.changes + changes;
    const isDue = deps.nowMs() - before.notedMs >= SYNCED_GAP_MS;
    sums.set(direction, isDue ? { changes: 0, notedMs: deps.nowMs() } : { ...before, changes: sum });
    if (isDue) note(sum);
  }

  function nameOf(ref: string): string {
    return deps.board.replica(ref)?.name ?? ref;
  }
}
