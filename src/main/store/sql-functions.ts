import type BetterSqlite3 from 'better-sqlite3';

import type { SqlValue } from '#shared/model/sql-value.ts';

import { canonicalKeyText, formatRealPart } from './key-encoding.ts';
import { decodeKeyPart } from './key-lookup.ts';

/**
 * Gives a connection of Concord the functions that its own statements use. Nothing in the file refers to them:
 * `directOnly` keeps them out of triggers and views, which other programs must be able to run.
 */
export function registerSqlFunctions(raw: BetterSqlite3.Database): void {
  const options = { deterministic: true, directOnly: true };
  // Reals in composite keys: SQLite's own digits differ between its versions, JavaScript's do not.
  raw.function('concord_real', options, (value: unknown) => formatRealPart(Number(value)));
  raw.function('concord_key', options, (value: unknown) =>
    typeof value === 'string' ? canonicalKeyText(value) : value,
  );
  raw.function('concord_key_part', { ...options, safeIntegers: true }, (key: unknown, place: unknown) => {
    const value = keyPart(key, place);
    if (value instanceof Uint8Array) return Buffer.from(value);
    return typeof value === 'object' ? null : value;
  });
  // The bytes of a part that is text and not UTF-8, which has no JavaScript form.
  raw.function('concord_key_text', { ...options, safeIntegers: true }, (key: unknown, place: unknown) => {
    const value = keyPart(key, place);
    const isRaw = typeof value === 'object' && value !== null && 'textBytes' in value;
    return isRaw ? Buffer.from(value.textBytes) : null;
  });
}

const keyPart = (key: unknown, place: unknown): SqlValue =>
  decodeKeyPart(String(key).split(',')[Number(place)] ?? '');
