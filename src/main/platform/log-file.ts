import { appendFileSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

const FILE_BYTES_MAX = 10 * 1024 * 1024;
/** The file in use and one before it. */
const FILES = { now: 'concord.log', before: 'concord.1.log' };

/**
 * Appends lines to `logs/concord.log` in the data folder; at 10 MiB the file becomes `concord.1.log`.
 *
 * A line that cannot be written is dropped: a full disk must not take the host down with it.
 */
export function openLogFile(dataDir: string): (line: string) => void {
  const folder = join(dataDir, 'logs');
  const path = join(folder, FILES.now);
  let bytes: number | null = null;

  return (line) => {
    try {
      bytes ??= prepare();
      if (bytes > FILE_BYTES_MAX) {
        rmSync(join(folder, FILES.before), { force: true });
        renameSync(path, join(folder, FILES.before));
        bytes = 0;
      }
      appendFileSync(path, line, { mode: 0o600 });
      bytes += Buffer.byteLength(line);
    } catch {
      bytes = null;
    }
  };

  function prepare(): number {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return sizeOf(path);
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
