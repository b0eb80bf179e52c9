import { secureRandom } from '#main/platform/secure-random.ts';
import { systemClock } from '#main/platform/system-clock.ts';
import { attachFile } from '#main/store/attach-file.ts';

import { openPlain } from './bench-replica.ts';
import type { Bench, BenchOptions, BenchResult } from './bench.ts';
import { compareCpu, measure } from './measure.ts';
import type { Contender } from './measure.ts';

/** The large file has this many times the rows of the other workloads; the small one always 10,000. */
const LARGE = 10;
const SMALL_ROWS = 10_000;

/** Attaching a database with many rows, against one with few: nothing is written per row. */
export const attachBig: Bench = {
  name: 'attach.big',
  run: async ({ folder, rows, rounds }: BenchOptions): Promise<readonly BenchResult[]> => {
    const timings = await measure(
      [attach(folder, 'few', SMALL_ROWS), attach(folder, 'many', rows * LARGE)],
      rounds,
    );
    const variant = `${(rows * LARGE).toLocaleString('en')} rows against 10,000`;
    return [
      compareCpu(timings, { name: 'attach.big', variant, contender: 'many', baseline: 'few', target: 2 }),
    ];
  },
};

function attach(folder: string, name: string, rows: number): Contender {
  return {
    name,
    prepare: (repetition) => {
      const file = openPlain(
        folder,
        repetition,
        `create table w (k integer primary key, a text, b integer); create table u (k text primary key, v);
         insert into w select value, 'some words', value % 7 from (
           with recursive n(value) as (select 1 union all select value + 1 from n limit ${rows}) select * from n);
         insert into u select 'key ' || k, b from w where k % 10 = 0;`,
      );
      file.raw.close();
      return {
        work: () => {
          const attached = attachFile({
            path: file.path,
            ports: { clock: systemClock, random: secureRandom },
          });
          if (!attached.ok) throw new Error(attached.error.message);
          attached.value.db.close();
        },
        finish: file.close,
      };
    },
  };
}
