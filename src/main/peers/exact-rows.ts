import { addExtension } from 'msgpackr';

import type { ChangeGroup, FactBlock } from '#shared/model/change-group.ts';
import { isRawText } from '#shared/model/json-sql-value.ts';
import type { RawText, SqlValue } from '#shared/model/sql-value.ts';

// msgpackr keeps SQLite's storage classes apart by itself: bigint is int64, any other number a REAL, bytes are bin.
// Two values need an extension: TEXT that is not UTF-8, and -0.0, which it would write as the integer 0
// (WIRE-003).

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
  unpack: (bytes: Uint8Array): number =>
    // NaN is no value, so a wrong length is found where values are looked at.
    bytes.length === 8 ? new DataView(bytes.buffer, bytes.byteOffset, 8).getFloat64(0) : Number.NaN,
});

/** The group with the few values marked that need an extension; the same object when there is none, as mostly. */
export function markExactValues(group: ChangeGroup): ChangeGroup {
  if (!group.blocks.some(needsMarks)) return group;
  return { ...group, blocks: group.blocks.map((block) => (needsMarks(block) ? markBlock(block) : block)) };
}

const needsMarks = (block: FactBlock): boolean => block.rows.some((row) => row.some(needsMark));

const needsMark = (value: SqlValue): boolean => Object.is(value, -0) || isRawText(value);

const markBlock = (block: FactBlock): FactBlock => ({
  ...block,
  rows: block.rows.map((row) => row.map(markValue)),
});

function markValue(value: SqlValue): SqlValue {
  if (isRawText(value)) return new WireText(value.textBytes);
  return Object.is(value, -0) ? new WireReal(NEGATIVE_ZERO) : value;
}

const NEGATIVE_ZERO: readonly number[] = [0x80, 0, 0, 0, 0, 0, 0, 0];
