import type { Migration } from '#shared/model/change-group.ts';
import { compareStamps } from '#shared/model/hlc.ts';

import type { CatalogFacts, ColumnStanding } from '../engine/migration/catalog-facts.ts';
import type { ColumnDefinition, TableDefinition } from '../sql/ast.ts';
import { isSameName } from '../sql/fold-identifier.ts';
import { logicalType } from '../sql/logical-type.ts';
import { currentDefinition, liveTable } from './live-table.ts';
import { columnDefinitionOf } from './migration-definition.ts';
import { namingOfColumn } from './naming-migration.ts';
import { definingMigration } from './redefinition-lineage.ts';
import type { ReplicaStore } from './replica-store.ts';
import type { LiveColumn, TrackedTable } from './table-registry.ts';

/** `name`: the one that the column is to have once its unit is in. */
export function addColumnFacts(store: ReplicaStore, migration: Migration, name: string): CatalogFacts {
  const table = liveTable(store, migration);
  const wanted = { ...columnDefinitionOf(migration), name };
  const base = {
    type: 'add_column',
    object: table?.name ?? migration.object,
    column: wanted.name,
    isTablePresent: table !== null,
  } as const;
  if (table === null) return { ...base, standing: { kind: 'absent' } };
  const added = columnStanding(store, { table, migration, wanted: columnDefinitionOf(migration) });
  if (isSameName(name, migration.element ?? '')) return { ...base, standing: added };
  // What it was added as may be here, though it comes with another name; what has that name is no twin.
  if (added.kind === 'present' && added.hasSameLogicalType) return { ...base, standing: added };
  const named = columnStanding(store, { table, migration, wanted });
  return { ...base, standing: named.kind === 'absent' ? named : { kind: 'movedHere' } };
}

function columnStanding(
  store: ReplicaStore,
  input: { readonly table: TrackedTable; readonly migration: Migration; readonly wanted: ColumnDefinition },
): ColumnStanding {
  const { table, migration, wanted } = input;
  const definition = currentDefinition(store, table.name ?? '');
  const here = definition?.columns.find((column) => isSameName(column.name, wanted.name));
  const live = table.liveColumns.find((column) => isSameName(column.name, wanted.name));
  if (definition === null || here === undefined) return { kind: 'absent' };
  const naming = live === undefined ? null : namingOfColumn(store, table, live.col);
  if (naming?.type === 'rename_column') return { kind: 'movedHere' };
  return presentColumn({
    migration,
    wanted,
    here,
    definition,
    typedBy: naming ?? definingMigration(store, table.tbl),
  });
}

function presentColumn(column: {
  readonly migration: Migration;
  readonly wanted: ColumnDefinition;
  readonly here: ColumnDefinition;
  readonly definition: TableDefinition;
  readonly typedBy: Migration | null;
}): ColumnStanding {
  const { migration, wanted, here, definition, typedBy } = column;
  return {
    kind: 'present',
    hasSameLogicalType: logicalType(here, definition) === logicalType(wanted, definition),
    localType: here.type,
    remoteType: wanted.type,
    typedBy: typedBy?.id ?? migration.id,
    isLater: typedBy === null || compareStamps(migration.stamp, typedBy.stamp) > 0,
    // What holds of twins that differ is settled by the fold of all that is recorded.
    laterRegisters: [],
  };
}

/** The column that a migration is about, under whatever name it has here. */
function liveColumn(
  store: ReplicaStore,
  migration: Migration,
): { readonly table: TrackedTable | null; readonly column: LiveColumn | null } {
  const table = liveTable(store, migration);
  const [wanted] = migration.columns;
  if (table === null || wanted === undefined) return { table, column: null };
  const col = store.registry.ordinalOf(table, wanted.id);
  return { table, column: table.liveColumns.find((column) => column.col === col) ?? null };
}

/** Whether the column that a drop_column ends is here. */
export function dropColumnFacts(store: ReplicaStore, migration: Migration): boolean {
  return liveColumn(store, migration).column !== null;
}

/** What stands of the column that is renamed, and in its way. */
export function renameColumnFacts(store: ReplicaStore, migration: Migration): CatalogFacts {
  const { table, column } = liveColumn(store, migration);
  const newName = migration.element ?? '';
  const occupant = table?.liveColumns.find(
    ({ name, col }) => isSameName(name, newName) && col !== column?.col,
  );
  return {
    type: 'rename_column',
    object: table?.name ?? migration.object,
    element: column === null ? { kind: 'absent' } : { kind: 'here', name: column.name },
    newName,
    isRenamed: column?.name === newName,
    occupant: occupant?.name ?? null,
    isByName: false,
  };
}

/** Whether the column that is altered is here, and is otherwise. */
export function alterColumnFacts(
  store: ReplicaStore,
  migration: Migration,
  changes: () => boolean,
): CatalogFacts {
  const { table, column } = liveColumn(store, migration);
  const missing = table === null ? 'table' : column === null ? 'column' : null;
  return {
    type: 'alter_column',
    object: table?.name ?? migration.object,
    missing,
    isEqual: missing === null && !changes(),
    validatesRows: false,
  };
}
