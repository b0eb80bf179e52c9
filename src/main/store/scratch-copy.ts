import { mkdtempSync, rmSync, statfsSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { err, type Result } from '#shared/result.ts';

import { openDatabase } from './open-database.ts';
import type { StoreDatabase } from './store-database.ts';

export type ScratchError =
  | { readonly code: 'no-room'; readonly message: string }
  | { readonly code: 'copy-failed'; readonly message: string };

/** A copy, and what is rewritten in it beside it, in a log that is never folded in. */
const COPIES_MAX = 3;

/**
 * Lets work have a copy of a replica, in a folder of its own that is gone afterwards. The replica itself is only read,
 * and by VACUUM INTO, which keeps rowids: what the bookkeeping says of rows holds for the copy.
 *
 * The copy has nobody's lease, writes to a log that shows how much was written, and waits for no disk.
 * Errors: `no-room` for three times its size; `copy-failed` with SQLite's reason.
 */
export function onScratchCopy<T, E extends { readonly code: string }>(
  db: StoreDatabase,
  work: (copy: StoreDatabase) => Result<T, E>,
): Result<T, E | ScratchError> {
  const needed = COPIES_MAX * statSync(db.path).size;
  const space = statfsSync(tmpdir());
  if (space.bavail * space.bsize < needed) {
    const message = `A scratch copy of ${db.path} has no room in ${tmpdir()}: it needs ${needed.toLocaleString('en-US')} bytes there.`;
    return err({ code: 'no-room', message });
  }
  const folder = mkdtempSync(join(tmpdir(), 'concord-rehearsal-'));
  try {
    const path = join(folder, 'scratch.db');
    db.prepare<[string]>('vacuum into ?').run(path);
    const opened = openDatabase({ path });
    if (!opened.ok) {
      const { message } = opened.error;
      return err({ code: 'copy-failed', message: `The scratch copy cannot be opened: ${message}` });
    }
    const copy = opened.value;
    try {
      copy.raw.pragma('journal_mode = wal');
      copy.raw.pragma('wal_autocheckpoint = 0');
      copy.raw.pragma('synchronous = off');
      copy.exec('delete from _concord_lease');
      return work(copy);
    } finally {
      if (copy.raw.open) copy.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
