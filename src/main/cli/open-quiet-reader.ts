import { existsSync } from 'node:fs';

import { ok, type Result } from '#shared/result.ts';
import type { OpenError } from '../store/open-error.ts';
import { runPlainSql } from '../store/plain-connection.ts';
import { openReader, type ReplicaReader } from '../worker/open-reader.ts';
import type { CommandContext } from './command-context.ts';

/** Opens a replica for reading so that, once it is closed, nothing lies beside the file that did not before. */
export function openQuietReader(context: CommandContext, path: string): Result<ReplicaReader, OpenError> {
  const wal = `${path}-wal`;
  const hadWal = existsSync(wal);
  const opened = openReader(path, context.ports);
  if (!opened.ok) {
    tidy();
    return opened;
  }
  const close = (): void => {
    opened.value.close();
    tidy();
  };
  return ok({ ...opened.value, close });

  // A connection that may only read leaves its empty journal behind; the last one that may write takes it away.
  function tidy(): void {
    if (!hadWal && existsSync(wal)) runPlainSql(path, 'select 1 from sqlite_schema limit 1', null);
  }
}
