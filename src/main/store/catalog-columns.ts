import { present } from '#shared/assert.ts';

import type { ColumnDefinition, TableDefinition } from '../sql/ast.ts';
import { canonicalTable } from '../sql/canonical-table.ts';
import { isSameName } from '../sql/fold-identifier.ts';
import { quoteIdentifier } from '../sql/quote-identifier.ts';
import { installCapture } from './capture-triggers.ts';
import { recordAlteration } from './catalog-alteration.ts';
import { LOG_KIND, MASK_COLUMNS } from './metadata-schema.ts';
import type { ReplicaStore } from './replica-store.ts';
import type { TrackedTable } from './table-registry.ts';
import { dropTrackedColumn, refreshTrackedTable, trackColumn } from './track-table.ts';
import { writeFinding } from './write-finding.ts';

/** Takes up the columns that a table gained and lost. */
export function takeUpColumns(store: ReplicaStore, table: TrackedTable, definition: TableDefinition): void {
  const added = definition.columns.filter(
    ({ name }) => !table.liveColumns.some((column) => isSameName(column.name, name)),
  );
  const lost = table.liveColumns.filter(
    ({ name }) => !definition.columns.some((column) => isSameName(column.name, name)),
  );
  if (added.length === 0 && lost.length === 0) return;
  for (const column of lost) loseColumn(store, table, column);
  for (const column of added) addColumn(store, { table, column, definition });
  refreshTrackedTable(store.db, table.tbl, canonicalTable(definition));
  store.registry.invalidate();
  const fresh = store.trackedTable(table.tbl);
  installCapture(store.db, fresh);
  for (const column of added) recordFilledCells(store, fresh, column.name);
}

function addColumn(
  store: ReplicaStore,
  added: {
    readonly table: TrackedTable;
    readonly column: ColumnDefinition;
    readonly definition: TableDefinition;
  },
): void {
  const { table, column, definition } = added;
  const { seq, column: id } = recordAlteration(store, {
    table,
    action: { kind: 'addColumn', column },
    before: definition,
    after: definition,
  });
  trackColumn(store.db, {
    tbl: table.tbl,
    name: column.name,
    id: present(id, 'an added column has an ID'),
    addedSeq: seq,
  });
}

/** Another program took a column away or renamed it: its values are here no more, and a person should know. */
function loseColumn(
  store: ReplicaStore,
  table: TrackedTable,
  column: TrackedTable['liveColumns'][number],
): void {
  dropTrackedColumn(store.db, table.tbl, column.col);
  writeFinding(store, {
    kind: 'drift',
    table: table.name ?? '',
    subject: column.name,
    detail: `Another program renamed or removed the column ${column.name} of ${table.name ?? ''} here; peers still have it.`,
    advice: 'Change columns through Concord, so that the change travels as what it is.',
  });
}

/** Cells of a column that was added and filled before it was noticed, as far as they differ from its default. */
function recordFilledCells(store: ReplicaStore, table: TrackedTable, name: string): void {
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
