import { isMap, isScalar } from 'yaml';

import type { SqlValue } from '#shared/model/sql-value.ts';
import { mapPlaces, mistake, nodeText, text, type Place, type Reader, type Scope } from './yaml-readers.ts';

const INTEGER_MIN = -(2n ** 63n);
const INTEGER_MAX = 2n ** 63n - 1n;
const HEX = /^([0-9a-fA-F]{2})*$/;

/** Reads one value of `are`: a number, text, null, or `{ blob: "00ff" }`. */
export const parseValue: Reader<SqlValue> = (place, scope) => {
  const { node } = place;
  if (isMap(node)) return parseBlob(place, scope);
  if (!isScalar(node)) return mistake(place, `${place.what} must be a value, not ${nodeText(node)}`);
  const { value } = node;
  if (value === null || typeof value === 'string') return value;
  if (typeof value === 'bigint') return withinSqlite(value, place);
  if (typeof value === 'number' && !Number.isNaN(value)) return value;
  return mistake(
    place,
    `${nodeText(node)} is no value of SQLite; write a number, text, null or {blob: "00ff"}`,
  );
};

function withinSqlite(value: bigint, place: Place): bigint {
  return value >= INTEGER_MIN && value <= INTEGER_MAX
    ? value
    : mistake(place, `${String(value)} does not fit 64 bits`);
}

function parseBlob(place: Place, scope: Scope): Uint8Array {
  const places = mapPlaces(place, scope);
  const blob = places.get('blob');
  if (blob === undefined || places.size > 1) {
    return mistake(place, 'a value in braces must read {blob: "00ff"}');
  }
  const hex = text(blob, scope);
  if (!HEX.test(hex)) return mistake(blob, `"blob" must be pairs of hex digits, not "${hex}"`);
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
