import { assert } from '../assert.ts';
import { err, ok } from '../result.ts';
import type { Result } from '../result.ts';
import { decodeHex, encodeHex } from './hex.ts';
import { JsonSqlValue } from './sql-value.ts';
import type { RawText, SqlValue } from './sql-value.ts';
import { decodeUtf8, encodeUtf8 } from './utf8.ts';

const INTEGER_MIN = -(2n ** 63n);
const INTEGER_MAX = 2n ** 63n - 1n;

/**
 * Writes a value for JSON so that it comes back exactly: storage class, every bit.
 *
 * Plain are null, text without NUL, safe integers, and reals with a fraction; the rest is tagged.
 */
export function sqlValueToJson(value: SqlValue): JsonSqlValue {
  if (value === null) return null;
  if (typeof value === 'string') return value.includes('\0') ? { text: encodeHex(encodeUtf8(value)) } : value;
  if (typeof value === 'bigint') return integerToJson(value);
  if (typeof value === 'number') return realToJson(value);
  if (isRawText(value)) return { text: encodeHex(value.textBytes) };
  return { blob: encodeHex(value) };
}

function integerToJson(value: bigint): JsonSqlValue {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : { int: value.toString() };
}

function realToJson(value: number): JsonSqlValue {
  assert(!Number.isNaN(value), 'SQLite stores NaN as NULL: no value is NaN');
  if (value === Infinity) return { real: 'inf' };
  if (value === -Infinity) return { real: '-inf' };
  if (!Number.isInteger(value)) return value;
  return { real: Object.is(value, -0) ? '-0' : value.toString() };
}

export interface JsonSqlValueError {
  readonly code: 'not-a-sql-value';
  /** One sentence: what is wrong. */
  readonly message: string;
}

/**
 * Reads a value from JSON. Takes what `sqlValueToJson` writes, and tags where none was needed.
 *
 * Errors: `not-a-sql-value` for what is outside of 64 bits, no number, no hexadecimal, or of another shape.
 */
export function jsonToSqlValue(json: unknown): Result<SqlValue, JsonSqlValueError> {
  const parsed = JsonSqlValue.safeParse(json);
  if (!parsed.success)
    return refuse(json, 'a value is null, text, a number, or {"int"}, {"real"}, {"blob"}, {"text"}');
  const value = parsed.data;
  if (value === null || typeof value === 'string') return ok(value);
  if (typeof value === 'number') return numberToSqlValue(value);
  if ('int' in value) return integerText(value.int);
  if ('real' in value) return realText(value.real);
  if ('blob' in value) return bytesOf(value.blob, (bytes) => bytes);
  return bytesOf(value.text, (bytes) => decodeUtf8(bytes) ?? { textBytes: bytes });
}

function numberToSqlValue(value: number): Result<SqlValue, JsonSqlValueError> {
  if (!Number.isInteger(value)) return ok(value);
  if (Number.isSafeInteger(value)) return ok(BigInt(value));
  return refuse(value, 'an integer beyond 2^53 is written {"int":"..."}, a real {"real":"..."}');
}

function integerText(text: string): Result<SqlValue, JsonSqlValueError> {
  const integer = BigInt(text);
  const fits = integer >= INTEGER_MIN && integer <= INTEGER_MAX;
  return fits ? ok(integer) : refuse({ int: text }, 'an integer has 64 bits');
}

function realText(text: string): Result<SqlValue, JsonSqlValueError> {
  if (text === 'inf') return ok(Infinity);
  if (text === '-inf') return ok(-Infinity);
  const isNumber = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/.test(text) && Number.isFinite(Number(text));
  return isNumber ? ok(Number(text)) : refuse({ real: text }, 'a real is a decimal number, "inf" or "-inf"');
}

function bytesOf(hex: string, read: (bytes: Uint8Array) => SqlValue): Result<SqlValue, JsonSqlValueError> {
  const bytes = decodeHex(hex);
  return bytes === null ? refuse(hex, 'bytes are written as hexadecimal') : ok(read(bytes));
}

/** Whether a value is text whose bytes are not UTF-8. */
export const isRawText = (value: SqlValue): value is RawText =>
  typeof value === 'object' && value !== null && 'textBytes' in value;

function refuse(json: unknown, why: string): Result<never, JsonSqlValueError> {
  const shown = JSON.stringify(json, (_key, part: unknown) =>
    typeof part === 'bigint' ? part.toString() : part,
  );
  return err({ code: 'not-a-sql-value', message: `${shown} is no SQL value: ${why}.` });
}
