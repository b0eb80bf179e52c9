import { resolve } from 'node:path';

import Database from 'better-sqlite3';

import { err, ok } from '#shared/result.ts';
import type { Result } from '#shared/result.ts';

import { inspectFile } from './inspect-file.ts';
import type { FileExpectation } from './inspect-file.ts';
import { checkNodeApi } from './node-api.ts';
import { sqliteToOpenError } from './open-error.ts';
import type { OpenError } from './open-error.ts';
import { registerSqlFunctions } from './sql-functions.ts';
import { createStoreDatabase } from './store-database.ts';
import type { StoreDatabase } from './store-database.ts';

export interface OpenOptions {
  readonly path: string;
  /** What must be there: a replica, unless said otherwise. */
  readonly expect?: FileExpectation;
  readonly readOnly?: boolean;
  /** How long a statement waits for another program's lock; milliseconds. */
  readonly busyTimeoutMs?: number;
}

const BUSY_TIMEOUT_MS = 5_000;

/**
 * Opens a file, after a look that leaves no trace, and sets the pragmas every connection of Concord has.
 * The journal mode stays as the file has it.
 *
 * Errors: those of `OpenError`; the file is then byte for byte as it was, and nothing new lies beside it (FILE-002).
 */
export function openDatabase(options: OpenOptions): Result<StoreDatabase, OpenError> {
  const runtime = checkNodeApi();
  if (!runtime.ok) return runtime;
  const path = resolve(options.path);
  const readOnly = options.readOnly ?? false;
  const expect = options.expect ?? 'replica';
  const busyTimeoutMs = options.busyTimeoutMs ?? BUSY_TIMEOUT_MS;
  const inspected = inspectFile(path, { expect, readOnly, busyTimeoutMs });
  if (!inspected.ok) return inspected;

  let raw: Database.Database | null = null;
  try {
    raw = new Database(path, {
      readonly: readOnly,
      fileMustExist: expect !== 'nothing',
      timeout: busyTimeoutMs,
    });
    setPragmas(raw);
    registerSqlFunctions(raw);
    // Opening alone touches no file: the first read tells whether another program has it locked.
    raw.prepare('select count(*) from sqlite_schema').get();
    return ok(createStoreDatabase(raw, path));
  } catch (cause) {
    raw?.close();
    return err(sqliteToOpenError(cause, path));
  }
}

function setPragmas(raw: Database.Database): void {
  // Local writes obey the application's own foreign keys, as the application expects of a database.
  raw.pragma('foreign_keys = on');
  // Off, REPLACE deletes rows without firing the delete triggers that capture them.
  raw.pragma('recursive_triggers = on');
  // What was served to a peer must survive a power cut, so a commit is on the disk before anybody hears of it.
  raw.pragma('synchronous = full');
  // Views and triggers of a file that came from elsewhere may not call functions with side effects.
  raw.pragma('trusted_schema = off');
  // 32 MiB: a page of admission touches indexes all over a large table. Grows only with use.
  raw.pragma('cache_size = -32768');
  // The journal of a statement with triggers spills at 64 KiB; to a file that costs an admission a third of its time.
  raw.pragma('temp_store = memory');
  // A write-ahead log that grew under a bulk load shrinks again.
  raw.pragma('journal_size_limit = 67108864');
}
