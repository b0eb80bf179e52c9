import type { Admission } from './admission-context.ts';
import type { PlannedBlock } from './admission-plan.ts';
import { findRow, keyOf } from './admission-row-read.ts';
import { localLifeOf } from './admission-row-write.ts';
import { holdFact } from './held-facts.ts';
import { keyValueOf } from './key-expression.ts';

/**
 * Holds the cells of a block for which this replica has no column, once its rows are in. Those of a row that waits itself
 * wait in it, and those of a life that is over are over with it.
 */
export function holdUnknownColumns(admission: Admission, planned: PlannedBlock): void {
  const { group, block, plan } = planned;
  if (plan.unknown.length === 0) return;
  const lives = new Map(block.lives);
  for (const row of block.rows.keys()) {
    if (isHere(admission, planned, { row, life: lives.get(row) ?? 1 }))
      holdFact(admission, { group, block, row, reason: 'unknownColumn', places: plan.unknown });
  }
}

/** Whether a row of the block is here, in the life that the block speaks of. */
function isHere(
  admission: Admission,
  planned: PlannedBlock,
  { row, life }: { readonly row: number; readonly life: number },
): boolean {
  const { table } = planned.plan;
  const values = planned.block.rows[row] ?? [];
  const key = keyValueOf(table, keyOf(admission, planned, values));
  if (key === null || findRow(admission, planned, values) === null) return false;
  return localLifeOf(admission, table.tbl, { key, isHere: true }) === life;
}
