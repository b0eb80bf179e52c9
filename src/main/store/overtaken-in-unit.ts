import type { Migration } from '#shared/model/change-group.ts';
import { compareStamps } from '#shared/model/hlc.ts';
import type { MigrationId } from '#shared/model/ids.ts';

import { compareTables } from '../sql/compare-tables.ts';
import { isSameName } from '../sql/fold-identifier.ts';
import { liveTable } from './live-table.ts';
import { indexDefinitionOf } from './migration-definition.ts';
import type { ReplicaStore } from './replica-store.ts';
import { shapeOf } from './settle-table.ts';

/**
 * The migration of the same unit that undoes one which rows could break: a unique index whose table, or column, goes
 * again, a constraint that is dropped again. Then rows need not meet it at all. Null when it is to last.
 */
export function overtakenInUnit(
  store: ReplicaStore,
  migration: Migration,
  unit: readonly Migration[],
): MigrationId | null {
  const later = unit.filter(
    (other) =>
      other.tableId === migration.tableId &&
      !store.migrations.has(other.id) &&
      compareStamps(other.stamp, migration.stamp) > 0,
  );
  const drop = later.find(({ type }) => type === 'drop_table');
  if (drop !== undefined) return drop.id;
  if (later.length === 0) return null;
  return migration.type === 'create_index'
    ? dropOfIndexed(migration, later)
    : undoneBy(store, migration, later);
}

/** The drop of a column that an index is on takes the index along. */
function dropOfIndexed(creation: Migration, later: readonly Migration[]): MigrationId | null {
  const columns = indexDefinitionOf(creation).parts.flatMap((part) =>
    part.kind === 'column' ? part.column : [],
  );
  const drop = later.find(
    ({ type, element }) =>
      type === 'drop_column' && columns.some((column) => isSameName(column, element ?? '')),
  );
  return drop?.id ?? null;
}

function undoneBy(
  store: ReplicaStore,
  migration: Migration,
  later: readonly Migration[],
): MigrationId | null {
  const table = liveTable(store, migration);
  const last = later.filter(({ kind }) => kind === 'table').at(-1);
  if (table === null || last === undefined) return null;
  const without = shapeOf(store, table, later);
  const withIt = shapeOf(store, table, [...later, migration]);
  if (without === null || withIt === null) return null;
  return compareTables(without.definition, withIt.definition).equal ? last.id : null;
}
