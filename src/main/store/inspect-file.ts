import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

import Database from 'better-sqlite3';

import { err, ok } from '#shared/result.ts';
import type { Result } from '#shared/result.ts';

import { missingBookkeeping } from './bookkeeping-shape.ts';
import { METADATA_FORMAT } from './metadata-schema.ts';
import { openError, otherFormatError, sqliteToOpenError } from './open-error.ts';
import type { OpenError } from './open-error.ts';

/** What a file must be: a replica, a database that is none yet, or nothing (absent, or without a byte). */
export type FileExpectation = 'replica' | 'database' | 'nothing';

/**
 * Looks at a file without leaving a trace: no journal, no shared memory, no byte changed.
 *
 * SQLite alone opens it (FILE-003). Closing a descriptor of our own would drop every lock that this process has on the file, also
 * those of a replica that is open in another thread: the next program to close it would then take itself for the last
 * one and delete the WAL under our feet, with what was committed since.
 * Source: https://www.sqlite.org/howtocorrupt.html, section 2.2.
 *
 * Errors: every code of `OpenError` but `locked`, which only shows when the file is really opened
 * (or, where a WAL lies beside the file, here too).
 */
export function inspectFile(
  path: string,
  options: { readonly expect: FileExpectation; readonly readOnly: boolean; readonly busyTimeoutMs: number },
): Result<undefined, OpenError> {
  const size = readSize(path);
  if (!size.ok) return size;
  if (options.expect === 'nothing') return inspectPlace(path, size.value);
  if (size.value === null) return err(openError('file-not-found', path));
  if (size.value === 0) return err(openError('empty-file', path));
  const rights = checkRights(path, options.readOnly);
  if (!rights.ok) return rights;
  return inspectContent(path, { ...options, sizeBytes: size.value });
}

/** Size in bytes; null when there is no such file. */
function readSize(path: string): Result<number | null, OpenError> {
  try {
    const stats = statSync(path);
    return stats.isFile() ? ok(stats.size) : err(openError('not-a-database', path));
  } catch (cause) {
    const code = nodeCode(cause);
    if (code === 'ENOENT' || code === 'ENOTDIR') return ok(null);
    if (code === 'EACCES' || code === 'EPERM') return err(openError('no-rights', path, cause));
    throw cause;
  }
}

/** The place of a new file: nothing may be there, and its folder must be writable. */
function inspectPlace(path: string, size: number | null): Result<undefined, OpenError> {
  if (size !== null && size > 0) return err(openError('file-exists', path));
  if (!existsSync(dirname(path))) return err(openError('file-not-found', dirname(path)));
  return checkRights(size === null ? dirname(path) : path, false);
}

function checkRights(path: string, readOnly: boolean): Result<undefined, OpenError> {
  try {
    accessSync(path, readOnly ? constants.R_OK : constants.R_OK | constants.W_OK);
    // SQLite keeps its journal beside the file.
    if (!readOnly) accessSync(dirname(path), constants.W_OK);
    return ok();
  } catch (cause) {
    return err(openError('no-rights', path, cause));
  }
}

interface ContentOptions {
  readonly sizeBytes: number;
  readonly expect: FileExpectation;
  readonly readOnly: boolean;
  readonly busyTimeoutMs: number;
}

function inspectContent(path: string, options: ContentOptions): Result<undefined, OpenError> {
  let db: Database.Database | null = null;
  try {
    db = openForInspection(path, options);
    return inspectDatabase(db, path, options);
  } catch (cause) {
    return err(sqliteToOpenError(cause, path));
  } finally {
    db?.close();
  }
}

function inspectDatabase(
  db: Database.Database,
  path: string,
  options: ContentOptions,
): Result<undefined, OpenError> {
  if (isCutShort(db, path, options.sizeBytes)) return err(openError('damaged-file', path));
  if (db.pragma('encoding', { simple: true }) !== 'UTF-8')
    return err(openError('unsupported-encoding', path));
  const bookkeeping = inspectBookkeeping(db, path, options.expect);
  if (!bookkeeping.ok) return bookkeeping;
  touchRoots(db);
  return ok();
}

function inspectBookkeeping(
  db: Database.Database,
  path: string,
  expect: FileExpectation,
): Result<undefined, OpenError> {
  const found = readFormat(db);
  if (found === null) return expect === 'replica' ? err(openError('not-a-replica', path)) : ok();
  if (found !== METADATA_FORMAT) return err(otherFormatError(path, found));
  if (expect === 'database') return err(openError('already-a-replica', path));
  // No version writes half of it: a table or column was lost.
  return missingBookkeeping(db).length > 0 ? err(openError('damaged-file', path)) : ok();
}

/**
 * Read-only where a WAL lies beside the file: closing the last connection that may write would carry it into the file.
 * Else with the right to write, though nothing is: such a connection takes away again what a WAL database makes it put
 * beside the file, under SQLite's own locks. And what a crash left in a rollback journal has to be undone before
 * anybody can read, which every program's opening does.
 */
function openForInspection(path: string, options: ContentOptions): Database.Database {
  const isReadOnly = options.readOnly || existsSync(`${path}-wal`);
  return new Database(path, { readonly: isReadOnly, fileMustExist: true, timeout: options.busyTimeoutMs });
}

/** Fewer bytes than the pages that the file says it has, and no journal that could hold the rest. */
function isCutShort(db: Database.Database, path: string, sizeBytes: number): boolean {
  const pages = Number(db.pragma('page_count', { simple: true }));
  const pageBytes = Number(db.pragma('page_size', { simple: true }));
  return sizeBytes < pages * pageBytes && !existsSync(`${path}-wal`) && !existsSync(`${path}-journal`);
}

/** Format of the bookkeeping; null of a file without any, 0 of bookkeeping that does not say. */
function readFormat(db: Database.Database): number | null {
  const names = db
    .prepare<[], string>(
      `select name from sqlite_schema where type = 'table' and name like '\\_concord\\_%' escape '\\'`,
    )
    .pluck()
    .all();
  if (names.length === 0) return null;
  if (!names.includes('_concord_meta')) return 0;
  const format = db.prepare(`select value from _concord_meta where key = 'format'`).pluck().get();
  return typeof format === 'number' ? format : 0;
}

/** How many tables are looked into: opening a file of thousands must not take twice as long for it. */
const TOUCHED_TABLES_MAX = 500;

/** Reads the first page of each table, where damage shows soonest. */
function touchRoots(db: Database.Database): void {
  const names = db
    .prepare<[], string>(
      `select name from sqlite_schema where type = 'table' and rootpage > 0 and sql is not null order by rowid
       limit ${TOUCHED_TABLES_MAX}`,
    )
    .pluck()
    .all();
  for (const name of names) db.prepare(`select 1 from "${name.replaceAll('"', '""')}" limit 1`).get();
}

function nodeCode(cause: unknown): string {
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
}
