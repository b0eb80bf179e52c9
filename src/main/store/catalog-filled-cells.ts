import { isSameName } from '../sql/fold-identifier.ts';
import { quoteIdentifier } from '../sql/quote-identifier.ts';
import { LOG_KIND, MASK_COLUMNS } from './metadata-schema.ts';
import type { ReplicaStore } from './replica-store.ts';
import type { TrackedTable } from './table-registry.ts';

/** Records the cells of a column that was added and filled before it was noticed, as far as they differ from its default. */
export function recordFilledCells(store: ReplicaStore, table: TrackedTable, name: string): void {
  const column = table.columns.find((candidate) => isSameName(candidate.name, name));
  if (column === undefined || table.key.length === 0) return;
  const base = Math.floor(column.col / MASK_COLUMNS) * MASK_COLUMNS;
  const mask = 1n << BigInt(column.col - base);
  store.db
    .prepare<unknown[]>(
      `insert into _concord_log (kind, tbl, rid, mask, hi, hlc) select ?, ?, ${table.ridExpression}, ?, ?, ?
       from ${quoteIdentifier(table.name ?? '')} where ${quoteIdentifier(column.name)} is not ${column.defaultText ?? 'null'}`,
    )
    .run(LOG_KIND.update, table.tbl, mask, BigInt(base), store.clock.tick());
}
