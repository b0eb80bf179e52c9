import type { ChangeGroup } from '#shared/model/change-group.ts';
import type { SqlValue } from '#shared/model/sql-value.ts';
import type { HeldReason } from '#shared/model/vocabulary.ts';

import { readGroupBody } from './group-body.ts';
import { deleteHeld } from './held-bounds.ts';
import type { KeyValue } from './key-expression.ts';
import type { ReplicaStore } from './replica-store.ts';
import type { StoreDatabase } from './store-database.ts';
import { toBigInt, toNumber } from './store-database.ts';

/** One held change. */
export interface HeldEntry {
  readonly n: number;
  readonly reason: HeldReason;
  readonly op: 'row' | 'cells' | 'delete' | 'migration';
  readonly tableId: string;
  readonly tableName: string;
  readonly columnId: string | null;
  readonly key: SqlValue;
  readonly hlc: bigint;
  /** Ordinal. */
  readonly site: number;
  readonly life: number;
  readonly sinceMs: number;
  readonly via: number | null;
  readonly group: ChangeGroup;
}

type Db = Pick<ReplicaStore, 'db'>;

/** Tables of which changes wait that go in by themselves, by ID. As many look-ups as there are tables. */
export function waitingTables(db: StoreDatabase): readonly string[] {
  const next = db.preparePluck<[string], string>(
    `select table_id from _concord_held where quarantined = 0 and table_id > ? order by table_id limit 1`,
  );
  const ids: string[] = [];
  for (let id = next.get(''); id !== undefined; id = next.get(id)) ids.push(id);
  return ids;
}

/** How many changes of a table wait with one of these reasons; not counted beyond `max`. */
export function countWaiting(
  { db }: Db,
  filter: { readonly tableId: string; readonly reasons: readonly HeldReason[]; readonly max: number },
): number {
  return toNumber(
    db
      .preparePluck<unknown[]>(
        `select count(*) from (select 1 from _concord_held where quarantined = 0 and table_id = ?
         and reason in (select value from json_each(?)) limit ?)`,
      )
      .get(filter.tableId, JSON.stringify(filter.reasons), BigInt(filter.max)),
  );
}

/** Numbers of a table's changes that wait with one of these reasons, oldest HLC first; the quarantined ones are left out. */
export function waitingOf(
  { db }: Db,
  filter: { readonly tableId: string; readonly reasons: readonly HeldReason[] },
): readonly bigint[] {
  return db
    .preparePluck<[string, string], bigint>(
      `select n from _concord_held where quarantined = 0 and table_id = ?
       and reason in (select value from json_each(?)) order by hlc, n`,
    )
    .all(filter.tableId, JSON.stringify(filter.reasons));
}

/** Numbers of the changes of one row that wait, oldest HLC first. What belongs to a dropped life is left out. */
export function waitingOfRow(
  { db }: Db,
  row: { readonly tableId: string; readonly key: KeyValue },
): readonly bigint[] {
  return db
    .preparePluck<[string, KeyValue], bigint>(
      `select n from _concord_held where table_id = ? and key = ? and quarantined = 0
       and reason <> 'droppedTable' and op <> 'migration' order by hlc, n`,
    )
    .all(row.tableId, row.key);
}

/** An entry by its number; null when it is held no more. */
export function readEntry({ db }: Db, n: bigint): HeldEntry | null {
  const row = db
    .prepareRaw<[bigint], EntryRow>(
      `select n, reason, op, table_id, table_name, column_id, key, hlc, site, life, since_ms, via, body
       from _concord_held where n = ?`,
    )
    .get(n);
  if (row === undefined) return null;
  const [, reason, op, tableId, tableName, columnId, key, hlc, site, life, sinceMs, via, body] = row;
  return {
    n: toNumber(n),
    reason,
    op,
    tableId,
    tableName,
    columnId,
    key,
    hlc: toBigInt(hlc),
    site: toNumber(site),
    life: toNumber(life),
    sinceMs: toNumber(sinceMs),
    via: via === null ? null : toNumber(via),
    group: readGroupBody(body),
  };
}

type EntryRow = readonly [
  n: bigint,
  reason: HeldReason,
  op: HeldEntry['op'],
  tableId: string,
  tableName: string,
  columnId: string | null,
  key: SqlValue,
  hlc: bigint,
  site: bigint,
  life: bigint,
  sinceMs: bigint,
  via: bigint | null,
  body: Uint8Array,
];

/** Numbers of the migrations that wait with their objects, oldest HLC first. */
export const waitingMigrations = ({ db }: Db): readonly bigint[] =>
  waitingTables(db).flatMap((tableId) =>
    db
      .preparePluck<[string], bigint>(
        `select n from _concord_held where quarantined = 0 and table_id = ? and reason = 'setAside'
         and op = 'migration' order by hlc, n`,
      )
      .all(tableId),
  );

/** Takes an entry out of held, in the transaction that gives it its place. */
export function releaseHeld({ store }: { readonly store: Db }, n: number): void {
  deleteHeld(store, 'n = ?', BigInt(n));
}

/** As `releaseHeld`, for many at once. */
export function releaseMany(
  { store }: { readonly store: Db },
  entries: readonly { readonly n: number }[],
): void {
  deleteHeld(store, 'n in (select value from json_each(?))', JSON.stringify(entries.map(({ n }) => n)));
}
