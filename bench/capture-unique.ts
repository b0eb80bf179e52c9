import { openAttached, openPlain } from './bench-replica.ts';
import type { BenchFile } from './bench-replica.ts';
import type { Bench, BenchOptions, BenchResult } from './bench.ts';
import { compareCpu, measure } from './measure.ts';
import type { Contender } from './measure.ts';
import { workloadKeys, workloadRows } from './workload.ts';

const DDL = `create table w (k integer primary key, a text unique, b text, c text, d integer, e integer, f real, g blob)`;
const INSERT = `insert into w (k, a, b, c, d, e, f, g) values (?, ?, ?, ?, ?, ?, ?, ?)`;

/** What is done to a table with a second unique key, and to the rows that are there before it. */
interface UniqueWork {
  readonly variant: string;
  readonly target: number | null;
  readonly isFilled: boolean;
  readonly run: (file: BenchFile, rows: number) => void;
}

const WORKS: readonly UniqueWork[] = [
  { variant: 'integer key, unique UUID', target: 2, isFilled: false, run: insertRows },
  {
    variant: 'single updates of another column',
    target: null,
    isFilled: true,
    run: (file, rows) => {
      const update = file.raw.prepare(`update w set d = d + 1 where k = ?`);
      for (const key of workloadKeys('integer', rows)) update.run(key);
    },
  },
  {
    variant: 'single updates of the unique UUID',
    target: null,
    isFilled: true,
    run: (file, rows) => {
      const update = file.raw.prepare(`update w set a = 'u' || a where k = ?`);
      for (const key of workloadKeys('integer', rows)) update.run(key);
    },
  },
];

/** New rows of a table with a second unique key, and changed ones: each looks for the row that a REPLACE would push out. */
export const captureUnique: Bench = {
  names: ['capture.unique'],
  run: async (options): Promise<readonly BenchResult[]> => {
    const results: BenchResult[] = [];
    for (const work of WORKS) {
      const timings = await measure(contenders(work, options), options.rounds);
      const { variant, target } = work;
      const line = { name: 'capture.unique', contender: 'concord', baseline: 'none', variant };
      results.push(compareCpu(timings, { ...line, target }));
    }
    return results;
  },
};

function contenders(work: UniqueWork, { rows, folder }: BenchOptions): readonly Contender[] {
  return [
    {
      name: 'none',
      prepare: (name) => {
        const file = openPlain(folder, name, DDL);
        const transact = (run: () => void): void => {
          file.raw.exec('begin immediate');
          run();
          file.raw.exec('commit');
        };
        return prepared(file, { work, rows, transact });
      },
    },
    {
      name: 'concord',
      prepare: (name) => {
        const replica = openAttached(folder, name, DDL);
        return prepared(replica, { work, rows, transact: replica.transact });
      },
    },
  ];
}

function prepared(
  file: BenchFile,
  run: {
    readonly work: UniqueWork;
    readonly rows: number;
    readonly transact: (work: () => void) => void;
  },
): { readonly work: () => void; readonly finish: () => void } {
  const { work, rows, transact } = run;
  if (work.isFilled) {
    transact(() => {
      insertRows(file, rows);
    });
    file.raw.pragma('wal_checkpoint(truncate)');
  }
  return {
    work: () => {
      transact(() => {
        work.run(file, rows);
      });
    },
    finish: file.close,
  };
}

function insertRows({ raw }: BenchFile, rows: number): void {
  const insert = raw.prepare(INSERT);
  let key = 0n;
  for (const [uuid, , ...others] of workloadRows('uuid', rows)) {
    key += 1n;
    insert.run(key, uuid, ...others);
  }
}
