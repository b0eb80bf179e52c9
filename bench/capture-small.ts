import { statSync } from 'node:fs';

import { openAttached, openPlain } from './bench-replica.ts';
import type { Bench, BenchOptions, BenchResult } from './bench.ts';
import { compareCpu, compareGauge, measure } from './measure.ts';
import type { Contender } from './measure.ts';
import { INSERT_W, workloadDdl, workloadRows } from './workload.ts';

/** Transactions of one repetition: a fiftieth of the rows of the large workloads. */
const transactionsOf = (rows: number): number => Math.max(1_000, Math.floor(rows / 50));

/** One-row transactions: CPU, and bytes of the write-ahead log. */
export const captureSmall: Bench = {
  names: ['capture.small'],
  run: async (options): Promise<readonly BenchResult[]> => {
    const timings = await measure(contenders(options), options.rounds);
    const line = { name: 'capture.small', contender: 'concord', baseline: 'none' };
    return [
      compareCpu(timings, { ...line, variant: 'UUID key, one row each', target: 1.5 }),
      compareGauge(timings, { ...line, variant: 'UUID key, WAL bytes', unit: 'bytes', target: 1.45 }),
    ];
  },
};

function contenders({ rows, folder }: BenchOptions): readonly Contender[] {
  const count = transactionsOf(rows);
  return [
    {
      name: 'none',
      prepare: (name) => {
        const file = openPlain(folder, name, workloadDdl.uuid);
        file.raw.pragma('wal_autocheckpoint = 0');
        return {
          work: () => {
            const insert = file.raw.prepare(INSERT_W);
            const [begin, commit] = [file.raw.prepare('begin immediate'), file.raw.prepare('commit')];
            for (const row of workloadRows('uuid', count)) {
              begin.run();
              insert.run(...row);
              commit.run();
            }
          },
          finish: file.close,
          gauge: () => statSync(`${file.path}-wal`).size,
        };
      },
    },
    {
      name: 'concord',
      prepare: (name) => {
        const replica = openAttached(folder, name, workloadDdl.uuid);
        replica.raw.pragma('wal_autocheckpoint = 0');
        replica.raw.pragma('wal_checkpoint(truncate)');
        return {
          work: () => {
            const insert = replica.raw.prepare(INSERT_W);
            for (const row of workloadRows('uuid', count)) {
              replica.transact(() => {
                insert.run(...row);
              });
            }
          },
          finish: replica.close,
          gauge: () => statSync(`${replica.path}-wal`).size,
        };
      },
    },
  ];
}
