import { stat } from 'node:fs/promises';

/** Something that differs whenever the database was written to: sizes and times of the file and of its WAL. Null when there is no such file. */
export async function readFileSignature(path: string): Promise<string | null> {
  const file = await readOne(path);
  return file === null ? null : `${file} ${(await readOne(`${path}-wal`)) ?? ''}`;
}

async function readOne(path: string): Promise<string | null> {
  try {
    const { size, mtimeMs, ino } = await stat(path);
    return `${ino}:${size}:${mtimeMs}`;
  } catch {
    return null;
  }
}
