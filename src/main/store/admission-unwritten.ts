import type { Admission } from './admission-context.ts';
import type { PlannedBlock } from './admission-plan.ts';
import type { RowPlace } from './log-write.ts';

/** Columns here that the author of a row did not know were written by nobody; their default fills them. */
export function recordUnwritten(admission: Admission, planned: PlannedBlock, rid: RowPlace): void {
  const { table, known } = planned.plan;
  if (known.length === table.columns.length) return;
  const columns = table.columns.filter((column) => !known.some((entry) => entry.column.col === column.col));
  const origin = admission.originOf(planned.group, 0n, planned.block.site);
  admission.store.logWriter.appendCells(table.tbl, { rid, columns: columns.map(({ col }) => col) }, origin);
}
