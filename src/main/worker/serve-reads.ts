import type { Result } from '#shared/result.ts';
import type { OpenError } from '../store/open-error.ts';
import type { ReplicaReader } from './open-reader.ts';
import type { FromReader, ToReader } from './reader-messages.ts';
import type { WorkerLogLine } from './worker-messages.ts';

/** Files that stay open for the next read; the one that was read longest ago is closed first. */
const OPEN_MAX = 8;

/** Answers reads of any replica, one by one, each on a connection of its own that writes nothing. */
export function serveReads(
  openReader: (path: string) => Result<ReplicaReader, OpenError>,
): (request: ToReader) => Exclude<FromReader, WorkerLogLine> {
  const readerByPath = new Map<string, ReplicaReader>();

  return ({ id, path, method, args }) => {
    try {
      const reader = take(path);
      if (!reader.ok) return { kind: 'not-open', id, error: reader.error };
      // The client's call was typed by the same interface on the other thread.
      const read = reader.value[method] as (...given: readonly unknown[]) => unknown;
      return { kind: 'answer', id, value: read(...args) };
    } catch (bug) {
      drop(path);
      const { message, stack = '' } = bug instanceof Error ? bug : new Error(String(bug));
      return { kind: 'threw', id, message, stack };
    }
  };

  function take(path: string): Result<ReplicaReader, OpenError> {
    const known = readerByPath.get(path);
    if (known !== undefined) {
      readerByPath.delete(path);
      readerByPath.set(path, known);
      return { ok: true, value: known };
    }
    const opened = openReader(path);
    if (!opened.ok) return opened;
    readerByPath.set(path, opened.value);
    const [oldest] = readerByPath.keys();
    if (readerByPath.size > OPEN_MAX && oldest !== undefined) drop(oldest);
    return opened;
  }

  function drop(path: string): void {
    readerByPath.get(path)?.close();
    readerByPath.delete(path);
  }
}
