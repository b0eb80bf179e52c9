import type { Migration } from '#shared/model/change-group.ts';
import { compareStamps } from '#shared/model/hlc.ts';

import { definingMigration } from './redefinition-lineage.ts';
import type { ReplicaStore } from './replica-store.ts';
import type { TrackedTable } from './table-registry.ts';

// Which migration gave something the name that it has: of two that want one name, these two contradict each other,
// whichever side is asked.

/** The rename that a table has its name by, or its creation. */
export function namingOfTable(store: ReplicaStore, table: TrackedTable): Migration | null {
  return latestOf(store, table, ({ type }) => type === 'rename_table') ?? definingMigration(store, table.tbl);
}

/** The rename that a column has its name by, the migration that added it, or its table's creation. */
export function namingOfColumn(store: ReplicaStore, table: TrackedTable, col: number): Migration | null {
  const isOfColumn = ({ columns: [column] }: Migration): boolean =>
    column !== undefined && store.registry.ordinalOf(table, column.id) === col;
  return (
    latestOf(store, table, (known) => known.type === 'rename_column' && isOfColumn(known)) ??
    earliestOf(store, table, (known) => known.type === 'add_column' && isOfColumn(known)) ??
    definingMigration(store, table.tbl)
  );
}

/** Whether a table came to its name by a rename: then it is no twin of one that is created under it. */
export const isRenamed = (store: ReplicaStore, table: TrackedTable): boolean =>
  namingOfTable(store, table)?.type === 'rename_table';

const latestOf = (
  store: ReplicaStore,
  table: TrackedTable,
  isWanted: (migration: Migration) => boolean,
): Migration | null => sortedOf(store, table, isWanted).at(-1) ?? null;

const earliestOf = (
  store: ReplicaStore,
  table: TrackedTable,
  isWanted: (migration: Migration) => boolean,
): Migration | null => sortedOf(store, table, isWanted)[0] ?? null;

const sortedOf = (
  store: ReplicaStore,
  table: TrackedTable,
  isWanted: (migration: Migration) => boolean,
): readonly Migration[] =>
  store.migrations
    .ofTable(table.tbl)
    .map(({ migration }) => migration)
    .filter(isWanted)
    .sort((left, right) => compareStamps(left.stamp, right.stamp));
