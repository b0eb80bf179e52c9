import { statSync } from 'node:fs';

import Database from 'better-sqlite3';

import { openAttached, openPlain } from './bench-replica.ts';
import type { Bench, BenchOptions, BenchResult } from './bench.ts';
import { compareCpu, compareGauge, measure } from './measure.ts';
import type { Contender } from './measure.ts';
import { INSERT_W, workloadDdl, workloadRows } from './workload.ts';
import type { KeyKind } from './workload.ts';

const TARGETS: Readonly<Record<KeyKind, number>> = { integer: 1.4, uuid: 1.25, withoutRowid: 2 };
const WORDS: Readonly<Record<KeyKind, string>> = {
  integer: 'integer key',
  uuid: 'UUID key',
  withoutRowid: 'WITHOUT ROWID',
};

/** New rows in one transaction with the triggers on, against none; and how much the file grows. */
export const captureInsert: Bench = {
  names: ['capture.insert', 'capture.size'],
  run: async (options) => {
    const results: BenchResult[] = [];
    for (const kind of ['integer', 'uuid', 'withoutRowid'] as const) {
      const timings = await measure(contenders(kind, options), options.rounds);
      const line = { name: 'capture.insert', baseline: 'none', target: TARGETS[kind] };
      results.push(
        compareCpu(timings, { ...line, variant: `${WORDS[kind]}, through Concord`, contender: 'concord' }),
        compareCpu(timings, { ...line, variant: `${WORDS[kind]}, plain connection`, contender: 'plain' }),
        compareGauge(timings, {
          name: 'capture.size',
          variant: WORDS[kind],
          unit: 'bytes',
          contender: 'concord',
          baseline: 'none',
          target: 1.05,
        }),
      );
    }
    return results;
  },
};

function contenders(kind: KeyKind, { rows, folder }: BenchOptions): readonly Contender[] {
  const ddl = workloadDdl[kind];
  return [
    {
      name: 'none',
      prepare: (name) => {
        const file = openPlain(folder, name, ddl);
        return {
          work: () => insertAll(file.raw, kind, rows),
          finish: file.close,
          gauge: () => sizeAfter(file),
        };
      },
    },
    {
      name: 'plain',
      prepare: (name) => {
        const replica = openAttached(folder, name, ddl);
        const other = openPlainConnection(replica.path);
        return {
          work: () => insertAll(other, kind, rows),
          finish: () => {
            other.close();
            replica.close();
          },
          gauge: () => sizeAfter({ path: replica.path, raw: other }),
        };
      },
    },
    {
      name: 'concord',
      prepare: (name) => {
        const replica = openAttached(folder, name, ddl);
        return {
          work: () => {
            replica.transact(() => {
              insertRows(replica.raw, kind, rows);
            });
          },
          finish: replica.close,
          gauge: () => sizeAfter(replica),
        };
      },
    },
  ];
}

function openPlainConnection(path: string): Database.Database {
  const raw = new Database(path);
  for (const pragma of ['synchronous = normal', 'cache_size = -32768', 'foreign_keys = off'])
    raw.pragma(pragma);
  return raw;
}

function insertAll(raw: Database.Database, kind: KeyKind, rows: number): void {
  raw.exec('begin immediate');
  insertRows(raw, kind, rows);
  raw.exec('commit');
}

function insertRows(raw: Database.Database, kind: KeyKind, rows: number): void {
  const insert = raw.prepare(INSERT_W);
  for (const row of workloadRows(kind, rows)) insert.run(...row);
}

function sizeAfter(file: { readonly path: string; readonly raw: Database.Database }): number {
  file.raw.pragma('wal_checkpoint(truncate)');
  return statSync(file.path).size;
}
