import { openAttached, openPlain } from './bench-replica.ts';
import type { BenchFile } from './bench-replica.ts';
import type { Bench, BenchOptions, BenchResult } from './bench.ts';
import { compareCpu, measure } from './measure.ts';
import type { Contender } from './measure.ts';
import { INSERT_W, workloadDdl, workloadKeys, workloadRows } from './workload.ts';
import type { KeyKind } from './workload.ts';

const KINDS = [
  ['integer', 'integer key'],
  ['uuid', 'UUID key'],
] as const;

/** What is done to rows that are there, measured alone. */
interface RowWork {
  readonly name: string;
  readonly what: string;
  readonly target: number;
  /** Share of the rows that are touched one by one; the CPU of a point write is that of many. */
  readonly run: (raw: BenchFile['raw'], keys: readonly (bigint | string)[]) => void;
}

const POINTS = 100_000;

const WORKS: readonly RowWork[] = [
  {
    name: 'capture.update',
    what: 'one column of all rows',
    target: 4.2,
    run: (raw) => void raw.exec(`update w set d = d + 1`),
  },
  {
    name: 'capture.update',
    what: 'single updates by key',
    target: 1.8,
    run: (raw, keys) => {
      const update = raw.prepare(`update w set d = d + 1 where k = ?`);
      for (const key of keys) update.run(key);
    },
  },
  {
    name: 'capture.delete',
    what: 'all rows',
    target: 2.5,
    run: (raw) => void raw.exec(`delete from w where d >= -1`),
  },
];

/** Updates and deletions in one transaction with the triggers on, against none. */
export const captureUpdate: Bench = {
  names: ['capture.update'],
  run: (options) => runWorks('capture.update', options),
};

/** As `captureUpdate`, for deletions. */
export const captureDelete: Bench = {
  names: ['capture.delete'],
  run: (options) => runWorks('capture.delete', options),
};

async function runWorks(name: string, options: BenchOptions): Promise<readonly BenchResult[]> {
  const results: BenchResult[] = [];
  for (const [kind, words] of KINDS) {
    for (const work of WORKS.filter((each) => each.name === name)) {
      const timings = await measure(contenders(kind, work, options), options.rounds);
      results.push(
        compareCpu(timings, {
          name,
          variant: `${words}, ${work.what}`,
          contender: 'concord',
          baseline: 'none',
          target: work.target,
        }),
      );
    }
  }
  return results;
}

function contenders(kind: KeyKind, work: RowWork, { rows, folder }: BenchOptions): readonly Contender[] {
  const keys = workloadKeys(kind, rows);
  const step = Math.max(1, Math.floor(rows / POINTS));
  const points = keys.filter((_, index) => index % step === 0);
  return [
    {
      name: 'none',
      prepare: (name) => {
        const file = openPlain(folder, name, workloadDdl[kind]);
        fill(file, kind, rows);
        return {
          work: () => {
            file.raw.exec('begin immediate');
            work.run(file.raw, points);
            file.raw.exec('commit');
          },
          finish: file.close,
        };
      },
    },
    {
      name: 'concord',
      prepare: (name) => {
        const replica = openAttached(folder, name, workloadDdl[kind]);
        replica.transact(() => {
          insertRows(replica, kind, rows);
        });
        replica.raw.pragma('wal_checkpoint(truncate)');
        return {
          work: () => {
            replica.transact(() => {
              work.run(replica.raw, points);
            });
          },
          finish: replica.close,
        };
      },
    },
  ];
}

function fill(file: BenchFile, kind: KeyKind, rows: number): void {
  file.raw.exec('begin immediate');
  insertRows(file, kind, rows);
  file.raw.exec('commit');
  file.raw.pragma('wal_checkpoint(truncate)');
}

function insertRows({ raw }: BenchFile, kind: KeyKind, rows: number): void {
  const insert = raw.prepare(INSERT_W);
  for (const row of workloadRows(kind, rows)) insert.run(...row);
}
