import type { ChangeGroup } from '#shared/model/change-group.ts';
import { formatStamp } from '#shared/model/hlc.ts';
import { sqlValueToJson } from '#shared/model/json-sql-value.ts';
import type { JsonSqlValue } from '#shared/model/sql-value.ts';
import type { HeldView } from '#shared/model/views.ts';
import type { HeldReason } from '#shared/model/vocabulary.ts';

import { readGroupBody } from './group-body.ts';
import type { ReplicaStore } from './replica-store.ts';
import { toBigInt, toNumber } from './store-database.ts';

interface HeldRow {
  readonly n: bigint;
  readonly reason: HeldReason;
  readonly op: HeldView['op'];
  readonly table_name: string;
  readonly hlc: bigint;
  readonly site: bigint;
  readonly body: Uint8Array;
  readonly size_bytes: bigint;
  readonly since_ms: bigint;
  readonly via: bigint | null;
  readonly quarantined: bigint;
}

/** Held changes, the newest first. */
export function listHeld(
  store: Pick<ReplicaStore, 'db' | 'sites'>,
  filter: {
    readonly before?: number;
    readonly limit: number;
    readonly table?: string;
    readonly reason?: HeldReason;
    readonly quarantined?: boolean;
  },
): readonly HeldView[] {
  return store.db
    .prepare<unknown[], HeldRow>(
      `select n, reason, op, table_name, hlc, site, body, size_bytes, since_ms, via, quarantined from _concord_held
       where n < @before and (@table is null or table_name = @table collate nocase) and (@reason is null or reason = @reason)
         and (@quarantined is null or quarantined = @quarantined)
       order by n desc limit @limit`,
    )
    .all({
      before: BigInt(filter.before ?? Number.MAX_SAFE_INTEGER),
      limit: BigInt(filter.limit),
      table: filter.table ?? null,
      reason: filter.reason ?? null,
      quarantined: filter.quarantined === undefined ? null : BigInt(filter.quarantined ? 1 : 0),
    })
    .map((row) => viewOf(store, row));
}

/** One held change; null when it is held no more. */
export function viewHeld(store: Pick<ReplicaStore, 'db' | 'sites'>, n: number): HeldView | null {
  const row = store.db
    .prepare<[bigint], HeldRow>(
      `select n, reason, op, table_name, hlc, site, body, size_bytes, since_ms, via, quarantined from _concord_held where n = ?`,
    )
    .get(BigInt(n));
  return row === undefined ? null : viewOf(store, row);
}

/** Rows held, per table and reason: a fact each, migrations left out. */
export function countHeld(
  store: Pick<ReplicaStore, 'db'>,
): readonly { readonly table: string; readonly reason: HeldReason; readonly rows: number }[] {
  return store.db
    .prepareRaw<[], [string, HeldReason, bigint]>(
      `select table_name, reason, count(distinct table_id || ' ' || quote(key)) from _concord_held where op <> 'migration' group by table_name, reason order by table_name, reason`,
    )
    .all()
    .map(([table, reason, rows]) => ({ table, reason, rows: toNumber(rows) }));
}

function viewOf(store: Pick<ReplicaStore, 'sites'>, row: HeldRow): HeldView {
  const site = store.sites.siteOf(toNumber(row.site));
  const fact = factOf(readGroupBody(row.body));
  return {
    id: toNumber(row.n),
    reason: row.reason,
    table: row.table_name,
    ...fact,
    op: row.op,
    author: site,
    hlc: formatStamp({ hlc: toBigInt(row.hlc), site }),
    from: row.via === null ? null : store.sites.siteOf(toNumber(row.via)),
    sinceMs: toNumber(row.since_ms),
    sizeBytes: toNumber(row.size_bytes),
    quarantined: row.quarantined === 1n,
  };
}

/** Key and values of the one fact that a body holds; of a migration its statement. */
function factOf(group: ChangeGroup): {
  readonly key: JsonSqlValue[];
  readonly values: Record<string, JsonSqlValue>;
} {
  const [block] = group.blocks;
  const [migration] = group.migrations;
  if (block === undefined) return { key: [], values: migration === undefined ? {} : { ddl: migration.ddl } };
  const table = group.tables[block.table];
  const row = (block.rows[0] ?? []).map(sqlValueToJson);
  const keyPlaces = (table?.key ?? []).map((index) => block.columns.indexOf(index));
  return {
    key: keyPlaces.map((place) => row[place] ?? null),
    values: Object.fromEntries(
      block.columns.map((index, place) => [table?.columns[index]?.name ?? String(index), row[place] ?? null]),
    ),
  };
}
