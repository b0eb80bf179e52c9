import type { Migration } from '#shared/model/change-group.ts';
import type { MigrationId, TableId } from '#shared/model/ids.ts';

import { isSameName } from '../sql/fold-identifier.ts';
import { areConcurrent } from '../engine/migration/knew-of.ts';
import { isEqualText } from './equal-creations.ts';
import { decisionAnswering, livesOf } from './recorded-facts.ts';
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
export function unifyTwin(store: ReplicaStore, migration: Migration, standing: Standing): number | null {
  const table = twinTable(store, migration, standing);
  if (table === null || !BRINGS_IDS.has(migration.type)) return table?.tbl ?? null;
  if (migration.type === 'add_column') unifyColumn(store, { table, migration, ...standing });
  else giveIds(store, table, { migration, isHere: standing.isHere });
  return table.tbl;
}

interface Standing {
  readonly twinOf: MigrationId | null;
  readonly isHere: boolean;
  /** Whether a column may be the one that has its name here; not so of one that was dropped and is nobody's twin. */
  readonly mayBeNamed?: boolean;
}

/** A column that was added twice is one: that of the twin, though it may be dropped by now, else the one that has its name. */
function unifyColumn(
  store: ReplicaStore,
  input: {
    readonly table: TrackedTable;
    readonly migration: Migration;
  } & Standing,
): void {
  const { table, migration, twinOf, mayBeNamed = true } = input;
  // What a decision's shape lacks is not the column that somebody else added under its name.
  if (decisionAnswering(store, migration) !== null) return;
  const [column] = migration.columns;
  if (column === undefined || store.registry.ordinalOf(table, column.id) !== null) return;
  const ofTwin = twinOf === null ? null : ordinalAddedBy(store, table, twinOf);
  const col = ofTwin ?? (mayBeNamed ? ordinalOfLive(table, column.name) : undefined);
  if (col === undefined) return;
  addTableAlias(store.db, { id: column.id, tbl: table.tbl, col });
  store.registry.invalidate();
}

function ordinalAddedBy(store: ReplicaStore, table: TrackedTable, id: MigrationId): number | null {
  const column = store.migrations.byId(id)?.migration.columns[0];
  return column === undefined ? null : store.registry.ordinalOf(table, column.id);
}

const ordinalOfLive = ({ liveColumns }: TrackedTable, wanted: string): number | undefined =>
  liveColumns.find(({ name }) => isSameName(name, wanted))?.col;

interface Naming {
  readonly migration: Migration;
  /** Whether the table is what the migration says, name by name. */
  readonly isHere: boolean;
}

function giveIds(store: ReplicaStore, table: TrackedTable, naming: Naming): void {
  const { migration } = naming;
  for (const id of tableIdsOf(migration)) {
    if (store.registry.byId(id) === null) addTableAlias(store.db, { id, tbl: table.tbl });
  }
  aliasColumns(store, table, naming);
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
    if (BRINGS_IDS.has(migration.type)) giveIds(store, table, { migration, isHere: false });
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
  const { creations } = readLineage(store, here.tbl);
  return creations.some(({ migration }) => isTwin(migration, creation)) ? here : null;
}

function aliasColumns(store: ReplicaStore, table: TrackedTable, naming: Naming): void {
  const { migration } = naming;
  const named = migration.columns.map((column) => ({ name: column.name, ids: [column.id] }));
  for (const { name, ids } of [...named, ...(migration.redefine?.columnMap ?? [])]) {
    const known = ids.flatMap((id) => store.registry.ordinalOf(table, id) ?? []).at(0);
    const col = known ?? ordinalOfName(store, table, { ...naming, name });
    if (col === null) continue;
    for (const id of ids) {
      if (store.registry.ordinalOf(table, id) !== null) continue;
      addTableAlias(store.db, { id, tbl: table.tbl, col });
    }
  }
}

/**
 * The column that a twin of a creation made under a name, whatever it is called by now; else the one that has the name, where
 * the table is what the migration says. Beside a decision a name alone says nothing: it may be that of another column.
 */
function ordinalOfName(
  store: ReplicaStore,
  table: TrackedTable,
  { migration, isHere, name }: Naming & { readonly name: string },
): number | null {
  const isCreation = migration.type === 'create_table';
  const { creations, redefinitions } = readLineage(store, table.tbl);
  const ofTwins = creations
    .filter(({ migration: other }) => isCreation && other.id !== migration.id && isTwin(other, migration))
    .flatMap(({ migration: { columns } }) => columns.filter((column) => isSameName(column.name, name)))
    .flatMap(({ id }) => store.registry.ordinalOf(table, id) ?? []);
  const [ofTwin] = ofTwins;
  if (ofTwin !== undefined || !isHere || (isCreation && redefinitions.length > 0)) return ofTwin ?? null;
  return table.liveColumns.find((column) => isSameName(column.name, name))?.col ?? null;
}

const isTwin = (left: Migration, right: Migration): boolean =>
  areConcurrent(left, right) && isEqualText(left.ddl, right.ddl);
