import type { Migration } from '#shared/model/change-group.ts';
import type { ColumnId, TableId } from '#shared/model/ids.ts';

import { isSameName } from '../sql/fold-identifier.ts';
import { isAnswered } from './is-answered.ts';
import type { ReplicaStore } from './replica-store.ts';
import type { TrackedTable } from './table-registry.ts';
import { addTableAlias, endTrackedTable, trackDroppedColumn } from './track-table.ts';

interface Given {
  readonly decision: Migration;
  readonly table: TrackedTable;
  readonly other: TrackedTable;
}

/** Makes the IDs of a table and of its columns those of another table, as a decision says, and its record that one's. */
export function giveIds(store: ReplicaStore, { decision, table, other }: Given): void {
  const columns = columnsOf(store, other);
  const recorded = store.migrations.ofTable(other.tbl);
  const twins = store.db
    .preparePluck<[bigint], TableId>(`select id from _concord_alias where kind = 't' and tbl = ?`)
    .all(BigInt(other.tbl));
  endTrackedTable(store.db, other.tbl);
  for (const id of [other.id, ...twins]) addTableAlias(store.db, { id, tbl: table.tbl });
  for (const { n } of recorded) store.migrations.assign(n, table.tbl);
  // What is held under both IDs is found under the twin's too.
  store.db
    .prepare<[string, string]>('update or ignore _concord_held set table_id = ? where table_id = ?')
    .run(table.id, other.id);
  store.registry.invalidate();
  store.clocks.forget();
  for (const column of columns) {
    const isOfDecision = recorded.every(
      ({ migration }) =>
        !migration.columns.some(({ id }) => column.ids.includes(id)) || isAnswered(decision, migration),
    );
    giveColumn(store, { decision, table: store.trackedTable(table.tbl), column, isOfDecision });
  }
  store.registry.invalidate();
}

interface GivenColumn {
  /** Its own and those of its twins. */
  readonly ids: readonly ColumnId[];
  /** Null of one that was dropped. */
  readonly name: string | null;
}

function columnsOf(
  store: ReplicaStore,
  { tbl, liveColumns, formerColumns }: TrackedTable,
): readonly GivenColumn[] {
  const twins = store.db.preparePluck<[bigint, bigint], ColumnId>(
    `select id from _concord_alias where kind = 'c' and tbl = ? and col = ? order by id`,
  );
  const gone = formerColumns.filter(({ reason }) => reason === 'dropped');
  return [...liveColumns, ...gone.map((column) => ({ ...column, name: null }))].map(({ col, id, name }) => ({
    ids: [id, ...twins.all(BigInt(tbl), BigInt(col))],
    name,
  }));
}

/**
 * A column is the one that the decision makes it one with; one that was added without its knowledge the one of its name, as
 * where it arrives after the decision. What is gone is gone from the table that stays too. What that one is to get yet
 * comes with its shape.
 */
function giveColumn(
  store: ReplicaStore,
  given: {
    readonly decision: Migration;
    readonly table: TrackedTable;
    readonly column: GivenColumn;
    readonly isOfDecision: boolean;
  },
): void {
  const { decision, table, column, isOfDecision } = given;
  const hasName = (name: string): boolean =>
    !isOfDecision && column.name !== null && isSameName(name, column.name);
  const declared = (decision.redefine?.columnMap ?? []).filter(
    ({ ids, name }) => ids.some((id) => column.ids.includes(id)) || hasName(name),
  );
  const ids = [...new Set([...column.ids, ...declared.flatMap((one) => one.ids)])];
  const col =
    placeOf(store, table, ids) ??
    table.liveColumns.find(({ name }) => hasName(name))?.col ??
    (column.name === null ? keepGone(store, { table, column }) : null);
  if (col === null) return;
  for (const id of ids) {
    if (store.registry.ordinalOf(table, id) === null) addTableAlias(store.db, { id, tbl: table.tbl, col });
  }
  store.registry.invalidate(table.tbl);
}

/** Of several columns that are one by now the one that is there. */
function placeOf(store: ReplicaStore, table: TrackedTable, ids: readonly ColumnId[]): number | undefined {
  const known = ids.flatMap((id) => store.registry.ordinalOf(table, id) ?? []);
  return known.find((col) => table.liveColumns.some((live) => live.col === col)) ?? known[0];
}

/** Late values of a dropped column are known as such; of one that a decision took away they wait. */
function keepGone(
  store: ReplicaStore,
  { table, column }: { readonly table: TrackedTable; readonly column: GivenColumn },
): number | null {
  const [id] = column.ids;
  if (id === undefined || id.startsWith('forgotten:')) return null;
  trackDroppedColumn(store.db, { tbl: table.tbl, id });
  store.registry.invalidate(table.tbl);
  return store.registry.ordinalOf(store.trackedTable(table.tbl), id);
}
