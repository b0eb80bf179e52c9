import type { Page } from '#shared/model/change-group.ts';
import { attachReplica } from '#main/replica/attach-replica.ts';
import type { Replica } from '#main/replica/replica.ts';
import { asPeer, openReplicaWith } from './bench-pair.ts';
import type { Bench, BenchResult } from './bench.ts';
import { copyFile, openOptions } from './big-catalog.ts';
import { BIG_FACTOR, makeBigTable } from './big-table.ts';
import { limitCount, limitCpu, measure } from './measure.ts';

/** Syncs of one repetition, each both ways. */
const SYNCS = 200;

const LIMIT_MS = 2;

/** A sync both ways with nothing new, where one side has ten times the rows of the large workloads. */
export const quietSync: Bench = {
  names: ['quiet.sync'],
  run: async ({ folder, rows, rounds }): Promise<readonly BenchResult[]> => {
    const many = rows * BIG_FACTOR;
    const file = copyFile(makeBigTable(folder, many), 'quiet-sync');
    const attached = attachReplica(openOptions(file.path));
    if (!attached.ok) throw new Error(attached.error.message);
    const big = attached.value.replica;
    const other = openReplicaWith(folder, 'quiet-sync-other', '');
    try {
      settle(big, other.replica);
      settle(other.replica, big);
      let read = 0;
      const timings = await measure(
        [
          {
            name: 'sync',
            prepare: () => ({
              work: () => {
                for (let sync = 0; sync < SYNCS; sync += 1) {
                  read += pull(big, other.replica);
                  read += pull(other.replica, big);
                }
              },
              finish: () => undefined,
            }),
          },
        ],
        rounds,
      );
      const name = 'quiet.sync';
      const words = `${many.toLocaleString('en')} rows`;
      return [
        limitCount({ name, variant: `${words}, rows read`, unit: 'rows', value: read, limit: 0 }),
        limitCpu(timings, {
          ...{ name, variant: `${words}, ${SYNCS} syncs both ways; against ${LIMIT_MS} ms each` },
          ...{ contender: 'sync', limitSeconds: (SYNCS * LIMIT_MS) / 1_000 },
        }),
      ];
    } finally {
      big.close();
      other.close();
      file.remove();
    }
  },
};

/** Lets a replica count as having all of another without carrying its rows. */
function settle(to: Replica, from: Replica): void {
  const { epoch, era, head } = from.identity();
  const page: Page = {
    groups: [],
    cursor: { epoch, era, seq: head, catalogSeq: head },
    head,
    more: false,
    read: 0,
  };
  to.admitPage(asPeer(from), page);
}

/** Pulls once; gives how many entries were read for it. */
function pull(to: Replica, from: Replica): number {
  const plan = to.planPull(asPeer(from));
  if (!plan.ok) throw new Error(plan.error.message);
  const page = from.readPage(to.identity().site, plan.value);
  if (!page.ok) throw new Error(page.error.message);
  to.admitPage(asPeer(from), page.value);
  return page.value.read;
}
