import { addExtension } from 'msgpackr';

import type { ChangeGroup } from '#shared/model/change-group.ts';
import { isRawText } from '#shared/model/json-sql-value.ts';
import type { RawText, SqlValue } from '#shared/model/sql-value.ts';

// How the values of rows travel: integers in as few bytes as MessagePack has for them, so that a number without a fraction is
// an INTEGER; one with a fraction, or without an end, a REAL; bytes are bin. Two values need an extension: TEXT that is not
// UTF-8, and a REAL without a fraction (WIRE-003).

export const RAW_TEXT_EXTENSION = 1;
export const EXACT_REAL_EXTENSION = 2;

class WireText extends Uint8Array {}
class WireReal extends Uint8Array {}

addExtension({
  Class: WireText,
  type: RAW_TEXT_EXTENSION,
  pack: (text: WireText) => text,
  unpack: (bytes: Uint8Array): RawText => ({ textBytes: Uint8Array.from(bytes) }),
});
addExtension({
  Class: WireReal,
  type: EXACT_REAL_EXTENSION,
  pack: (real: WireReal) => real,
  unpack: (bytes: Uint8Array): WireReal => new WireReal(bytes),
});

/** The group with the values of its rows as they travel. */
export function markExactValues(group: ChangeGroup): ChangeGroup {
  if (group.blocks.length === 0) return group;
  return {
    ...group,
    blocks: group.blocks.map((block) => ({ ...block, rows: block.rows.map((row) => row.map(markValue)) })),
  };
}

function markValue(value: SqlValue): SqlValue {
  switch (typeof value) {
    case 'bigint':
      // The library packs numbers as short as they go, and every bigint as 64 bits.
      return isSafe(value) ? Number(value) : value;
    case 'number':
      return Number.isInteger(value) ? new WireReal(bytesOfReal(value)) : value;
    default:
      return isRawText(value) ? new WireText(value.textBytes) : value;
  }
}

const isSafe = (value: bigint): boolean => value <= SAFE_MAX && value >= -SAFE_MAX;
const SAFE_MAX = BigInt(Number.MAX_SAFE_INTEGER);

function bytesOfReal(value: number): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setFloat64(0, value);
  return bytes;
}

/**
 * Gives the rows of a decoded message their values back, in place. `raw` is what came, of whatever shape: what is no row is left
 * to those who look at shapes.
 */
export function unmarkExactValues(raw: unknown): void {
  for (const group of itemsOf(raw, 'groups'))
    for (const block of itemsOf(group, 'blocks'))
      for (const row of itemsOf(block, 'rows')) if (Array.isArray(row)) unmarkRow(row);
}

function itemsOf(holder: unknown, name: string): readonly unknown[] {
  if (typeof holder !== 'object' || holder === null) return [];
  const items = (holder as Readonly<Record<string, unknown>>)[name];
  return Array.isArray(items) ? items : [];
}

function unmarkRow(row: unknown[]): void {
  for (let place = 0; place < row.length; place += 1) {
    const value = row[place];
    if (typeof value === 'number') row[place] = Number.isInteger(value) ? BigInt(value) : value;
    else if (value instanceof WireReal) row[place] = realOf(value);
  }
}

/** NaN is no value, so a wrong length is found where values are looked at. */
const realOf = (bytes: WireReal): number =>
  bytes.length === 8 ? new DataView(bytes.buffer, bytes.byteOffset, 8).getFloat64(0) : Number.NaN;
