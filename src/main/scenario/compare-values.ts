import { encodeHex } from '#shared/model/hex.ts';
import { isRawText } from '#shared/model/json-sql-value.ts';
import type { SqlValue } from '#shared/model/sql-value.ts';

/** Whether two values are the same: numbers by value (1 is 1.0), text and blobs by bytes. */
export function isSameValue(left: SqlValue, right: SqlValue): boolean {
  if (isNumber(left) && isNumber(right)) return isSameNumber(left, right);
  if (left instanceof Uint8Array && right instanceof Uint8Array) return isSameBytes(left, right);
  if (isRawText(left) && isRawText(right)) return isSameBytes(left.textBytes, right.textBytes);
  return left === right;
}

/** Whether two rows have the same values in the same order. */
export function isSameRow(left: readonly SqlValue[], right: readonly SqlValue[]): boolean {
  return (
    left.length === right.length && left.every((value, index) => isSameValue(value, right[index] ?? null))
  );
}

/** A value as one would write it in a scenario. */
export function valueText(value: SqlValue): string {
  if (value === null) return 'null';
  if (value instanceof Uint8Array) return `{blob: "${encodeHex(value)}"}`;
  if (isRawText(value)) return `{text: "${encodeHex(value.textBytes)}"}`;
  if (typeof value === 'string') return JSON.stringify(value);
  if (value === Number.POSITIVE_INFINITY) return '.inf';
  if (value === Number.NEGATIVE_INFINITY) return '-.inf';
  if (typeof value === 'number' && Number.isInteger(value)) return value.toFixed(1);
  return String(value);
}

/** Rows as one would write them in a scenario, cut after `max`. */
export function rowsText(rows: readonly (readonly SqlValue[])[], max = 20): string {
  const shown = rows.slice(0, max).map((row) => `[${row.map(valueText).join(', ')}]`);
  const more = rows.length > max ? [`… ${rows.length - max} more`] : [];
  return `[${[...shown, ...more].join(', ')}]`;
}

function isNumber(value: SqlValue): value is bigint | number {
  return typeof value === 'bigint' || typeof value === 'number';
}

function isSameNumber(left: bigint | number, right: bigint | number): boolean {
  if (typeof left === typeof right) return left === right;
  const [whole, real] = typeof left === 'bigint' ? [left, right] : [right, left];
  return Number.isInteger(real) && BigInt(real) === whole;
}

function isSameBytes(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && left.every((byte, index) => byte === right[index]);
}
