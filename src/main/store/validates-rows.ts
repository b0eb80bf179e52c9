import type { Migration } from '#shared/model/change-group.ts';

import { canMakeKeysEqual } from '../engine/migration/can-make-keys-equal.ts';
import { isRowValidating } from '../engine/migration/is-row-validating.ts';
import type { AlterAction, TableDefinition } from '../sql/ast.ts';
import { foldIdentifier, isSameName } from '../sql/fold-identifier.ts';
import { parseDdl } from '../sql/parse-ddl.ts';
import { columnChanges, renameInAction } from '../sql/rename-in-definition.ts';
import { currentDefinition, liveTable } from './live-table.ts';
import { alterationOf } from './migration-definition.ts';
import type { ReplicaStore } from './replica-store.ts';

/** Whether the rows that come with a migration could break it: then they come first. `unit`: what it arrives with. */
export function validatesRows(
  store: ReplicaStore,
  migration: Migration,
  unit: readonly Migration[],
): boolean {
  const definition = definitionOf(store, migration, unit);
  return isRowValidating({
    type: migration.type,
    alteration: migration.type === 'alter_column' ? alterationOf(migration) : null,
    isUnique: isUniqueIndex(migration),
    isStrict: definition?.strict === true,
    canMakeKeysEqual: mayMakeKeysEqual(store, migration, definition),
  });
}

function mayMakeKeysEqual(
  store: ReplicaStore,
  migration: Migration,
  definition: TableDefinition | null,
): boolean {
  if (migration.type !== 'alter_column' && migration.type !== 'alter_primary_key') return false;
  const action = actionHere(store, migration);
  // Of a table that is not known here nothing can be told.
  if (definition === null || action === null) return true;
  const indexes = [...store.catalog.read().indexes.values()].flatMap(({ definition: index }) =>
    index !== null && isSameName(index.table, definition.name) ? [index] : [],
  );
  return canMakeKeysEqual(definition, action, indexes);
}

/** What a migration does to its table, with the names that the columns have here. */
function actionHere(store: ReplicaStore, migration: Migration): AlterAction | null {
  const parsed = parseDdl(migration.ddl);
  if (!parsed.ok || parsed.value.kind !== 'alterTable') return null;
  const { table, action } = parsed.value;
  const live = liveTable(store, migration);
  const named = migration.columns.flatMap(({ id, name }) => {
    const col = live === null ? null : store.registry.ordinalOf(live, id);
    const here = live?.liveColumns.find((column) => column.col === col);
    return here === undefined ? [] : [[foldIdentifier(name), here.name] as const];
  });
  return renameInAction(action, { table, changes: columnChanges(table, new Map(named)) });
}

function isUniqueIndex({ type, ddl }: Migration): boolean {
  if (type !== 'create_index') return false;
  const parsed = parseDdl(ddl);
  return parsed.ok && parsed.value.kind === 'createIndex' && parsed.value.index.unique;
}

/** The table as it is here, or as it comes in the same unit. */
function definitionOf(
  store: ReplicaStore,
  migration: Migration,
  unit: readonly Migration[],
): TableDefinition | null {
  const table = liveTable(store, migration);
  if (table !== null) return currentDefinition(store, table.name ?? '');
  const creation = unit.find(({ type, tableId }) => type === 'create_table' && tableId === migration.tableId);
  const parsed = creation === undefined ? null : parseDdl(creation.ddl);
  return parsed?.ok === true && parsed.value.kind === 'createTable' ? parsed.value.table : null;
}
