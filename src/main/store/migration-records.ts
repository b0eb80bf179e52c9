import type { Migration } from '#shared/model/change-group.ts';
import { formatStamp } from '#shared/model/hlc.ts';
import type { MigrationId } from '#shared/model/ids.ts';
import type { MigrationView } from '#shared/model/views.ts';
import type { Verdict } from '#shared/model/vocabulary.ts';

import type { LogWriter } from './log-write.ts';
import type { SiteRegistry } from './site-registry.ts';
import type { StoreDatabase } from './store-database.ts';

export interface RecordedMigration {
  readonly n: number;
  readonly migration: Migration;
  readonly verdict: Verdict;
  /** Ordinal of the table it concerns here; null when there is none. */
  readonly tbl: number | null;
  /** Whether it is still sent: what a later drop, redefinition or re-creation has overtaken is not. */
  readonly inForce: boolean;
}

export interface MigrationRecords {
  /** Writes a migration and its log entry; returns its number and seq. */
  readonly record: (entry: {
    readonly migration: Migration;
    readonly verdict: Verdict;
    readonly reason: string;
    readonly tbl: number | null;
    readonly via: number | null;
    readonly nowMs: number;
    readonly inForce?: boolean;
  }) => { readonly n: number; readonly seq: number };
  readonly has: (id: MigrationId) => boolean;
  readonly byNumber: (n: number) => RecordedMigration | null;
  readonly byId: (id: MigrationId) => RecordedMigration | null;
  /** Those still in force, in the order in which they were recorded. */
  readonly inForce: () => readonly RecordedMigration[];
  /** The create_index migrations of all indexes that should be here. */
  readonly indexesInForce: () => readonly RecordedMigration[];
  /** All of one element: of a table's existence and shape by its name, of a column by its table too. */
  readonly ofElement: (element: {
    readonly kind: string;
    readonly object: string;
    readonly element: string | null;
    readonly tbl: number | null;
  }) => readonly RecordedMigration[];
  /** Latest migration of a type for an object of this name or table. */
  readonly latest: (filter: {
    readonly types: readonly string[];
    readonly object?: string;
    readonly tbl?: number;
  }) => RecordedMigration | null;
  /** Of these types for a table: overtaken, no longer sent. */
  readonly retire: (
    filter:
      | { readonly types: readonly string[]; readonly tbl: number }
      | { readonly types: readonly string[]; readonly object: string },
  ) => void;
  readonly list: (filter: { readonly before?: number; readonly limit: number }) => readonly MigrationView[];
  readonly redefinitionsFor: (conflicts: readonly string[]) => readonly RecordedMigration[];
}

interface MigrationRow {
  readonly n: bigint;
  readonly body: string;
  readonly verdict: Verdict;
  readonly tbl: bigint | null;
  readonly in_force: bigint;
}

const COLUMNS = 'n, body, verdict, tbl, in_force';

export function createMigrationRecords(
  db: StoreDatabase,
  deps: { readonly log: LogWriter; readonly sites: SiteRegistry },
): MigrationRecords {
  const { log, sites } = deps;
  const insert = db.prepare<unknown[]>(
    `insert into _concord_migration (id, type, kind, object, element, tbl, hlc, site, version, ddl, body, verdict, reason, admitted_ms, via, in_force)
     values (@id, @type, @kind, @object, @element, @tbl, @hlc, @site, @version, @ddl, @body, @verdict, @reason, @admitted, @via, @inForce)`,
  );
  const one = (where: string) =>
    db.prepare<unknown[]>(`select ${COLUMNS} from _concord_migration where ${where}`);
  const number = one('n = ?');
  const id = one('id = ?');
  const force = one('in_force = 1 order by n');
  const indexes = one(
    `type = 'create_index' and in_force = 1 and verdict in ('executed', 'alreadyApplied') order by hlc, n`,
  );
  const redefinitions = one(`type = 'redefine_table' and in_force = 1 order by hlc, n`);

  return {
    record: (entry) => {
      const { migration } = entry;
      const site = sites.ordinalOf(migration.stamp.site);
      const { lastInsertRowid } = insert.run({
        id: migration.id,
        type: migration.type,
        kind: migration.kind,
        object: migration.object,
        element: migration.element,
        tbl: entry.tbl === null ? null : BigInt(entry.tbl),
        hlc: migration.stamp.hlc,
        site: BigInt(site),
        version: BigInt(migration.version),
        ddl: migration.ddl,
        body: migrationToJson(migration),
        verdict: entry.verdict,
        reason: entry.reason,
        admitted: BigInt(entry.nowMs),
        via: entry.via === null ? null : BigInt(entry.via),
        inForce: entry.inForce === false ? 0n : 1n,
      });
      const n = Number(lastInsertRowid);
      const own = migration.stamp.site === sites.own;
      const seq = log.appendMigration(n, {
        hlc: migration.stamp.hlc,
        site: own ? null : site,
        via: entry.via,
      });
      return { n, seq };
    },
    has: (value) => id.get(value) !== undefined,
    byNumber: (n) => recordedOf(number.get(BigInt(n))),
    byId: (value) => recordedOf(id.get(value)),
    inForce: () => force.all().flatMap((row) => recordedOf(row) ?? []),
    indexesInForce: () => indexes.all().flatMap((row) => recordedOf(row) ?? []),
    ofElement: (element) =>
      db
        .prepare<unknown[]>(
          `select ${COLUMNS} from _concord_migration
           where kind = @kind and object = @object collate nocase and element is @element collate nocase and (@tbl is null or tbl = @tbl) order by n`,
        )
        .all({ ...element, tbl: element.tbl === null ? null : BigInt(element.tbl) })
        .flatMap((row) => recordedOf(row) ?? []),
    latest: (filter) => latest(db, filter),
    retire: (filter) => {
      const types = JSON.stringify(filter.types);
      if ('tbl' in filter) {
        db.prepare<unknown[]>(
          `update _concord_migration set in_force = 0 where tbl = ? and type in (select value from json_each(?))`,
        ).run(BigInt(filter.tbl), types);
      } else {
        db.prepare<unknown[]>(
          `update _concord_migration set in_force = 0 where object = ? collate nocase and type in (select value from json_each(?))`,
        ).run(filter.object, types);
      }
    },
    list: (filter) => listMigrations(db, sites, filter),
    redefinitionsFor: (conflicts) => {
      const wanted = new Set(conflicts);
      if (wanted.size === 0) return [];
      return redefinitions
        .all()
        .flatMap((row) => recordedOf(row) ?? [])
        .filter(
          ({ migration }) =>
            migration.redefine?.conflictIds.some((conflict) => wanted.has(conflict)) === true,
        );
    },
  };
}

