import Database, { type Database as Connection } from 'better-sqlite3';

import type { SqlValue } from '#shared/model/sql-value.ts';
import { err, ok, type Result } from '#shared/result.ts';
import { foldIdentifier } from '../sql/fold-identifier.ts';
import { quoteIdentifier } from '../sql/quote-identifier.ts';
import { scanTokens } from '../sql/scan-tokens.ts';
import { isSignificant, type Token } from '../sql/token.ts';
import { unquoteIdentifier } from '../sql/unquote-identifier.ts';

// Connections as any other program would make them: no capture set-up, no user functions, SQLite's own defaults.
// For scenarios and for the data behind the example fleet; a replica of a host is never read this way.

const BUSY_TIMEOUT_MS = 5_000;
const NO_BOOKKEEPING = (column: string): string => `${column} not like '\\_concord\\_%' escape '\\'`;
const SCHEMA_VIEW = `create temp view schema_without_bookkeeping as
  select type, name, tbl_name, rootpage, sql from main.sqlite_schema
  where ${NO_BOOKKEEPING('name')} and ${NO_BOOKKEEPING('tbl_name')}`;
const TABLE_LIST_VIEW = `create temp view table_list_without_bookkeeping as
  select * from pragma_table_list where schema = 'main' and ${NO_BOOKKEEPING('name')}`;
const VIEW_BY_CATALOG: ReadonlyMap<string, string> = new Map([
  ['sqlite_master', 'schema_without_bookkeeping'],
  ['sqlite_schema', 'schema_without_bookkeeping'],
  ['pragma_table_list', 'table_list_without_bookkeeping'],
]);

export interface PlainSqlError {
  readonly code: 'sqlite';
  readonly message: string;
}

/**
 * Runs statements on a connection of its own, as the `sqlite3` shell would.
 *
 * `nowMs` is what the capture triggers take for the wall time; null leaves them SQLite's own clock.
 * Errors: `sqlite` with SQLite's message; what an open transaction had done is rolled back.
 */
export function runPlainSql(
  path: string,
  sql: string,
  nowMs: number | null,
): Result<undefined, PlainSqlError> {
  return onConnection(path, { mustExist: true }, (db) => {
    if (nowMs !== null) setTriggerTime(db, nowMs);
    db.exec(sql);
    return undefined;
  });
}

/** Makes a plain database of these statements. */
export function makePlainDatabase(path: string, sql: string): Result<undefined, PlainSqlError> {
  return onConnection(path, { mustExist: false }, (db) => {
    db.exec(sql);
    return undefined;
  });
}

/** What a query gives. Integers are bigint. The catalog tables of SQLite show no bookkeeping. */
export function queryPlain(
  path: string,
  sql: string,
): Result<readonly (readonly SqlValue[])[], PlainSqlError> {
  return onConnection(path, { mustExist: true }, (db) => {
    db.exec(`${SCHEMA_VIEW}; ${TABLE_LIST_VIEW}`);
    db.pragma('query_only = on');
    const statement = db.prepare(withoutBookkeeping(sql));
    if (!statement.reader) {
      statement.run();
      return [];
    }
    // better-sqlite3 gives exactly these kinds of values under safeIntegers.
    return statement.safeIntegers(true).raw(true).all() as SqlValue[][];
  });
}

/**
 * All rows of a table for comparison, in an order of their own: per column its storage class and its exact value,
 * text as bytes. Rows with NULL in their key are left out: they stay where they are.
 */
export function readTableExactly(
  path: string,
  table: string,
  { columns, key }: { readonly columns: readonly string[]; readonly key: readonly string[] },
): Result<readonly (readonly SqlValue[])[], PlainSqlError> {
  const names = columns.map(quoteIdentifier);
  const values = names.map(
    (name) => `typeof(${name}), case typeof(${name}) when 'text' then cast(${name} as blob) else ${name} end`,
  );
  const order = names.map((name) => `${name} collate binary`);
  const isKeyed = ['1', ...key.map((name) => `${quoteIdentifier(name)} is not null`)];
  return queryPlain(
    path,
    `select ${values.join(', ')} from ${quoteIdentifier(table)} where ${isKeyed.join(' and ')} order by ${order.join(', ')}`,
  );
}

/**
 * What `PRAGMA integrity_check` complains of; empty when all is well. A row that a merge has made break its CHECK is no
 * damage: a finding tells of it.
 */
export function checkIntegrity(path: string): Result<readonly string[], PlainSqlError> {
  return onConnection(path, { mustExist: true }, (db) => {
    db.pragma('ignore_check_constraints = on');
    const lines = db.prepare('pragma integrity_check').pluck().all().map(String);
    return lines.filter((line) => line !== 'ok');
  });
}

/** Copies a database as it is, page by page, what waits in its WAL included. A host may have it open. */
export async function copyDatabase(from: string, to: string): Promise<void> {
  const db = new Database(from, { fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
  try {
    await db.backup(to);
  } finally {
    db.close();
  }
}

function onConnection<T>(
  path: string,
  options: { readonly mustExist: boolean },
  work: (db: Connection) => T,
): Result<T, PlainSqlError> {
  try {
    const db = new Database(path, { fileMustExist: options.mustExist, timeout: BUSY_TIMEOUT_MS });
    try {
      // The build turns foreign keys on; SQLite's own default, and so other programs', is off.
      db.pragma('foreign_keys = off');
      return ok(work(db));
    } finally {
      db.close();
    }
  } catch (cause) {
    if (cause instanceof Database.SqliteError) return err({ code: 'sqlite', message: cause.message });
    throw cause;
  }
}

function setTriggerTime(db: Connection, nowMs: number): void {
  const hasBookkeeping = db.prepare(`select 1 from sqlite_schema where name = '_concord_state'`).get();
  if (hasBookkeeping !== undefined) db.prepare('update _concord_state set now_ms = ?').run(BigInt(nowMs));
}

/** The same query with SQLite's catalog tables replaced by views that leave the bookkeeping out. */
function withoutBookkeeping(sql: string): string {
  const tokens = scanTokens(sql);
  const gone = schemaPrefixes(tokens.filter(isSignificant));
  return tokens.map((token) => (gone.has(token) ? '' : (viewOf(token) ?? token.text))).join('');
}

/** Each `main.` in front of a catalog table: the views are in `temp`, so it has to go. */
function schemaPrefixes(tokens: readonly Token[]): ReadonlySet<Token> {
  return new Set(
    tokens.flatMap((token, index) => {
      const [dot, name] = tokens.slice(index + 1, index + 3);
      const isPrefix = foldIdentifier(unquoteIdentifier(token.text)) === 'main' && dot?.text === '.';
      return isPrefix && viewOf(name) !== undefined ? [token, dot] : [];
    }),
  );
}

function viewOf(token: Token | undefined): string | undefined {
  if (token?.kind !== 'word' && token?.kind !== 'quotedIdentifier') return undefined;
  return VIEW_BY_CATALOG.get(foldIdentifier(unquoteIdentifier(token.text)));
}
