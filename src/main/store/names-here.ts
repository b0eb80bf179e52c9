import type { Migration } from '#shared/model/change-group.ts';

import type { DdlStatement, IndexDefinition, TableDefinition } from '../sql/ast.ts';
import { foldIdentifier } from '../sql/fold-identifier.ts';
import { renameInIndex, renameInTable, type NameChanges } from '../sql/rename-in-definition.ts';
import { indexDefinitionOf, tableDefinitionOf } from './migration-definition.ts';
import { nameLeftBy } from './name-at-drop.ts';
import { namedParents } from './named-parents.ts';
import type { ReplicaStore } from './replica-store.ts';

// A migration names tables and columns as its author called them. These put this replica's names in their place, by the
// IDs that the migration gives for each name. What is not here keeps the name that it came with; a table that was dropped
// has the one that it was dropped under.

/** What a mentioned table and its columns are called here. */
function nameChangesHere(store: ReplicaStore, { mentions }: Pick<Migration, 'mentions'>): NameChanges {
  const tables = new Map<string, string>();
  const columns = new Map<string, ReadonlyMap<string, string>>();
  for (const mention of mentions) {
    const table = store.registry.byId(mention.table);
    if (table === null) continue;
    const key = foldIdentifier(mention.name);
    tables.set(key, table.name ?? nameLeftBy(store, table) ?? mention.name);
    const names = mention.columns.flatMap(({ id, name }) => {
      const col = store.registry.ordinalOf(table, id);
      const live = table.liveColumns.find((column) => column.col === col);
      return live === undefined ? [] : [[foldIdentifier(name), live.name] as const];
    });
    columns.set(key, new Map(names));
  }
  return { tables, columns };
}

/** The index of a create_index with this replica's names. */
export const indexHere = (store: ReplicaStore, migration: Migration): IndexDefinition =>
  renameInIndex(indexDefinitionOf(migration), nameChangesHere(store, migration));

/** The table of a create_table with this replica's names of the tables that its foreign keys refer to. */
export function tableDefinitionHere(store: ReplicaStore, migration: Migration): TableDefinition {
  const table = tableDefinitionOf(migration);
  const statement = { kind: 'createTable', temporary: false, ifNotExists: false, table } as const;
  return renameInTable(table, parentChanges(store, migration, statement));
}

/** What the tables that a migration, with the statement that it carries, names beside its own are called here. */
export function parentChanges(
  store: ReplicaStore,
  migration: Migration,
  statement: DdlStatement,
): NameChanges {
  const own = migration.tableId === null ? null : (store.registry.byId(migration.tableId)?.id ?? null);
  const named = [...migration.mentions, ...namedParents(store, migration, statement)];
  const mentions = named.filter((mention) => {
    const table = store.registry.byId(mention.table);
    return mention.table !== migration.tableId && table !== null && table.id !== own;
  });
  return nameChangesHere(store, { mentions });
}
