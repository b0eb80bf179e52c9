import { attachReplica } from '#main/replica/attach-replica.ts';
import type { Replica } from '#main/replica/replica.ts';
import type { Bench, BenchOptions, BenchResult } from './bench.ts';
import { copyFile, openOptions } from './big-catalog.ts';
import { BIG_FACTOR, makeBigTable } from './big-table.ts';
import { compareCpu, measure } from './measure.ts';
import type { Contender } from './measure.ts';

/** Attaching a file whose table has many rows, against one with a thousandth of them. */
export const attachBig: Bench = {
  names: ['attach.big'],
  run: async (options): Promise<readonly BenchResult[]> => {
    const many = options.rows * BIG_FACTOR;
    const few = Math.max(1, Math.floor(many / 1_000));
    const timings = await measure(
      [contender(options, 'few', few), contender(options, 'many', many)],
      options.rounds,
    );
    const variant = `${many.toLocaleString('en')} rows against ${few.toLocaleString('en')}`;
    const line = { name: 'attach.big', contender: 'many', baseline: 'few' };
    return [compareCpu(timings, { ...line, variant, target: 2 })];
  },
};

function contender({ folder }: BenchOptions, name: string, rows: number): Contender {
  const template = makeBigTable(folder, rows);
  return {
    name,
    prepare: (repetition) => {
      const copy = copyFile(template, repetition);
      let replica: Replica | null = null;
      return {
        work: () => {
          const attached = attachReplica(openOptions(copy.path));
          if (!attached.ok) throw new Error(attached.error.message);
          ({ replica } = attached.value);
        },
        finish: () => {
          replica?.close();
          copy.remove();
        },
      };
    },
  };
}
