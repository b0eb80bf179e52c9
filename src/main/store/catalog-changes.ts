import { present } from '#shared/assert.ts';
import type { MigrationId } from '#shared/model/ids.ts';

import { foldShape, type FoldedTable } from '../engine/shape/fold-shape.ts';
import { planAlterations } from '../engine/shape/plan-alterations.ts';
import { UNCHANGED_NAMES } from '../engine/shape/shape-record.ts';
import { applyAlteration } from '../sql/apply-alteration.ts';
import type { AlterAction, TableDefinition } from '../sql/ast.ts';
import { canonicalTable } from '../sql/canonical-table.ts';
import { compareTables } from '../sql/compare-tables.ts';
import { foldIdentifier, isSameName } from '../sql/fold-identifier.ts';
import { recordAlteration } from './catalog-alteration.ts';
import type { ColumnNames } from './catalog-names.ts';
import { recordRedefinition } from './catalog-redefinition.ts';
import type { ReplicaStore } from './replica-store.ts';
import type { TrackedTable } from './table-registry.ts';
import { dropTrackedColumn, refreshTrackedTable, renameTrackedColumn, trackColumn } from './track-table.ts';
import { writeFinding } from './write-finding.ts';

/** What another program did to a table that goes on. */
export interface TableChange {
  readonly tbl: number;
  /** As the record has it, with the table's own name, and the names of other tables, as they are now. */
  readonly before: TableDefinition;
  readonly after: TableDefinition;
  /** Those of the record, by the names that they have now. */
  readonly columns: ColumnNames;
}

/**
 * Records what was done to a table as migrations of this replica, and brings the registry up to it: renames of columns,
 * columns that came and went, everything else that is another. What no alteration says is recorded as the new shape of
 * the whole table. Hands back the names of the columns that came, and whether anything was recorded.
 */
export function takeUpChange(
  store: ReplicaStore,
  change: TableChange,
): { readonly added: readonly string[]; readonly isChanged: boolean } {
  const { tbl, before, after } = change;
  if (compareTables(before, after).equal) {
    refresh(store, change);
    return { added: [], isChanged: false };
  }
  const table = store.trackedTable(tbl);
  const { actions, isComplete } = planAlterations({
    current: before,
    currentColumns: new Map(table.liveColumns.map(({ col, name }) => [foldIdentifier(name), keyOf(col)])),
    wanted: shapeOf(change),
  });
  let current = before;
  for (const action of actions) {
    const next = present(definitionAfter(current, action), 'a planned alteration can be applied');
    takeUpAction(store, { tbl, action, before: current, after: next });
    current = next;
  }
  refresh(store, change);
  if (!isComplete || !compareTables(current, after).equal)
    recordRedefinition(store, store.trackedTable(tbl), after);
  const added = actions.flatMap((action) => (action.kind === 'addColumn' ? [action.column.name] : []));
  return { added, isChanged: true };
}

const keyOf = (col: number): string => `#${String(col)}`;

/** The table as it is now, as if it had been made so, with the columns of the record where they are. */
function shapeOf({ after, columns }: TableChange): FoldedTable {
  const colByName = new Map([...columns].map(([col, name]) => [foldIdentifier(name), col]));
  const folded = foldShape([
    {
      id: 'now' as MigrationId,
      type: 'create_table',
      stamp: { hlc: 0n, site: '' as never },
      knew: {},
      statement: { kind: 'createTable', temporary: false, ifNotExists: false, table: after },
      columnIds: new Map(
        after.columns.map(({ name }) => {
          const col = colByName.get(foldIdentifier(name));
          return [foldIdentifier(name), col === undefined ? `new ${foldIdentifier(name)}` : keyOf(col)];
        }),
      ),
      subject: null,
      unifies: [],
      others: UNCHANGED_NAMES,
    },
  ]);
  return present(folded, 'a table that was made has a shape');
}

function definitionAfter(table: TableDefinition, action: AlterAction): TableDefinition | null {
  const applied = applyAlteration(table, action);
  return applied.ok ? applied.value : null;
}

function takeUpAction(
  store: ReplicaStore,
  taken: {
    readonly tbl: number;
    readonly action: AlterAction;
    readonly before: TableDefinition;
    readonly after: TableDefinition;
  },
): void {
  const { db, registry } = store;
  const { tbl, action } = taken;
  const table = store.trackedTable(tbl);
  const { seq, column } = recordAlteration(store, { table, ...taken });
  if (action.kind === 'renameColumn') {
    renameTrackedColumn(db, { tbl, col: columnNamed(table, action.column).col, name: action.newName });
  }
  if (action.kind === 'dropColumn') {
    dropTrackedColumn(db, tbl, columnNamed(table, action.column).col);
    findDropped(store, table, action.column);
  }
  if (action.kind === 'addColumn') {
    const id = present(column, 'an added column has an ID');
    trackColumn(db, { tbl, name: action.column.name, id, addedSeq: seq });
  }
  registry.invalidate();
}

const columnNamed = (table: TrackedTable, name: string): TrackedTable['liveColumns'][number] =>
  present(
    table.liveColumns.find((column) => isSameName(column.name, name)),
    `the column ${name} of ${table.name ?? ''} is not kept track of`,
  );

function findDropped(store: ReplicaStore, { name }: TrackedTable, column: string): void {
  writeFinding(store, {
    kind: 'drift',
    table: name ?? '',
    subject: column,
    detail: `Another program took the column ${column} out of ${name ?? ''}. Its values are gone on the peers too; a column that it only renamed came there as a new one.`,
    advice: 'Change columns through Concord, so that the change travels as what it is.',
  });
}

/** What has another spelling only is no change; the registry has the one in the file. */
function refresh(store: ReplicaStore, { tbl, after, columns }: TableChange): void {
  for (const { col, name } of store.trackedTable(tbl).liveColumns) {
    const now = columns.get(col);
    if (now !== undefined && now !== name && isSameName(now, name))
      renameTrackedColumn(store.db, { tbl, col, name: now });
  }
  refreshTrackedTable(store.db, tbl, { definition: canonicalTable(after) });
  store.registry.invalidate();
}
