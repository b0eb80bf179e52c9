import { formatStamp } from '#shared/model/hlc.ts';
import type { MigrationView } from '#shared/model/views.ts';
import type { MigrationType, Verdict } from '#shared/model/vocabulary.ts';

import { verdictSentence } from '../engine/migration/verdict-sentence.ts';
import { migrationFromJson } from './migration-json.ts';
import type { SiteRegistry } from './site-registry.ts';
import type { StoreDatabase } from './store-database.ts';

export interface HistoryFilter {
  /** Entries with a lower number than this. */
  readonly before?: number;
  readonly limit: number;
  /** All of one object under this name or, of a table, under those it had before. */
  readonly object?: string;
  readonly verdict?: Verdict;
  readonly type?: MigrationType;
}

/** An entry of the history with the word that its reason was recorded as. */
export interface HistoryEntry {
  readonly view: MigrationView;
  readonly code: string;
}

interface ListedRow {
  readonly n: bigint;
  readonly body: string;
  readonly verdict: Verdict;
  readonly reason: string;
  readonly admitted_ms: bigint;
  readonly via: bigint | null;
  readonly in_force: bigint;
}

const COLUMNS = 'n, body, verdict, reason, admitted_ms, via, in_force';

/** The history, the newest first. */
export function listMigrations(
  db: StoreDatabase,
  sites: SiteRegistry,
  filter: HistoryFilter,
): readonly MigrationView[] {
  return db
    .prepare<unknown[], ListedRow>(
      `select ${COLUMNS} from _concord_migration
       where n < @before and (@verdict is null or verdict = @verdict) and (@type is null or type = @type)
         and (@object is null or object = @object collate nocase
              or tbl in (select tbl from _concord_table where name = @object collate nocase))
       order by n desc limit @limit`,
    )
    .all({
      before: BigInt(filter.before ?? Number.MAX_SAFE_INTEGER),
      limit: BigInt(filter.limit),
      object: filter.object ?? null,
      verdict: filter.verdict ?? null,
      type: filter.type ?? null,
    })
    .map((row) => entryOf(db, sites, row).view);
}

/** What was recorded after a number, in that order. */
export function migrationsAfter(
  db: StoreDatabase,
  sites: SiteRegistry,
  page: { readonly after: number; readonly limit: number },
): readonly HistoryEntry[] {
  return db
    .prepare<[bigint, bigint], ListedRow>(
      `select ${COLUMNS} from _concord_migration where n > ? order by n limit ?`,
    )
    .all(BigInt(page.after), BigInt(page.limit))
    .map((row) => entryOf(db, sites, row));
}

/** Number of the newest entry; 0 when there is none. */
export const lastMigration = (db: StoreDatabase): number =>
  Number(db.preparePluck<[]>('select coalesce(max(n), 0) from _concord_migration').get());

function entryOf(db: StoreDatabase, sites: SiteRegistry, row: ListedRow): HistoryEntry {
  const migration = migrationFromJson(row.body);
  const { id, type, kind, object, element, stamp, version, ddl } = migration;
  const by = readBy(db, row.reason);
  return {
    code: row.reason,
    view: {
      seq: Number(row.n),
      id,
      type,
      kind,
      object,
      element,
      hlc: formatStamp(stamp),
      origin: stamp.site,
      version,
      ddl,
      verdict: row.verdict,
      reason: verdictSentence({ migration, verdict: row.verdict, code: row.reason, by }),
      by,
      inForce: row.in_force === 1n,
      admittedAtMs: Number(row.admitted_ms),
      from: row.via === null ? null : sites.siteOf(Number(row.via)),
    },
  };
}

const BY = /^by (\S+)$/;

/** The migration that a reason names. */
function readBy(db: StoreDatabase, code: string): MigrationView['by'] {
  const id = BY.exec(code)?.[1];
  if (id === undefined) return null;
  const body = db.preparePluck<[string], string>('select body from _concord_migration where id = ?').get(id);
  if (body === undefined) return null;
  const { type, object, element, stamp, ...migration } = migrationFromJson(body);
  return { id: migration.id, type, object, element, origin: stamp.site, hlc: formatStamp(stamp) };
}
