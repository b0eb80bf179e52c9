import { err, ok } from '#shared/result.ts';
import type { Result } from '#shared/result.ts';
import { ColumnId, TableId } from '#shared/model/ids.ts';
import type { SiteId } from '#shared/model/ids.ts';

import { advanceHlc } from '../engine/clock/advance-hlc.ts';
import type { Ports } from '../engine/ports.ts';
import { canonicalTable } from '../sql/canonical-table.ts';
import { isBookkeepingName } from '../sql/is-bookkeeping-name.ts';
import { isInternalName } from '../sql/is-internal-name.ts';
import { parseDdl } from '../sql/parse-ddl.ts';
import { installAllCapture } from './capture-all.ts';
import { createMetadata } from './create-metadata.ts';
import { findKeyGaps } from './key-gaps.ts';
import { appendBaseline } from './log-baseline.ts';
import { foldLog } from './log-fold.ts';
import { noticeLog } from './log-notice.ts';
import { openDatabase } from './open-database.ts';
import { openError, sqliteCode, sqliteToOpenError } from './open-error.ts';
import type { OpenError } from './open-error.ts';
import { drawId } from './replica-meta.ts';
import type { StoreDatabase } from './store-database.ts';
import { createTableRegistry } from './table-registry.ts';
import type { TableRegistry, TrackedTable } from './table-registry.ts';
import { trackTable } from './track-table.ts';

export interface AttachOptions {
  readonly path: string;
  readonly ports: Pick<Ports, 'clock' | 'random'>;
  /** Leaves the journal mode as it is; else WAL is turned on. */
  readonly keepJournalMode?: boolean;
  /** Drawn when not given. */
  readonly site?: SiteId | undefined;
  /** Runs inside the attaching transaction once the tables are tracked: for the catalog's own records. */
  readonly recordCatalog?: (db: StoreDatabase, registry: TableRegistry) => void;
}

export interface AttachedFile {
  readonly db: StoreDatabase;
  readonly tables: readonly TrackedTable[];
  readonly journalModeBefore: string;
  readonly journalModeChanged: boolean;
}

/** Files up to this size are checked page by page before they are taken on: a second or so. */
const THOROUGH_CHECK_BYTES_MAX = 64 * 1024 * 1024;

/**
 * Makes an application's database a replica: begins to keep track of each of its tables and installs their capture.
 * Rows that are there get one clock per table; nothing is written per row, so that any size attaches in seconds.
 *
 * Virtual, shadow and temporary tables, SQLite's own and Concord's are left out. Tables without a key are tracked and
 * listed as findings: their rows stay local.
 *
 * Errors: those of `OpenError`; the file is then byte for byte as it was.
 */
export function attachFile(options: AttachOptions): Result<AttachedFile, OpenError> {
  const opened = openDatabase({ path: options.path, expect: 'database' });
  if (!opened.ok) return opened;
  const db = opened.value;
  try {
    if (isDamaged(db)) {
      db.close();
      return err(openError('damaged-file', db.path));
    }
    return ok(attach(db, options));
  } catch (cause) {
    db.close();
    // Here an SQL error is a bug of ours: the schema was read before.
    if (sqliteCode(cause) === 'SQLITE_ERROR') throw cause;
    return err(sqliteToOpenError(cause, db.path));
  }
}

function attach(db: StoreDatabase, options: AttachOptions): AttachedFile {
  const before = String(db.raw.pragma('journal_mode', { simple: true }));
  const wanted = options.keepJournalMode === true ? before : 'wal';
  // Readers and the writer do not wait for each other, and other programs may go on reading while Concord writes.
  const now =
    wanted === before ? before : String(db.raw.pragma(`journal_mode = ${wanted}`, { simple: true }));
  try {
    const tables = db.transaction(() => takeOn(db, options, before));
    return { db, tables, journalModeBefore: before, journalModeChanged: now !== before };
  } catch (cause) {
    if (now !== before) db.raw.pragma(`journal_mode = ${before}`);
    throw cause;
  }
}

function takeOn(
  db: StoreDatabase,
  options: AttachOptions,
  journalModeBefore: string,
): readonly TrackedTable[] {
  const { ports } = options;
  const nowMs = ports.clock.nowMs();
  createMetadata(db, { ports, site: options.site, journalModeBefore });
  const registry = createTableRegistry(db);
  for (const { name, sql } of readUserTables(db)) {
    trackTable(db, {
      name,
      id: drawId(TableId, ports.random),
      columnId: () => drawId(ColumnId, ports.random),
      definition: canonicalDefinition(sql),
      created: null,
      addedSeq: 0,
    });
  }
  registry.invalidate();
  // Before the rows: whoever reads the log from its start meets a table before its rows.
  options.recordCatalog?.(db, registry);
  registry.invalidate();
  const baselineHlc = advanceHlc(0n, nowMs);
  for (const table of registry.all()) {
    appendBaseline(db, table, baselineHlc);
    findKeyGaps(db, table, nowMs);
  }
  installAllCapture(db, registry.all());
  noticeLog(db, { registry, nowMs, clockLast: 0n });
  foldLog(db, registry);
  registry.invalidate();
  return registry.all();
}

interface UserTable {
  readonly name: string;
  readonly sql: string;
}

/** Tables that replicate, in the order in which they were made. */
function readUserTables(db: StoreDatabase): readonly UserTable[] {
  return db
    .prepare<[], UserTable>(
      `select s.name, s.sql from sqlite_schema as s join pragma_table_list as l on l.name = s.name
       where s.type = 'table' and l.schema = 'main' and l.type = 'table' order by s.rowid`,
    )
    .all()
    .filter(({ name }) => !isInternalName(name) && !isBookkeepingName(name));
}

function canonicalDefinition(sql: string): string {
  const parsed = parseDdl(sql);
  return parsed.ok && parsed.value.kind === 'createTable' ? canonicalTable(parsed.value.table) : sql;
}

function isDamaged(db: StoreDatabase): boolean {
  const bytes = db
    .preparePluck<[], bigint>(`select page_count * page_size from pragma_page_count, pragma_page_size`)
    .get();
  if (bytes === undefined || bytes > THOROUGH_CHECK_BYTES_MAX) return false;
  return db.preparePluck<[]>(`pragma quick_check(1)`).get() !== 'ok';
}
