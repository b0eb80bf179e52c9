import type { Migration } from '#shared/model/change-group.ts';
import type { MigrationId, TableId } from '#shared/model/ids.ts';
import type { ObjectKind, Verdict } from '#shared/model/vocabulary.ts';

import type { LogWriter } from './log-write.ts';
import { migrationFromJson, migrationToJson } from './migration-json.ts';
import type { SiteRegistry } from './site-registry.ts';
import type { StoreDatabase } from './store-database.ts';

export interface RecordedMigration {
  readonly n: number;
  readonly migration: Migration;
  readonly verdict: Verdict;
  /** Ordinal of the table it concerns here; null when there is none. */
  readonly tbl: number | null;
  /** Ordinal of the peer that brought it; null of the replica's own. */
  readonly via: number | null;
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
  /** The create_index migrations of a table that found it, or a column, not here. */
  readonly indexesWaiting: (tbl: number) => readonly RecordedMigration[];
  /** What brings objects of a kind and name into being, ends or redefines them, in the order in which it was recorded. */
  readonly ofName: (kind: ObjectKind, object: string) => readonly RecordedMigration[];
  /** What gave a table this name, in the order in which it was recorded. */
  readonly namings: (table: string) => readonly RecordedMigration[];
  /** What may hold a foreign key to a table of this name: all that does, and more. Reads the whole history. */
  readonly referring: (table: string) => readonly RecordedMigration[];
  /** Tables of which a statement may hold a foreign key to one of these: all that do, and more. Reads the whole history. */
  readonly referringTo: (tableIds: readonly string[]) => readonly number[];
  /** Of tables that are not here: recorded before their creation came. */
  readonly waitingFor: (tableIds: readonly TableId[]) => readonly RecordedMigration[];
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
  /** All that are recorded for a table, in the order in which they were recorded. */
  readonly ofTable: (tbl: number) => readonly RecordedMigration[];
  /** The drops of a table that are recorded: those who drop it at once are several. */
  readonly dropsOf: (tbl: number) => readonly RecordedMigration[];
  /** The redefine_table migrations in force, the latest last. */
  readonly redefinitions: () => readonly RecordedMigration[];
  /** Says which table here one is about, once there is one. */
  readonly assign: (n: number, tbl: number) => void;
  /** This one, which changed nothing when it came, has taken effect now. */
  readonly execute: (n: number, reason: string) => void;
  /** This one: overtaken, no longer sent. */
  readonly retireOne: (n: number) => void;
  /** This one: in force again, after something that had overtaken it was overtaken itself. */
  readonly restoreOne: (n: number) => void;
}

interface MigrationRow {
  readonly n: bigint;
  readonly body: string;
  readonly verdict: Verdict;
  readonly tbl: bigint | null;
  readonly via: bigint | null;
  readonly in_force: bigint;
}

const COLUMNS = 'n, body, verdict, tbl, via, in_force';

