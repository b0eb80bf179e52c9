import { sqlValueToJson } from '#shared/model/json-sql-value.ts';
import type { FindingView } from '#shared/model/views.ts';

import { quoteIdentifier } from '../sql/quote-identifier.ts';
import { selectPlaces } from './finding-rows.ts';
import type { KeyValue } from './key-expression.ts';
import { decodeKey } from './key-lookup.ts';
import type { ReplicaStore } from './replica-store.ts';
import { toNumber } from './store-database.ts';
import { TABLE_KIND, type TrackedTable } from './table-registry.ts';

/** So many rows of a finding are named; the rest is counted. */
const ROWS_NAMED = 100;

type FoundRows = Pick<FindingView, 'rowCount' | 'rows'>;

/** What a person should know and that blocks nothing, oldest first. Writes nothing. */
export function listFindings(store: ReplicaStore): readonly FindingView[] {
  return [...listWritten(store), ...listWaiting(store)].sort((left, right) => left.sinceMs - right.sinceMs);
}

/** How many findings there are. */
export function countFindings({ db }: Pick<ReplicaStore, 'db'>): number {
  return toNumber(
    db
      .preparePluck<[]>(
        `select (select count(*) from _concord_finding) +
           (select count(*) from (select 1 from _concord_held where ${WAITING} group by table_id, reason, ${UNIQUE}))`,
      )
      .get(),
  );
}

interface WrittenRow {
  readonly kind: FindingView['kind'];
  readonly tbl: string;
  readonly subject: string;
  readonly detail: string;
  readonly advice: string;
  readonly since_ms: bigint;
  readonly has_more: bigint;
}

function listWritten(store: ReplicaStore): readonly FindingView[] {
  return store.db
    .prepare<[], WrittenRow>(
      'select kind, tbl, subject, detail, advice, since_ms, has_more from _concord_finding order by since_ms, kind, tbl',
    )
    .all()
    .map((row) => ({
      kind: row.kind,
      table: row.tbl,
      detail: row.detail,
      advice: row.advice,
      sinceMs: toNumber(row.since_ms),
      hasMore: row.has_more === 1n,
      ...rowsOf(store, row),
    }));
}

function rowsOf(store: ReplicaStore, { kind, tbl, subject }: WrittenRow): FoundRows {
  const table = store.registry.byName(tbl);
  if (table === null || (kind !== 'check' && kind !== 'foreignKey')) return { rowCount: null, rows: [] };
  const listed = { kind, tbl: table.tbl, subject };
  const { count, places } = selectPlaces(store.db, listed, ROWS_NAMED);
  return { rowCount: count, rows: places.map((place) => ({ key: keyAt(store, table, place), by: null })) };
}

/** The key of a row, or its rowid where the table has none. */
function keyAt(
  { db }: ReplicaStore,
  table: TrackedTable,
  place: KeyValue,
): FindingView['rows'][number]['key'] {
  if (table.kind === TABLE_KIND.noKey || table.kind === TABLE_KIND.integerKey) return [sqlValueToJson(place)];
  if (table.kind === TABLE_KIND.withoutRowid) return decodeKey(table, place).map(sqlValueToJson);
  const columns = table.key.map(({ name }) => quoteIdentifier(name)).join(', ');
  const row = db
    .prepareRaw<[KeyValue]>(
      `select ${columns} from ${quoteIdentifier(table.name ?? '')} where ${table.ridExpression} = ?`,
    )
    .get(place);
  return (row ?? []).map(sqlValueToJson);
}

// What rows wait for is a finding as long as they wait: it is read from what is held, so it needs no upkeep.

const WAITING = `op = 'row' and reason in ('uniqueCollision', 'notNull')`;

const UNIQUE = `coalesce(json_extract(rival, '$.unique'), '')`;

interface WaitingGroup {
  readonly table_id: string;
  readonly table_name: string;
  readonly reason: 'uniqueCollision' | 'notNull';
  readonly wanted: string;
  readonly since_ms: bigint;
  readonly rows: bigint;
}

function listWaiting(store: ReplicaStore): readonly FindingView[] {
  return store.db
    .prepare<[], WaitingGroup>(
      `select table_id, table_name, reason, ${UNIQUE} as wanted, min(since_ms) as since_ms, count(distinct key) as rows
       from _concord_held where ${WAITING} group by table_id, reason, wanted`,
    )
    .all()
    .map((group) => viewOf(store, group));
}

function viewOf(store: ReplicaStore, group: WaitingGroup): FindingView {
  const table = store.registry.byId(group.table_id);
  const name = table?.name ?? group.table_name;
  const isUnique = group.reason === 'uniqueCollision';
  const wanted = group.wanted === '' ? 'a unique key' : group.wanted;
  return {
    kind: isUnique ? 'unique' : 'notNull',
    table: name,
    detail: isUnique
      ? `Rows of ${name} wait: other rows have their values in ${wanted}, which must be unique, and had them earlier.`
      : `Rows of ${name} wait: they have no value for a column that may not be NULL.`,
    advice: isUnique
      ? `Change or delete the row that has the value, or insert the waiting row anew under its key with another one.`
      : `Give the column a default or let it be NULL; or insert the rows anew with a value.`,
    sinceMs: toNumber(group.since_ms),
    rowCount: toNumber(group.rows),
    hasMore: false,
    rows: table === null ? [] : waitingRows(store, table, group),
  };
}

function waitingRows(store: ReplicaStore, table: TrackedTable, group: WaitingGroup): FindingView['rows'] {
  return store.db
    .prepareRaw<[string, string, string, number], [KeyValue | null, string | null]>(
      `select key, json_extract(rival, '$.by') from _concord_held
       where ${WAITING} and table_id = ? and reason = ? and ${UNIQUE} = ? order by key limit ?`,
    )
    .all(group.table_id, group.reason, group.wanted, ROWS_NAMED)
    .map(([key, by]) => ({
      key: key === null ? [] : decodeKey(table, key).map(sqlValueToJson),
      by: by === null ? null : (JSON.parse(by) as FindingView['rows'][number]['key']),
    }));
}
