import { present } from '#shared/assert.ts';
import type { Stamp } from '#shared/model/change-group.ts';

import type { Admission } from './admission-context.ts';
import type { PlannedBlock } from './admission-plan.ts';
import { isLater, keyOf, type RowFact } from './admission-row-read.ts';
import { keyValueOf } from './key-expression.ts';
import type { EntryOrigin, RowPlace } from './log-write.ts';
import type { RowClock } from './row-clock.ts';
import type { TrackedColumn } from './table-registry.ts';

/** The stamp of a fact as a whole. */
export const blockStamp = ({ group, block }: PlannedBlock): Stamp => ({
  hlc: block.hlc,
  site: present(group.sites[block.site], 'a block names its site'),
});

/** A cell as it arrives. */
interface StampedCell {
  readonly column: TrackedColumn;
  readonly stamp: Stamp;
  readonly origin: EntryOrigin;
}

/**
 * Gives a row that is here the later stamp with which it arrives as a whole. Each cell keeps the later of its own two, told
 * apart where that is another: so what a row is stamped with does not depend on who came first (ROW-001).
 *
 * Gives the cells with a stamp of their own, for the caller to record.
 */
export function restampRow(
  admission: Admission,
  planned: PlannedBlock,
  row: {
    readonly fact: RowFact;
    readonly rid: RowPlace;
    readonly cells: readonly StampedCell[];
    readonly clocks: RowClock;
  },
): readonly { readonly column: TrackedColumn; readonly origin: EntryOrigin }[] {
  const { store } = admission;
  const { group, block, plan } = planned;
  const { table } = plan;
  // Before the row's entry goes: it says what its cells have.
  const standing = table.columns.map((column) => ({ column, stamp: row.clocks.cell(column) }));
  const origin = admission.originOf(group, block.hlc, block.site);
  const seq = store.logWriter.appendInsert(table.tbl, row.rid, origin);
  const key = keyValueOf(table, keyOf(admission, planned, block.rows[row.fact.index] ?? []));
  if (key !== null && store.clocks.life(table.tbl, key) !== null)
    store.logWriter.setLife(table.tbl, { key, life: row.fact.life, seq });
  return standing.flatMap(({ column, stamp }) => {
    const arriving = row.cells.find((cell) => cell.column === column);
    const later =
      arriving !== undefined && isLater(arriving.stamp, stamp) ? arriving.origin : originOf(admission, stamp);
    return later.hlc === origin.hlc && later.site === origin.site ? [] : [{ column, origin: later }];
  });
}

/** Whoever brought it here has it; to all others it goes again. */
const originOf = ({ store }: Admission, { hlc, site }: Stamp): EntryOrigin => ({
  hlc,
  site: site === store.site ? null : store.sites.ordinalOf(site),
  via: null,
});
