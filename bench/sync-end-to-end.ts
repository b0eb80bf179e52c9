import { Packr } from 'msgpackr';

import { openReplicaWith } from './bench-pair.ts';
import { openPlain, type BenchFile } from './bench-replica.ts';
import type { Bench, BenchOptions, BenchResult } from './bench.ts';
import { compareCpu, measure } from './measure.ts';
import type { Contender } from './measure.ts';
import { openSyncPair } from './sync-pair.ts';
import { makeSyncStory, type SyncStory } from './sync-story.ts';
import { INSERT_W, workloadDdl } from './workload.ts';

const UPDATE_W = 'update w set d = ? where k = ?';
const DELETE_W = 'delete from w where k = ?';
const UPSERT_W = INSERT_W.replace('insert', 'insert or replace');

/** Of the rows of the large workloads, a tenth is inserted. */
const rowsOf = (rows: number): number => Math.max(1_000, Math.floor(rows / 10));

/** Rows inserted, updated and deleted at A, all at B, over the bytes of the wire. */
export const syncEndToEnd: Bench = {
  names: ['sync.end-to-end'],
  run: async (options): Promise<readonly BenchResult[]> => {
    const story = makeSyncStory(rowsOf(options.rows));
    const timings = await measure([copying(options, story), syncing(options, story)], options.rounds);
    return [
      compareCpu(timings, {
        name: 'sync.end-to-end',
        variant: 'UUID key, insert, update, delete',
        contender: 'concord',
        baseline: 'copy',
        target: 1.35,
      }),
    ];
  },
};

/** What a program would write that copies its own changes: prepared statements on both sides, the same encoding between. */
function copying({ folder }: BenchOptions, story: SyncStory): Contender {
  const packr = new Packr({ useRecords: false, int64AsType: 'bigint' });
  const carry = <T>(items: readonly T[]): readonly T[] => packr.unpack(packr.pack(items)) as readonly T[];
  return {
    name: 'copy',
    prepare: (name) => {
      const [here, there] = ['a', 'b'].map((side) => openPlain(folder, `${name}-${side}`, workloadDdl.uuid));
      if (here === undefined || there === undefined) throw new Error('Two files were to be made.');
      for (const file of [here, there]) file.raw.pragma('synchronous = full');
      return {
        work: () => {
          for (const part of story.inserts) play(here, there, { part, from: INSERT_W, to: UPSERT_W, carry });
          for (const part of story.updates) play(here, there, { part, from: UPDATE_W, to: UPDATE_W, carry });
          for (const part of story.deletes)
            play(here, there, { part: part.map((key) => [key]), from: DELETE_W, to: DELETE_W, carry });
        },
        finish: () => {
          here.close();
          there.close();
        },
      };
    },
  };
}

function play(
  here: BenchFile,
  there: BenchFile,
  step: {
    readonly part: readonly (readonly unknown[])[];
    readonly from: string;
    readonly to: string;
    readonly carry: <T>(items: readonly T[]) => readonly T[];
  },
): void {
  run(here, step.from, step.part);
  run(there, step.to, step.carry(step.part));
}

function run(file: BenchFile, sql: string, part: readonly (readonly unknown[])[]): void {
  const statement = file.raw.prepare(sql);
  file.raw.transaction(() => {
    for (const values of part) statement.run(...values);
  })();
}

function syncing({ folder }: BenchOptions, story: SyncStory): Contender {
  return {
    name: 'concord',
    prepare: (name) => {
      const pair = openSyncPair(
        openReplicaWith(folder, `${name}-a`, workloadDdl.uuid),
        openReplicaWith(folder, `${name}-b`, ''),
      );
      return {
        work: () => {
          pair.play(story);
        },
        finish: pair.close,
      };
    },
  };
}