/** The history of one replica's catalog, through one connection. */
export function createMigrationRecords(
  db: StoreDatabase,
  deps: { readonly log: LogWriter; readonly sites: SiteRegistry },
): MigrationRecords {
  const one = (where: string) =>
    db.prepare<unknown[]>(`select ${COLUMNS} from _concord_migration where ${where}`);
  const number = one('n = ?');
  const id = one('id = ?');
  const force = one('in_force = 1 order by n');
  const indexes = one(
    `type = 'create_index' and in_force = 1 and verdict in ('executed', 'alreadyApplied') order by hlc, n`,
  );
  const waitingIndexes = one(
    `tbl = ? and type = 'create_index' and in_force = 1 and verdict = 'convergedWithWarning' order by hlc, n`,
  );
  const table = one('tbl = ? order by n');
  const drops = one(`tbl = ? and type = 'drop_table' order by n`);
  // A constraint without a name has no element either, and its drop ends no object.
  const byName = one(
    `kind = ? and object = ? collate nocase and (type like 'create%' or type like 'drop%' or type = 'redefine_table')
     and type <> 'drop_constraint' and element is null order by n`,
  );
  const namings = one(
    `kind = 'table' and object = ? collate nocase and type in ('create_table', 'rename_table', 'redefine_table') order by n`,
  );
  const referring = one(
    `kind = 'table' and tbl is not null and ddl like '%references%' and instr(lower(ddl), replace(lower(?), '"', '""')) > 0 order by n`,
  );
  const referringTo = db.preparePluck<[string], bigint>(
    `select distinct m.tbl from json_each(?) as i cross join _concord_migration as m
     where m.kind = 'table' and m.tbl is not null and m.ddl like '%references%' and instr(m.body, i.value) > 0`,
  );
  const waiting = one(
    `tbl is null and kind in ('table', 'index') and json_extract(body, '$.tableId') in (select value from json_each(?)) order by n`,
  );
  const assign = db.prepare<unknown[]>('update _concord_migration set tbl = ? where n = ?');
  const setForce = db.prepare<unknown[]>('update _concord_migration set in_force = ? where n = ?');
  const execute = db.prepare<unknown[]>(
    `update _concord_migration set verdict = 'executed', reason = ? where n = ?`,
  );
  const redefinitions = one(`type = 'redefine_table' and in_force = 1 order by hlc, n`);

  return {
    record: createRecorder(db, deps),
    has: (value) => id.get(value) !== undefined,
    byNumber: (n) => recordedOf(number.get(BigInt(n))),
    byId: (value) => recordedOf(id.get(value)),
    inForce: () => force.all().flatMap((row) => recordedOf(row) ?? []),
    indexesInForce: () => indexes.all().flatMap((row) => recordedOf(row) ?? []),
    indexesWaiting: (tbl) => waitingIndexes.all(BigInt(tbl)).flatMap((row) => recordedOf(row) ?? []),
    ofName: (kind, object) => byName.all(kind, object).flatMap((row) => recordedOf(row) ?? []),
    namings: (name) => namings.all(name).flatMap((row) => recordedOf(row) ?? []),
    referring: (name) => referring.all(name).flatMap((row) => recordedOf(row) ?? []),
    referringTo: (tableIds) => referringTo.all(JSON.stringify(tableIds)).map(Number),
    waitingFor: (tableIds) => waiting.all(JSON.stringify(tableIds)).flatMap((row) => recordedOf(row) ?? []),
    latest: (filter) => latest(db, filter),
    retire: (filter) => {
      retire(db, filter);
    },
    ofTable: (tbl) => table.all(BigInt(tbl)).flatMap((row) => recordedOf(row) ?? []),
    dropsOf: (tbl) => drops.all(BigInt(tbl)).flatMap((row) => recordedOf(row) ?? []),
    redefinitions: () => redefinitions.all().flatMap((row) => recordedOf(row) ?? []),
    assign: (n, tbl) => void assign.run(BigInt(tbl), BigInt(n)),
    execute: (n, reason) => void execute.run(reason, BigInt(n)),
    retireOne: (n) => void setForce.run(0n, BigInt(n)),
    restoreOne: (n) => void setForce.run(1n, BigInt(n)),
  };
}

function createRecorder(
  db: StoreDatabase,
  deps: { readonly log: LogWriter; readonly sites: SiteRegistry },
): MigrationRecords['record'] {
  const { log, sites } = deps;
  const insert = db.prepare<unknown[]>(
    `insert into _concord_migration (id, type, kind, object, element, tbl, hlc, site, version, ddl, body, verdict, reason, admitted_ms, via, in_force)
     values (@id, @type, @kind, @object, @element, @tbl, @hlc, @site, @version, @ddl, @body, @verdict, @reason, @admitted, @via, @inForce)`,
  );
  return (entry) => {
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
  };
}

function retire(db: StoreDatabase, filter: Parameters<MigrationRecords['retire']>[0]): void {
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

function recordedOf(row: unknown): RecordedMigration | null {
  if (row === undefined) return null;
  // Written by `record` alone.
  const { n, body, verdict, tbl, via, in_force } = row as MigrationRow;
  return {
    n: Number(n),
    migration: migrationFromJson(body),
    verdict,
    tbl: tbl === null ? null : Number(tbl),
    via: via === null ? null : Number(via),
    inForce: in_force === 1n,
  };
}
