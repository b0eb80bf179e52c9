import { encodeHex } from '#shared/model/hex.ts';
import type { RawText, SqlValue } from '#shared/model/sql-value.ts';
import { encodeUtf8 } from '#shared/model/utf8.ts';

// How a composite key becomes one text, in JavaScript. `key-expression.ts` writes the same text in SQL.
// Per part: i<integer>, r<real>, t<hex of UTF-8>, b<hex>; joined by commas. A real without a fraction is written
// as the integer it equals, because SQLite takes 2 and 2.0 for one key.

const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;

/** One part of a composite key as text. NULL is no part: such rows stay local. */
export function encodeKeyPart(value: Exclude<SqlValue, null>): string {
  if (typeof value === 'bigint') return `i${value.toString()}`;
  if (typeof value === 'number') return encodeReal(value);
  if (typeof value === 'string') return `t${hexOf(encodeUtf8(value))}`;
  if (value instanceof Uint8Array) return `b${hexOf(value)}`;
  return `t${hexOf(value.textBytes)}`;
}

function encodeReal(value: number): string {
  if (!Number.isInteger(value)) return `r${formatRealPart(value)}`;
  const integer = BigInt(value);
  return integer >= INT64_MIN && integer <= INT64_MAX
    ? `i${integer.toString()}`
    : `r${formatRealPart(value)}`;
}

/** A real as text that every version reads and writes alike: JavaScript's shortest form. */
export const formatRealPart = (value: number): string => String(value);

/**
 * The same composite key with its reals as `formatRealPart` writes them. Triggers run in any program's SQLite, whose
 * digits differ from version to version, so the fold passes keys with reals through here.
 */
export function canonicalKeyText(text: string): string {
  if (!text.includes('r')) return text;
  return text
    .split(',')
    .map((part) => (part.startsWith('r') ? encodeReal(readReal(part.slice(1))) : part))
    .join(',');
}

function readReal(digits: string): number {
  if (digits === 'Inf' || digits === '+Inf') return Number.POSITIVE_INFINITY;
  return digits === '-Inf' ? Number.NEGATIVE_INFINITY : Number(digits);
}

// Text that is not UTF-8 as an identity of its own: JavaScript has no such string, so each byte is a lone surrogate. Bound as it
// is, it becomes replacement characters, which name no row; `bytesOfKey` gives the bytes back.
const FIRST_BYTE = 0xdc00;

/** Text that is not UTF-8 as an identity; `bytesOfKey` is the inverse. */
export const keyOfBytes = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => String.fromCharCode(FIRST_BYTE + byte)).join('');

/** The bytes of an identity that is text and not UTF-8; null of any other. */
export function bytesOfKey(key: unknown): Uint8Array | null {
  if (typeof key !== 'string') return null;
  const first = key.charCodeAt(0);
  if (!(first >= FIRST_BYTE && first <= FIRST_BYTE + 0xff)) return null;
  return Uint8Array.from(key, (char) => char.charCodeAt(0) - FIRST_BYTE);
}

/** Text as a collation compares it. SQLite's NOCASE knows A to Z alone, RTRIM the space alone. */
export function foldByCollation(value: string, collation: string | null): string {
  const name = collation?.toUpperCase();
  if (name === 'NOCASE') return value.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  return name === 'RTRIM' ? value.replace(/ +$/, '') : value;
}

/** The same for text whose bytes are not UTF-8. */
export function foldRawByCollation(value: RawText, collation: string | null): RawText {
  const name = collation?.toUpperCase();
  if (name === 'NOCASE') {
    return { textBytes: value.textBytes.map((byte) => (byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte)) };
  }
  if (name !== 'RTRIM') return value;
  let length = value.textBytes.length;
  while (length > 0 && value.textBytes[length - 1] === 0x20) length -= 1;
  return { textBytes: value.textBytes.slice(0, length) };
}

const hexOf = (bytes: Uint8Array): string => encodeHex(bytes).toUpperCase();
