import type { Migration } from '#shared/model/change-group.ts';

import type { TableDefinition } from '../sql/ast.ts';
import { foldIdentifier } from '../sql/fold-identifier.ts';
import type { ReplicaStore } from './replica-store.ts';
import type { TrackedTable } from './table-registry.ts';

/** The live table that a migration is about, by ID. */
export function liveTable(store: ReplicaStore, migration: Pick<Migration, 'tableId'>): TrackedTable | null {
  const table = migration.tableId === null ? null : store.registry.byId(migration.tableId);
  return table?.name === null ? null : table;
}

/**
 * The live tables that the creations of a redefine_table made here, in the order of the creations: more than one where one
 * of them was renamed, so that another one found its name free.
 */
export function tablesOfCreations(store: ReplicaStore, migration: Migration): readonly TrackedTable[] {
  const creations = migration.redefine?.creations ?? [];
  const tables = creations.flatMap(({ table }) => liveTable(store, { tableId: table }) ?? []);
  return [...new Map(tables.map((table) => [table.tbl, table])).values()];
}

/** Whether this replica never had any of the creations of a redefine_table, not even a dropped one. */
export const isOfUnknownCreations = (store: ReplicaStore, migration: Migration): boolean =>
  (migration.redefine?.creations ?? []).every((creation) => store.registry.byId(creation.table) === null);

/** The definition that a table has now. */
export function currentDefinition(store: ReplicaStore, name: string): TableDefinition | null {
  return store.catalog.read().tables.get(foldIdentifier(name))?.definition ?? null;
}

/** The text of a table's definition in the file; empty where it has none. */
export const currentText = (store: ReplicaStore, name: string): string =>
  store.catalog.read().tables.get(foldIdentifier(name))?.sql ?? '';
