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

/** The live table that one of the creations of a redefine_table made here. */
export function tableOfCreations(store: ReplicaStore, migration: Migration): TrackedTable | null {
  for (const creation of migration.redefine?.creations ?? []) {
    const table = store.registry.byId(creation.table);
    if (table !== null && table.name !== null) return table;
  }
  return null;
}

/** Whether this replica never had any of the creations of a redefine_table, not even a dropped one. */
export const isOfUnknownCreations = (store: ReplicaStore, migration: Migration): boolean =>
  (migration.redefine?.creations ?? []).every((creation) => store.registry.byId(creation.table) === null);

/** The definition that a table has now. */
export function currentDefinition(store: ReplicaStore, name: string): TableDefinition | null {
  return store.catalog.read().tables.get(foldIdentifier(name))?.definition ?? null;
}
