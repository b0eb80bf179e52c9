import { stat } from 'node:fs/promises';

/** Bytes of the write-ahead log beside a database; null when there is none. */
export async function readWalBytes(path: string): Promise<number | null> {
  try {
    return (await stat(`${path}-wal`)).size;
  } catch {
    return null;
  }
}
