import Database from 'better-sqlite3';

import { openReplica } from '#main/replica/open-replica.ts';

import type { Bench, BenchOptions, BenchResult } from './bench.ts';
import { BIG, catalogSql, copyFile, makeBigReplica, openOptions } from './big-catalog.ts';
import { compareCpu, measure } from './measure.ts';
import type { Contender } from './measure.ts';

/** Opening a replica of thousands of tables, against SQLite's own reading of the same schema, our triggers in it. */
export const openBig: Bench = {
  names: ['open.big'],
  run: async (options): Promise<readonly BenchResult[]> => {
    const timings = await measure(contenders(options), options.rounds);
    const line = { name: 'open.big', contender: 'concord', baseline: 'none' };
    return [compareCpu(timings, { ...line, variant: `${BIG} tables, 10,000 indexes, 500 views`, target: 3 })];
  },
};

function contenders({ folder }: BenchOptions): readonly Contender[] {
  const template = makeBigReplica(folder, 'open-big', catalogSql(BIG));
  return [
    {
      name: 'none',
      prepare: (name) => {
        const copy = copyFile(template, name);
        let raw: Database.Database | null = null;
        return {
          work: () => {
            raw = new Database(copy.path);
            raw.prepare('select count(*) from t0001').get();
          },
          finish: () => {
            raw?.close();
            copy.remove();
          },
        };
      },
    },
    {
      name: 'concord',
      prepare: (name) => {
        const copy = copyFile(template, name);
        let close = (): void => undefined;
        return {
          work: () => {
            const opened = openReplica(openOptions(copy.path));
            if (!opened.ok) throw new Error(opened.error.message);
            ({ close } = opened.value);
          },
          finish: () => {
            close();
            copy.remove();
          },
        };
      },
    },
  ];
}
