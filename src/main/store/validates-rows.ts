import type { Migration } from '#shared/model/change-group.ts';

import { isRowValidating } from '../engine/migration/is-row-validating.ts';
import type { TableDefinition } from '../sql/ast.ts';
import { isSameName } from '../sql/fold-identifier.ts';
import { parseDdl } from '../sql/parse-ddl.ts';
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
  const [column] = migration.columns;
  return isRowValidating({
    type: migration.type,
    alteration: migration.type === 'alter_column' ? alterationOf(migration) : null,
    isUnique: isUniqueIndex(migration),
    isStrict: definition?.strict === true,
    isKeyColumn: definition !== null && column !== undefined && isInKey(definition, column.name),
  });
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

function isInKey({ columns, constraints }: TableDefinition, name: string): boolean {
  const own = columns.find((column) => isSameName(column.name, name));
  if (own !== undefined && (own.primaryKey !== undefined || own.uniques.length > 0)) return true;
  return constraints.some(
    (constraint) =>
      (constraint.kind === 'primaryKey' || constraint.kind === 'unique') &&
      constraint.columns.some(({ column }) => isSameName(column, name)),
  );
}
