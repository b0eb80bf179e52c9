import type { Migration } from '#shared/model/change-group.ts';
import type { MigrationId, TableId } from '#shared/model/ids.ts';

import { isSameName } from '../sql/fold-identifier.ts';
import { areConcurrent } from '../engine/migration/knew-of.ts';
import { isEqualText, livesOf } from './recorded-facts.ts';
import { readLineage } from './redefinition-lineage.ts';
import type { ReplicaStore } from './replica-store.ts';
import type { TrackedTable } from './table-registry.ts';
import { addTableAlias } from './track-table.ts';

const BRINGS_IDS: ReadonlySet<Migration['type']> = new Set(['create_table', 'add_column', 'redefine_table']);

const BRINGS_TABLE: ReadonlySet<Migration['type']> = new Set(['create_table', 'redefine_table']);

/**
 * Makes the IDs of a migration that converged further names of what is here; returns the table's ordinal.
 *
 * `isHere`: the catalog has what the migration wants, under its name.
 *
 * Twins are one life under two IDs: whichever way a fact names its table or column, it finds the same place.
 */
export function unifyTwin(
  store: ReplicaStore,
  migration: Migration,
  standing: { readonly twinOf: MigrationId | null; readonly isHere: boolean },
): number | null {
  const table = twinTable(store, migration, standing);
  if (table === null || !BRINGS_IDS.has(migration.type)) return table?.tbl ?? null;
  giveIds(store, table, migration);
  return table.tbl;
}

function giveIds(store: ReplicaStore, table: TrackedTable, migration: Migration): void {
  for (const id of tableIdsOf(migration)) {
    if (store.registry.byId(id) === null) addTableAlias(store.db, { id, tbl: table.tbl });
  }
  aliasColumns(store, table, migration);
  store.registry.invalidate();
}

/**
 * Gives the table of a decision the IDs of all creations that are one with those that it unifies, and of all columns
 * that were added to it: its author may not have known every twin, and what an older decision took away may be back.
 */
export function unifyLife(store: ReplicaStore, decision: Migration, table: TrackedTable): void {
  const unified = new Set(decision.redefine?.creations.map(({ migration }) => migration));
  const lives = livesOf(store, decision).filter(({ creations }) =>
    creations.some(({ id }) => unified.has(id)),
  );
  for (const { id } of lives.flatMap(({ creations }) => creations)) {
    const recorded = store.migrations.byId(id);
    if (recorded?.tbl === null) store.migrations.assign(recorded.n, table.tbl);
  }
  for (const { migration } of store.migrations.ofTable(table.tbl)) {
    if (BRINGS_IDS.has(migration.type)) giveIds(store, table, migration);
  }
}

/** Every ID under which a migration speaks of its table. */
const tableIdsOf = (migration: Migration): readonly TableId[] => [
  ...(migration.tableId === null ? [] : [migration.tableId]),
  ...(migration.redefine?.creations ?? []).map((creation) => creation.table),
];

function twinTable(
  store: ReplicaStore,
  migration: Migration,
  { twinOf, isHere }: { readonly twinOf: MigrationId | null; readonly isHere: boolean },
): TrackedTable | null {
  const known = tableIdsOf(migration).flatMap((id) => store.registry.byId(id) ?? []);
  const [first] = known;
  if (first !== undefined) return first;
  const twin = twinOf === null ? null : store.migrations.byId(twinOf);
  const twinId = twin?.migration.tableId ?? null;
  const tableOfTwin = twinId === null ? null : store.registry.byId(twinId);
  if (tableOfTwin !== null) return tableOfTwin;
  if (isHere && BRINGS_TABLE.has(migration.type)) return store.registry.byName(migration.object);
  return twinOf === null ? null : equalTable(store, migration);
}

/** The table here of a creation that is one with this one; the first of its twins may never have been here. */
function equalTable(store: ReplicaStore, creation: Migration): TrackedTable | null {
  const here = store.registry.byName(creation.object);
  if (here === null) return null;
  const isTwin = readLineage(store, here.tbl).creations.some(
    ({ migration }) => areConcurrent(migration, creation) && isEqualText(migration.ddl, creation.ddl),
  );
  return isTwin ? here : null;
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
