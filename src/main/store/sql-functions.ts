import type BetterSqlite3 from 'better-sqlite3';

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
  raw.function('concord_key_part', { ...options, safeIntegers: true }, (key: unknown, place: unknown) =>
    bindable(decodeKeyPart(String(key).split(',')[Number(place)] ?? '')),
  );
}

/** Text that is not UTF-8 has no JavaScript form: it comes out with replacement characters and finds no row. */
function bindable(value: ReturnType<typeof decodeKeyPart>): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value);
  return typeof value === 'object' && value !== null ? new TextDecoder().decode(value.textBytes) : value;
}
