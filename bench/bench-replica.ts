import { rmSync } from 'node:fs';
import { join } from 'node:path';

import Database from 'better-sqlite3';

import { secureRandom } from '#main/platform/secure-random.ts';
import { systemClock } from '#main/platform/system-clock.ts';
import { attachFile } from '#main/store/attach-file.ts';
import { foldLog } from '#main/store/log-fold.ts';
import { noticeLog } from '#main/store/log-notice.ts';
import type { StoreDatabase } from '#main/store/store-database.ts';
import { createTableRegistry } from '#main/store/table-registry.ts';
import type { TableRegistry } from '#main/store/table-registry.ts';

/** A database file of one repetition. */
export interface BenchFile {
  readonly path: string;
  readonly raw: Database.Database;
  readonly close: () => void;
}

/** An attached one, with Concord's own connection to it. */
export interface BenchReplica extends BenchFile {
  readonly db: StoreDatabase;
  readonly registry: TableRegistry;
  /** Runs as `exec` does: a group of its own, closed before the commit. */
  readonly transact: (work: () => void) => void;
  readonly notice: () => void;
  readonly fold: () => void;
}

/** The pragmas that both sides of a comparison run with. */
const PRAGMAS = [
  'journal_mode = wal',
  'synchronous = normal',
  'cache_size = -32768',
  'journal_size_limit = 67108864',
];

/** A plain database with these statements run. */
export function openPlain(folder: string, name: string, sql: string): BenchFile {
  const path = join(folder, `${name}.db`);
  const raw = new Database(path);
  for (const pragma of PRAGMAS) raw.pragma(pragma);
  raw.exec(sql);
  return {
    path,
    raw,
    close: () => {
      raw.close();
      removeFile(path);
    },
  };
}

/** The same, attached. */
export function openAttached(folder: string, name: string, sql: string): BenchReplica {
  const plain = openPlain(folder, name, sql);
  plain.raw.close();
  const ports = { clock: systemClock, random: secureRandom };
  const attached = attachFile({ path: plain.path, ports });
  if (!attached.ok) throw new Error(attached.error.message);
  const { db } = attached.value;
  for (const pragma of PRAGMAS) db.raw.pragma(pragma);
  const registry = createTableRegistry(db);
  const noticeNow = (): void => {
    noticeLog(db, { registry, nowMs: systemClock.nowMs(), clockLast: 0n });
  };
  return {
    path: plain.path,
    raw: db.raw,
    db,
    registry,
    transact: (work) => {
      db.transaction(() => {
        noticeNow();
        work();
        noticeNow();
      });
    },
    notice: () => {
      db.transaction(noticeNow);
    },
    fold: () => {
      db.transaction(() => {
        noticeNow();
        foldLog(db, registry);
      });
    },
    close: () => {
      db.close();
      removeFile(plain.path);
    },
  };
}

function removeFile(path: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
}
