import type { Page } from '#shared/model/change-group.ts';
import type { SqlValue } from '#shared/model/sql-value.ts';
import { encodeWireMessage } from '#main/peers/wire-codec.ts';
import { openReplicaWith } from './bench-pair.ts';
import type { Bench, BenchOptions, BenchResult } from './bench.ts';
import { openSource, readPages, ROWS_PER_TRANSACTION } from './page-source.ts';
import { workloadRows, type KeyKind } from './workload.ts';

const TARGET = 1.15;

/** Bytes of the pages that bring new rows, before any compression, against those that SQLite stores for the values. */
export const syncWire: Bench = {
  names: ['sync.wire'],
  run: (options): readonly BenchResult[] => [
    measureKind(options, 'uuid', 'UUID key, new rows'),
    measureKind(options, 'integer', 'integer key, new rows'),
  ],
};

function measureKind(options: BenchOptions, kind: KeyKind, variant: string): BenchResult {
  const rows = [...workloadRows(kind, Math.max(ROWS_PER_TRANSACTION, Math.floor(options.rows / 10)))];
  const source = openSource(options, `wire-${kind}`, { kind, rows });
  const reader = openReplicaWith(options.folder, `wire-reader-${kind}`, '');
  const pages = readPages(source.replica, reader.replica, { facts: ROWS_PER_TRANSACTION });
  reader.close();
  source.close();
  const value = sum(pages.map(bytesOf)) / rows.length;
  const baseline = sum(rows.map((row) => sum(row.map(storedBytes)))) / rows.length;
  const ratio = value / baseline;
  return {
    ...{ name: 'sync.wire', variant, value, unit: 'bytes a row', baseline, ratio },
    ...{ wall: null, wallBaseline: null, target: TARGET, met: ratio <= TARGET },
  };
}

function bytesOf(page: Page): number {
  const encoded = encodeWireMessage({ type: 'page', ...page });
  if (!encoded.ok) throw new Error(encoded.error.message);
  return encoded.value.length;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((left, right) => left + right, 0);

/** Integers take as few bytes as they need in an SQLite record: these are the widest ones that a width holds. */
const INTEGER_WIDTHS = [1, 2, 3, 4, 6] as const;
const WIDEST_BYTES = 8;

/** Bytes of a value's content in an SQLite record. */
function storedBytes(value: SqlValue): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (value instanceof Uint8Array) return value.length;
  if (typeof value === 'bigint') {
    if (value === 0n || value === 1n) return 0;
    return INTEGER_WIDTHS.find((width) => BigInt.asIntN(width * 8, value) === value) ?? WIDEST_BYTES;
  }
  return value === null ? 0 : WIDEST_BYTES;
}
