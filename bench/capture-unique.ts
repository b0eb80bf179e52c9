import { openAttached, openPlain } from './bench-replica.ts';
import type { BenchFile } from './bench-replica.ts';
import type { Bench, BenchOptions, BenchResult } from './bench.ts';
import { compareCpu, measure } from './measure.ts';
import type { Contender } from './measure.ts';
import { workloadRows } from './workload.ts';

const DDL = `create table w (k integer primary key, a text unique, b text, c text, d integer, e integer, f real, g blob)`;
const INSERT = `insert into w (k, a, b, c, d, e, f, g) values (?, ?, ?, ?, ?, ?, ?, ?)`;

/** New rows of a table with a second unique key: each insert looks for the row that a REPLACE would push out. */
export const captureUnique: Bench = {
  names: ['capture.unique'],
  run: async (options): Promise<readonly BenchResult[]> => {
    const timings = await measure(contenders(options), options.rounds);
    const line = { name: 'capture.unique', contender: 'concord', baseline: 'none' };
    return [compareCpu(timings, { ...line, variant: 'integer key, unique UUID', target: 2 })];
  },
};

function contenders({ rows, folder }: BenchOptions): readonly Contender[] {
  return [
    {
      name: 'none',
      prepare: (name) => {
        const file = openPlain(folder, name, DDL);
        return {
          work: () => {
            file.raw.exec('begin immediate');
            insertRows(file, rows);
            file.raw.exec('commit');
          },
          finish: file.close,
        };
      },
    },
    {
      name: 'concord',
      prepare: (name) => {
        const replica = openAttached(folder, name, DDL);
        return {
          work: () => {
            replica.transact(() => {
              insertRows(replica, rows);
            });
          },
          finish: replica.close,
        };
      },
    },
  ];
}

function insertRows({ raw }: BenchFile, rows: number): void {
  const insert = raw.prepare(INSERT);
  let key = 0n;
  for (const [uuid, , ...others] of workloadRows('uuid', rows)) {
    key += 1n;
    insert.run(key, uuid, ...others);
  }
}
