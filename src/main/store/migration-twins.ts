import type { Migration } from '#shared/model/change-group.ts';
import type { MigrationId } from '#shared/model/ids.ts';

import { isSameName } from './admission-plan.ts';
import type { ReplicaStore } from './replica-store.ts';
import type { TrackedTable } from './table-registry.ts';
import { addTableAlias } from './track-table.ts';

/**
 * Makes the IDs of a migration that converged further names of what is here; returns the table's ordinal.
 *
 * Twins are one life under two IDs: whichever way a fact names its table or column, it finds the same place.
 */
export function unifyTwin(
  store: ReplicaStore,
  migration: Migration,
  twinOf: MigrationId | null,
): number | null {
  const table = twinTable(store, migration, twinOf);
  if (table === null) return null;
  if (
    migration.type !== 'create_table' &&
    migration.type !== 'add_column' &&
    migration.type !== 'redefine_table'
  )
    return table.tbl;
  if (migration.tableId !== null && store.registry.byId(migration.tableId) === null) {
    addTableAlias(store.db, { id: migration.tableId, tbl: table.tbl });
  }
  for (const creation of migration.redefine?.creations ?? []) {
    if (store.registry.byId(creation.table) === null)
      addTableAlias(store.db, { id: creation.table, tbl: table.tbl });
  }
  aliasColumns(store, table, migration);
  store.registry.invalidate();
  return table.tbl;
}

function twinTable(
  store: ReplicaStore,
  migration: Migration,
  twinOf: MigrationId | null,
): TrackedTable | null {
  const byId = migration.tableId === null ? null : store.registry.byId(migration.tableId);
  if (byId !== null) return byId;
  const twin = twinOf === null ? null : store.migrations.byId(twinOf);
  if (twin !== null && twin.tbl !== null) return store.registry.byTbl(twin.tbl);
  for (const creation of migration.redefine?.creations ?? []) {
    const table = store.registry.byId(creation.table);
    if (table !== null) return table;
  }
  return migration.type === 'create_table' ? store.registry.byName(migration.object) : null;
}

function aliasColumns(store: ReplicaStore, table: TrackedTable, migration: Migration): void {
  const named = migration.columns.map((column) => ({ name: column.name, ids: [column.id] }));
  for (const { name, ids } of [...named, ...(migration.redefine?.columnMap ?? [])]) {
    const local = table.columns.find((column) => isSameName(column.name, name));
    if (local === undefined) continue;
    for (const id of ids) {
      if (store.registry.resolveColumn(table, id).kind !== 'unknown') continue;
      addTableAlias(store.db, { id, tbl: table.tbl, col: local.col });
    }
  }
}
