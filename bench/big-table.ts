import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';

import Database from 'better-sqlite3';

import { workloadDdl } from './workload.ts';

/** How many times more rows the largest files have than the large workloads. */
export const BIG_FACTOR = 10;

/**
 * A closed database without Concord that holds this many rows of the workload with a text key; made once per folder.
 * Keys rise, so that ten million rows are made in a minute.
 */
export function makeBigTable(folder: string, rows: number): string {
  const path = join(folder, `big-${rows}.db`);
  if (existsSync(path)) return path;
  const unfinished = `${path}-unfinished`;
  const raw = new Database(unfinished);
  raw.pragma('journal_mode = off');
  raw.pragma('synchronous = off');
  raw.exec(workloadDdl.uuid);
  raw.exec(
    `with recursive n (i) as (values (1) union all select i + 1 from n where i < ${rows})
     insert into w (k, a, b, c, d, e, f, g)
     select printf('%08x-0000-4000-a000-%012x', i, i), 'abcdefghij', 'abcdefg', 'abcdefghijklmnopqrstuvwxyzabcdefghijklm',
       i % 1000, i * 77, i / 7.0, zeroblob(32) from n`,
  );
  raw.close();
  renameSync(unfinished, path);
  return path;
}
