import { copyFileSync, rmSync } from 'node:fs';

import Database from 'better-sqlite3';

import type { Page } from '#shared/model/change-group.ts';
import { openReplica } from '#main/replica/open-replica.ts';
import { openReplicaWith } from './bench-pair.ts';
import type { Bench, BenchOptions, BenchResult } from './bench.ts';
import { copyFile, openOptions } from './big-catalog.ts';
import { compareCpu, measure } from './measure.ts';
import type { Contender } from './measure.ts';
import { admitAll, openSource, readPages, ROWS_PER_TRANSACTION, type PageSource } from './page-source.ts';
import { workloadDdl, workloadRows, type KeyKind, type WorkloadRow } from './workload.ts';

const UPDATE_W = 'update w set d = ? where k = ?';

/** One cell of every row changed elsewhere, half of them changed later here, against UPDATE by key of all of them. */
export const admitCells: Bench = {
  names: ['admit.cells'],
  run: async (options): Promise<readonly BenchResult[]> => [
    await run(options, { kind: 'uuid', variant: 'UUID key, half of them winning', target: 1.5 }),
    await run(options, { kind: 'integer', variant: 'integer key, half of them winning', target: 1.5 }),
  ],
};

async function run(
  options: BenchOptions,
  line: { readonly kind: KeyKind; readonly variant: string; readonly target: number },
): Promise<BenchResult> {
  const rows = [...workloadRows(line.kind, options.rows)];
  const story = makeStory(options, line.kind, rows);
  try {
    const timings = await measure([plain(story), admitting(story)], options.rounds);
    return compareCpu(timings, { ...line, name: 'admit.cells', contender: 'admit', baseline: 'update' });
  } finally {
    for (const path of [story.plainPath, story.replicaPath]) rmSync(path, { force: true });
  }
}

/** Where both contenders begin, as closed files, and what comes. */
interface Story {
  /** The rows in a table without triggers. */
  readonly plainPath: string;
  /** The rows admitted, and every second one changed here since. */
  readonly replicaPath: string;
  readonly peer: PageSource['peer'];
  readonly pages: readonly Page[];
  readonly changes: readonly (readonly unknown[])[];
}

function makeStory(options: BenchOptions, kind: KeyKind, rows: readonly WorkloadRow[]): Story {
  const source = openSource(options, `cells-source-${kind}`, { kind, rows });
  const here = openReplicaWith(options.folder, `cells-here-${kind}`, '');
  const arrived = readPages(source.replica, here.replica, { facts: ROWS_PER_TRANSACTION });
  admitAll(here.replica, source.peer, arrived);
  const changes = rows.map(([key], at) => [BigInt(at + 7), key]);
  source.write(UPDATE_W, changes);
  const cursor = arrived.at(-1)?.cursor;
  if (cursor === undefined) throw new Error('The source served no page.');
  const pages = readPages(source.replica, here.replica, { facts: ROWS_PER_TRANSACTION, cursor });
  source.close();

  const plainPath = `${here.path}-plain.db`;
  const replicaPath = `${here.path}-replica.db`;
  const program = new Database(here.path);
  const update = program.prepare('update w set d = -1 where k = ?');
  program.transaction(() => {
    for (const [at, [key]] of rows.entries()) if (at % 2 === 0) update.run(key);
  })();
  program.close();
  here.replica.notice();
  // The lease must not be copied along.
  here.release();
  const copy = new Database(here.path);
  copy.pragma('wal_checkpoint(truncate)');
  copyFileSync(here.path, replicaPath);
  copy.exec(`attach '${plainPath}' as plain`);
  copy.exec(workloadDdl[kind].replace('table w', 'table plain.w'));
  copy.exec('insert into plain.w select * from main.w order by rowid');
  copy.close();
  here.close();
  return { plainPath, replicaPath, peer: source.peer, pages, changes };
}

function plain(story: Story): Contender {
  return {
    name: 'update',
    prepare: (name) => {
      const file = copyFile(story.plainPath, name);
      const raw = new Database(file.path);
      for (const pragma of ['journal_mode = wal', 'synchronous = full', 'cache_size = -32768'])
        raw.pragma(pragma);
      return {
        work: () => {
          const update = raw.prepare(UPDATE_W);
          for (let from = 0; from < story.changes.length; from += ROWS_PER_TRANSACTION) {
            raw.transaction(() => {
              for (const change of story.changes.slice(from, from + ROWS_PER_TRANSACTION))
                update.run(...change);
            })();
          }
        },
        finish: () => {
          raw.close();
          file.remove();
        },
      };
    },
  };
}

function admitting(story: Story): Contender {
  return {
    name: 'admit',
    prepare: (name) => {
      const file = copyFile(story.replicaPath, name);
      const opened = openReplica(openOptions(file.path));
      if (!opened.ok) throw new Error(opened.error.message);
      return {
        work: () => {
          admitAll(opened.value, story.peer, story.pages);
        },
        finish: () => {
          opened.value.close();
          file.remove();
        },
      };
    },
  };
}
