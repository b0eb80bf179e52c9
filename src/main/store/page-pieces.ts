import type { PiecedFact } from '#shared/model/change-group.ts';
import { isRawText, sqlValueToJson } from '#shared/model/json-sql-value.ts';
import type { SqlValue } from '#shared/model/sql-value.ts';
import { PAGE_BYTES_MAX } from '#shared/wire/limits.ts';

import type { OutgoingFact } from './group-builder.ts';
import type { FactEvent } from './page-events.ts';

/** Bytes of a piece: a page has room for the last one and for what else its fact consists of. */
export const PIECE_BYTES = 7 * 1024 * 1024;

/** Where a page is full already and the fact belongs into it. */
export const PIECE_BYTES_MIN = 64 * 1024;

/** Values of a large fact that stay where they are: 2,000 of them, as many as SQLite has columns, fit into a message. */
const PLAIN_BYTES_MAX = 16 * 1024;

/** A fact that is larger than a page. */
export interface LargeFact {
  /** With NULL in the places of its large values. */
  readonly fact: OutgoingFact;
  readonly pieced: Pick<PiecedFact, 'of' | 'values'>;
  /** Bytes of what stays in the fact. */
  readonly bytes: number;
  /** Bytes of its large values together. */
  readonly length: number;
  /** Bytes of them from one place to another. */
  readonly slice: (from: number, to: number) => Uint8Array;
}

/**
 * Plans how a fact that is larger than a page goes out in pieces; null where it fits, or is large by its key. Pieces are read
 * anew for each page, so that none is kept in between: `of` says whether it is still the same fact (SYNC-008).
 */
export function planPieces({ fact, bytes }: FactEvent): LargeFact | null {
  if (bytes <= PAGE_BYTES_MAX) return null;
  const large = fact.values.flatMap((value, place) => {
    const stored = place < fact.table.key.length ? null : largeBytes(value);
    return stored === null ? [] : [{ place, ...stored }];
  });
  if (large.length === 0) return null;
  const places = new Set(large.map(({ place }) => place));
  const length = large.reduce((sum, { bytes: part }) => sum + part.length, 0);
  const values = large.map(({ place, bytes: part, kind }) => [place, part.length, kind] as const);
  return {
    fact: { ...fact, values: fact.values.map((value, place) => (places.has(place) ? null : value)) },
    pieced: { of: nameOf(fact, values), values },
    bytes: Math.max(0, bytes - length),
    length,
    slice: (from, to) =>
      sliceOf(
        large.map((part) => part.bytes),
        { from, to },
      ),
  };
}

function largeBytes(value: SqlValue): { readonly bytes: Uint8Array; readonly kind: 'text' | 'blob' } | null {
  if (typeof value === 'string') {
    return value.length > PLAIN_BYTES_MAX ? { bytes: Buffer.from(value, 'utf8'), kind: 'text' } : null;
  }
  if (isRawText(value)) return { bytes: value.textBytes, kind: 'text' };
  if (!(value instanceof Uint8Array) || value.length <= PLAIN_BYTES_MAX) return null;
  return { bytes: value, kind: 'blob' };
}

/**
 * Whatever is written to a row gives it another clock. Two facts of one row and moment are of different columns; keys are told
 * apart by type and by byte.
 */
const nameOf = (
  { table, columns, values, hlc, site, life, clocks }: OutgoingFact,
  lengths: PiecedFact['values'],
): string =>
  JSON.stringify([
    table.id,
    columns.map(({ col }) => col),
    values.slice(0, table.key.length).map(sqlValueToJson),
    String(hlc),
    site,
    life,
    lengths,
    clocks.map((clock) => [clock.place, String(clock.hlc), clock.site]),
  ]);

function sliceOf(
  parts: readonly Uint8Array[],
  { from, to }: { readonly from: number; readonly to: number },
): Uint8Array {
  const slice = new Uint8Array(to - from);
  let start = 0;
  for (const part of parts) {
    const wanted = part.subarray(Math.max(0, from - start), Math.max(0, to - start));
    if (wanted.length > 0) slice.set(wanted, Math.max(0, start - from));
    start += part.length;
  }
  return slice;
}
