import { err, ok } from '#shared/result.ts';
import type { Result } from '#shared/result.ts';

import { quoteIdentifier } from '../sql/quote-identifier.ts';
import { readLease } from './lease.ts';
import type { HeldByHost } from './lease.ts';
import { openDatabase } from './open-database.ts';
import { sqliteToOpenError } from './open-error.ts';
import type { OpenError } from './open-error.ts';
import { readMeta } from './replica-meta.ts';
import type { StoreDatabase } from './store-database.ts';

export interface DetachOptions {
  readonly path: string;
  /** The host that asks: its own lease is no hindrance. */
  readonly host: string;
  readonly nowMs: number;
}

export interface DetachReport {
  readonly journalMode: string;
}

/**
 * Takes every trace of Concord out of a replica's file: triggers and bookkeeping; and puts the journal
 * mode back. What remains is the application's database with the rows it has now.
 *
 * Errors: those of `OpenError`, and `held-by-host` while another host has it open; the file is then as it was.
 */
export function detachFile(options: DetachOptions): Result<DetachReport, OpenError | HeldByHost> {
  const opened = openDatabase({ path: options.path });
  if (!opened.ok) return opened;
  const db = opened.value;
  try {
    const holder = readLease(db);
    if (holder !== null && holder.host !== options.host && holder.untilMs > options.nowMs) return err(holder);
    return ok(detach(db));
  } catch (cause) {
    return err(sqliteToOpenError(cause, db.path));
  } finally {
    db.close();
  }
}

const JOURNAL_MODES = ['delete', 'truncate', 'persist', 'memory', 'wal', 'off'] as const;

function detach(db: StoreDatabase): DetachReport {
  const before = readMeta(db, 'journalModeBefore');
  db.transaction(() => {
    removeObjects(db, 'trigger');
    // Takes their rows in sqlite_stat1 along.
    removeObjects(db, 'table');
  });
  const mode = JOURNAL_MODES.find((known) => known === before) ?? 'delete';
  return { journalMode: String(db.raw.pragma(`journal_mode = ${mode}`, { simple: true })) };
}

function removeObjects(db: StoreDatabase, type: 'trigger' | 'table'): void {
  const names = db
    .preparePluck<[string], string>(
      `select name from sqlite_schema where type = ? and name like '\\_concord\\_%' escape '\\' order by rowid desc`,
    )
    .all(type);
  for (const name of names) db.exec(`drop ${type} ${quoteIdentifier(name)}`);
}
