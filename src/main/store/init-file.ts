import { rmSync } from 'node:fs';

import type { Epoch, SiteId } from '#shared/model/ids.ts';
import { ok } from '#shared/result.ts';
import type { Result } from '#shared/result.ts';

import type { Ports } from '../engine/ports.ts';
import { createMetadata } from './create-metadata.ts';
import { openDatabase } from './open-database.ts';
import type { OpenError } from './open-error.ts';
import type { StoreDatabase } from './store-database.ts';

export interface InitOptions {
  readonly path: string;
  readonly ports: Pick<Ports, 'clock' | 'random'>;
  /** Drawn when not given. */
  readonly site?: SiteId | undefined;
  readonly epoch?: Epoch | undefined;
}

/**
 * Makes a new replica where nothing is, or only an empty file, and hands back its open connection.
 *
 * Errors: those of `OpenError`; then nothing is there that was not before.
 */
export function initFile(options: InitOptions): Result<StoreDatabase, OpenError> {
  const opened = openDatabase({ path: options.path, expect: 'nothing' });
  if (!opened.ok) return opened;
  const db = opened.value;
  try {
    // Readers and the writer do not wait for each other, and a commit costs one flush.
    db.raw.pragma('journal_mode = wal');
    db.transaction(() => {
      createMetadata(db, { ...options, journalModeBefore: null });
    });
  } catch (cause) {
    db.close();
    for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(db.path + suffix, { force: true });
    throw cause;
  }
  return ok(db);
}
