import Database from 'better-sqlite3';
import { Packr } from 'msgpackr';

import type { Page } from '#shared/model/change-group.ts';
import { decodeWireMessage, encodeWireMessage } from '#main/peers/wire-codec.ts';
import { openReplicaWith, pullAll } from './bench-pair.ts';
import { openPlain, type BenchFile } from './bench-replica.ts';
import type { Bench, BenchOptions, BenchResult } from './bench.ts';
import { compareCpu, measure } from './measure.ts';
import type { Contender } from './measure.ts';
import { INSERT_W, workloadDdl, workloadRows, type WorkloadRow } from './workload.ts';

/** Of the rows of the large workloads, a tenth is inserted, a hundredth updated, a thousandth deleted. */
const PARTS = { inserted: 10, updated: 100, deleted: 1_000 } as const;
const ROWS_PER_TRANSACTION = 1_000;

const UPDATE_W = 'update w set d = ? where k = ?';
const DELETE_W = 'delete from w where k = ?';
const UPSERT_W = INSERT_W.replace('insert', 'insert or replace');

/** Rows inserted, updated and deleted at A, all at B, over the bytes of the wire. */
export const syncEndToEnd: Bench = {
  names: ['sync.end-to-end'],
  run: async (options): Promise<readonly BenchResult[]> => {
    const story = makeStory(options.rows);
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

interface Story {
  readonly inserts: readonly (readonly WorkloadRow[])[];
  readonly updates: readonly (readonly [bigint, string | bigint][])[];
  readonly deletes: readonly (readonly (string | bigint)[])[];
}

function makeStory(rows: number): Story {
  const inserted = [...workloadRows('uuid', Math.max(1_000, Math.floor(rows / PARTS.inserted)))];
  const stride = PARTS.updated / PARTS.inserted;
  const updated = inserted
    .filter((_row, at) => at % stride === 0)
    .map(([key], at): [bigint, string | bigint] => [BigInt(at + 7), key]);
  const deleted = inserted
    .filter((_row, at) => at % (PARTS.deleted / PARTS.inserted) === 1)
    .map(([key]) => key);
  return {
    inserts: inTransactions(inserted),
    updates: inTransactions(updated),
    deletes: inTransactions(deleted),
  };
}

function inTransactions<T>(items: readonly T[]): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / ROWS_PER_TRANSACTION) }, (_part, at) =>
    items.slice(at * ROWS_PER_TRANSACTION, (at + 1) * ROWS_PER_TRANSACTION),
  );
}

/** What a program would write that copies its own changes: prepared statements on both sides, the same encoding between. */
function copying({ folder }: BenchOptions, story: Story): Contender {
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

function syncing({ folder }: BenchOptions, story: Story): Contender {
  return {
    name: 'concord',
    prepare: (name) => {
      const here = openReplicaWith(folder, `${name}-a`, workloadDdl.uuid);
      const there = openReplicaWith(folder, `${name}-b`, '');
      const program = new Database(here.path);
      const write = (sql: string, parts: readonly (readonly (readonly unknown[])[])[]): void => {
        const statement = program.prepare(sql);
        for (const part of parts) {
          program.transaction(() => {
            for (const values of part) statement.run(...values);
          })();
          here.replica.notice();
        }
        pullAll(there.replica, here.replica, overTheWire);
      };
      return {
        work: () => {
          write(INSERT_W, story.inserts);
          write(UPDATE_W, story.updates);
          write(
            DELETE_W,
            story.deletes.map((part) => part.map((key) => [key])),
          );
        },
        finish: () => {
          program.close();
          here.close();
          there.close();
        },
      };
    },
  };
}

function overTheWire(page: Page): Page {
  const encoded = encodeWireMessage({ type: 'page', ...page });
  if (!encoded.ok) throw new Error(encoded.error.message);
  const decoded = decodeWireMessage(encoded.value);
  if (!decoded.ok) throw new Error(decoded.error.message);
  if (decoded.value.type !== 'page') throw new Error('A page came back as something else.');
  return decoded.value;
}
