import type { Migration } from '#shared/model/change-group.ts';
import type { ColumnId } from '#shared/model/ids.ts';

import { foldIdentifier, isSameName } from '../sql/fold-identifier.ts';
import { foreignKeysOf } from '../sql/foreign-keys-of.ts';
import { quoteIdentifier } from '../sql/quote-identifier.ts';
import type { Admission } from './admission-context.ts';
import { isAnswered } from './is-answered.ts';
import { parkNaming } from './parked-objects.ts';
import { exportDeletions, exportRows } from './redefine-rows.ts';
import type { ReplicaStore } from './replica-store.ts';
import { restoreTriggers } from './silence-triggers.ts';
import type { TrackedTable } from './table-registry.ts';
import { addTableAlias, forgetTrackedTable, trackDroppedColumn } from './track-table.ts';
import { withRecordedDdl } from './with-recorded-ddl.ts';

// A decision makes creations one that stand as two tables here: one of them was renamed, and the other found its name free
// (docs/decisions/0007-resolutions-travel.md). One of the two stays, whatever it is called; its shape and name follow the
// record of both. The other's rows and deletions wait beside the file meanwhile.

/** What is to come back once the table that stays has its shape. */
export interface TakenTable {
  /** Under which its rows and deletions were put aside. */
  readonly tbl: number;
  /** Its indexes, by the numbers of their migrations. */
  readonly indexes: readonly number[];
  /** Tables that refer to it. */
  readonly children: readonly number[];
}

/**
 * Takes a table out of the file that a decision makes one with another: its record, its IDs and what is held of it are the
 * other's from here on. Views and triggers that name it are parked.
 *
 * Its rows and deletions are put aside (`exportRows`), with their stamps and lives.
 */
export function takeIntoTable(
  admission: Admission,
  union: { readonly decision: Migration; readonly table: TrackedTable; readonly other: TrackedTable },
): TakenTable {
  const { store } = admission;
  const { other } = union;
  const name = other.name ?? '';
  // What is parked has to stand in the file.
  restoreTriggers(admission);
  parkNaming(store, [name]);
  exportRows(admission, other);
  exportDeletions(admission, other);
  const taken = { tbl: other.tbl, indexes: indexesOf(store, other), children: childrenOf(store, other) };
  withRecordedDdl(store, () => {
    store.db.exec(`drop table ${quoteIdentifier(name)}`);
    return { value: null, touched: [name], isDropped: true };
  });
  giveRecord(store, union);
  for (const known of [admission.mutedTables, admission.changedTables, admission.touchedKeys])
    known.delete(other.tbl);
  admission.namesFreed = true;
  return taken;
}

const indexesOf = ({ objects }: ReplicaStore, { tbl }: TrackedTable): readonly number[] =>
  objects.all().flatMap((object) => (object.tbl === tbl ? [object.migration] : []));

/** Itself left out: its own foreign keys go with it, as far as the decision's shape has none. */
function childrenOf(store: ReplicaStore, { name }: TrackedTable): readonly number[] {
  const { tables } = store.catalog.read();
  return [...tables.values()].flatMap((child) => {
    const refers =
      child.definition !== null &&
      foreignKeysOf(child.definition).some(({ target }) => isSameName(target.table, name ?? ''));
    const tracked = refers ? store.registry.byName(child.name) : null;
    return tracked === null || isSameName(child.name, name ?? '') ? [] : [tracked.tbl];
  });
}

function giveRecord(
  store: ReplicaStore,
  { decision, table, other }: Parameters<typeof takeIntoTable>[1],
): void {
  const columns = columnsOf(store, other);
  const twins = store.db
    .preparePluck<[bigint], TrackedTable['id']>(`select id from _concord_alias where kind = 't' and tbl = ?`)
    .all(BigInt(other.tbl));
  forgetTrackedTable(store.db, other.tbl);
  for (const id of [other.id, ...twins]) addTableAlias(store.db, { id, tbl: table.tbl });
  store.db
    .prepare<[string, string]>('update or replace _concord_held set table_id = ? where table_id = ?')
    .run(table.id, other.id);
  const answered = (id: ColumnId): boolean =>
    store.migrations
      .ofTable(other.tbl)
      .every(({ migration }) => migration.columns.every((column) => column.id !== id) || isAnswered(decision, migration));
  for (const column of columns)
    giveColumn(store, { decision, table, column, isAnswered: column.ids.every(answered) });
  for (const { n } of store.migrations.ofTable(other.tbl)) store.migrations.assign(n, table.tbl);
  store.registry.invalidate();
  store.clocks.forget();
}

interface GivenColumn {
  /** Its own and those of its twins. */
  readonly ids: readonly ColumnId[];
  /** Null of one that was dropped. */
  readonly name: string | null;
}

function columnsOf(store: ReplicaStore, { tbl, liveColumns, formerColumns }: TrackedTable): readonly GivenColumn[] {
  const twins = store.db.prepareRaw<[bigint, bigint], [ColumnId]>(
    `select id from _concord_alias where kind = 'c' and tbl = ? and col = ? order by id`,
  );
  const names = new Map(liveColumns.map(({ col, name }) => [col, name]));
  const gone = formerColumns.filter(({ col }) => !names.has(col));
  return [...liveColumns, ...gone].map(({ col, id }) => ({
    ids: [id, ...twins.all(BigInt(tbl), BigInt(col)).map(([twin]) => twin)],
    name: names.get(col) ?? null,
  }));
}

/**
 * A column is the one that the decision makes it one with; one that was added without its knowledge the one of its name, as
 * where it arrives after the decision. What is gone is gone from the table that stays too.
 */
function giveColumn(
  store: ReplicaStore,
  given: {
    readonly decision: Migration;
    readonly table: TrackedTable;
    readonly column: GivenColumn;
    readonly isAnswered: boolean;
  },
): void {
  const { decision, table, column } = given;
  const declared = (decision.redefine?.columnMap ?? []).filter(({ ids, name }) =>
    ids.some((id) => column.ids.includes(id)) ||
    (!given.isAnswered && column.name !== null && isSameName(name, column.name)),
  );
  const ids = [...new Set([...column.ids, ...declared.flatMap((one) => one.ids)])];
  const known = ids.flatMap((id) => store.registry.ordinalOf(table, id) ?? []);
  const isLive = (col: number): boolean => table.liveColumns.some((live) => live.col === col);
  const ofName = given.isAnswered
    ? undefined
    : table.liveColumns.find(({ name }) => foldIdentifier(name) === foldIdentifier(column.name ?? ''))?.col;
  const col = known.find(isLive) ?? known[0] ?? ofName ?? (column.name === null ? keepGone(store, given) : null);
  if (col === null) return;
  for (const id of ids) {
    if (store.registry.ordinalOf(table, id) === null) addTableAlias(store.db, { id, tbl: table.tbl, col });
  }
  store.registry.invalidate(table.tbl);
}

/** Late values of a dropped column are known as such. */
function keepGone(
  store: ReplicaStore,
  { table, column }: { readonly table: TrackedTable; readonly column: GivenColumn },
): number | null {
  const [id] = column.ids;
  if (id === undefined || id.startsWith('forgotten:')) return null;
  trackDroppedColumn(store.db, { tbl: table.tbl, id });
  store.registry.invalidate(table.tbl);
  return store.registry.ordinalOf(table, id);
}
