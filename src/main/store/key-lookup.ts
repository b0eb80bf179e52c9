import { decodeHex } from '#shared/model/hex.ts';
import type { RawText, SqlValue } from '#shared/model/sql-value.ts';
import { decodeUtf8 } from '#shared/model/utf8.ts';

import { quoteIdentifier } from '../sql/quote-identifier.ts';
import type { KeyColumn, KeyValue } from './key-expression.ts';

/**
 * SQL that finds the row of an identity by the index of its key. `prefix` says whose columns, `identity` is SQL that
 * gives the identity (a parameter or a column). For Concord's own connections alone.
 *
 * A parameter is bound once per key column where the key is composite: pass it by name.
 */
export function keyLookup(key: readonly KeyColumn[], prefix: string, identity: string): string {
  return key
    .map(({ name, collation }, place) => {
      const value = key.length === 1 ? identity : partOf(identity, place);
      return `${prefix}${quoteIdentifier(name)} = ${value} collate ${quoteIdentifier(collation ?? 'BINARY')}`;
    })
    .join(' and ');
}

/** A part of a composite identity; text that is not UTF-8 has no form that a function could give back but its bytes. */
const partOf = (identity: string, place: number): string =>
  `coalesce(concord_key_part(${identity}, ${place}), cast(concord_key_text(${identity}, ${place}) as text))`;

/** Key values of an identity, in key order, spelled as the key's collation folds them. The inverse of `keyValueOf`. */
export function decodeKey(
  table: { readonly key: readonly KeyColumn[] },
  identity: KeyValue | RawText,
): readonly SqlValue[] {
  if (table.key.length === 1 || typeof identity === 'object') return [identity];
  return String(identity).split(',').map(decodeKeyPart);
}

/** One part of a composite identity as the value it stands for. */
export function decodeKeyPart(part: string): SqlValue {
  const text = part.slice(1);
  if (part.startsWith('i')) return BigInt(text);
  if (part.startsWith('r')) return Number(text);
  const bytes = decodeHex(text.toLowerCase()) ?? new Uint8Array();
  if (part.startsWith('b')) return bytes;
  return decodeUtf8(bytes) ?? { textBytes: bytes };
}