function latest(
  db: StoreDatabase,
  filter: { readonly types: readonly string[]; readonly object?: string; readonly tbl?: number },
): RecordedMigration | null {
  const row = db
    .prepare(
      `select ${COLUMNS} from _concord_migration where type in (select value from json_each(@types))
         and (@object is null or object = @object collate nocase) and (@tbl is null or tbl = @tbl)
         and verdict <> 'conflict' order by hlc desc, n desc limit 1`,
    )
    .get({
      types: JSON.stringify(filter.types),
      object: filter.object ?? null,
      tbl: filter.tbl === undefined ? null : BigInt(filter.tbl),
    });
  return recordedOf(row);
}

interface ListedRow {
  readonly n: bigint;
  readonly body: string;
  readonly verdict: Verdict;
  readonly reason: string;
  readonly admitted_ms: bigint;
  readonly via: bigint | null;
}

function listMigrations(
  db: StoreDatabase,
  sites: SiteRegistry,
  filter: { readonly before?: number; readonly limit: number },
): readonly MigrationView[] {
  const rows = db
    .prepare(
      `select n, body, verdict, reason, admitted_ms, via from _concord_migration where n < ? order by n desc limit ?`,
    )
    .all(BigInt(filter.before ?? Number.MAX_SAFE_INTEGER), BigInt(filter.limit)) as ListedRow[];
  return rows.map((row) => {
    const migration = migrationFromJson(row.body);
    return {
      seq: Number(row.n),
      id: migration.id,
      type: migration.type,
      kind: migration.kind,
      object: migration.object,
      element: migration.element,
      hlc: formatStamp(migration.stamp),
      origin: migration.stamp.site,
      version: migration.version,
      ddl: migration.ddl,
      verdict: row.verdict,
      reason: row.reason,
      admittedAtMs: Number(row.admitted_ms),
      from: row.via === null ? null : sites.siteOf(Number(row.via)),
    };
  });
}

function recordedOf(row: unknown): RecordedMigration | null {
  if (row === undefined) return null;
  // Written by `record` alone.
  const { n, body, verdict, tbl, in_force } = row as MigrationRow;
  return {
    n: Number(n),
    migration: migrationFromJson(body),
    verdict,
    tbl: tbl === null ? null : Number(tbl),
    inForce: in_force === 1n,
  };
}

const BIG = /^(-?\d+)n$/;

/** JSON of a migration; integers of 64 bits as text with an `n` behind. */
export const migrationToJson = (migration: Migration): string =>
  JSON.stringify(migration, (_name, value: unknown) =>
    typeof value === 'bigint' ? `${value.toString()}n` : value,
  );

function migrationFromJson(body: string): Migration {
  // Only stamps and version vectors hold such text: names and DDL never stand at these places.
  const raw = JSON.parse(body) as Migration & { readonly stamp: { readonly hlc: unknown } };
  return {
    ...raw,
    stamp: { site: raw.stamp.site, hlc: bigOf(raw.stamp.hlc) },
    knew: Object.fromEntries(Object.entries(raw.knew).map(([site, hlc]) => [site, bigOf(hlc)])),
  };
}

function bigOf(value: unknown): bigint {
  const digits = BIG.exec(String(value))?.[1];
  if (digits === undefined) throw new Error(`A recorded migration holds no HLC but ${String(value)}.`);
  return BigInt(digits);
}
