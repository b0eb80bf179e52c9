import type { SqlValue } from '#shared/model/sql-value.ts';

import { quoteIdentifier } from '../sql/quote-identifier.ts';
import { encodeKeyPart, foldByCollation, foldRawByCollation, keyOfBytes } from './key-encoding.ts';

// The identity of a row as one value: of a single-column key the value itself, of a composite key a text.
// Normalised by the key's collation, so that 'a' and 'A' are one row under NOCASE.

/** One column of a key, in key order. */
export interface KeyColumn {
  readonly name: string;
  /** Of the key, which may differ from the column's own. Null and unknown ones count as BINARY. */
  readonly collation: string | null;
}

/** An identity as the bookkeeping stores it. */
export type KeyValue = bigint | number | string | Uint8Array;

/** Where the expression runs: in triggers only what SQLite 3.37 has, on our own connections also our functions. */
export type KeyDialect = 'trigger' | 'own';

/**
 * SQL of a row's identity; NULL where any part is NULL. `prefix` says whose columns: `new.`, `old.`, `t.` or nothing.
 *
 * On the own connection the result is canonical; a trigger's text may differ in the digits of reals
 * (`canonicalKeyText` mends it).
 */
export function keyExpression(
  key: readonly KeyColumn[],
  prefix: string,
  dialect: KeyDialect = 'own',
): string {
  const [first, ...more] = key;
  if (first === undefined) return 'null';
  if (more.length === 0) return normalised(first, prefix);
  return `(${key.map((column) => partExpression(column, { prefix, dialect })).join(` || ',' || `)})`;
}

/** SQL that is true where two rows have different identities; a NULL part differs from everything but NULL. */
export function keyDiffersExpression(key: readonly KeyColumn[], left: string, right: string): string {
  const terms = key.map(({ name, collation }) => {
    const column = quoteIdentifier(name);
    return `${left}${column} is not ${right}${column} collate ${knownCollation(collation)}`;
  });
  return `(${terms.join(' or ')})`;
}

/**
 * The identity of key values, given in key order; null where one of them is NULL: such a row stays local.
 *
 * A single-column key of text that is not UTF-8 comes out as `keyOfBytes` has it, since JavaScript has no other form.
 */
export function keyValueOf(
  table: { readonly key: readonly KeyColumn[] },
  values: readonly SqlValue[],
): KeyValue | null {
  const parts: Exclude<SqlValue, null>[] = [];
  for (const [place, { collation }] of table.key.entries()) {
    const value = values[place] ?? null;
    if (value === null) return null;
    parts.push(foldValue(value, collation));
  }
  const [first, ...more] = parts;
  if (first === undefined) return null;
  return more.length === 0 ? singleValue(first) : parts.map(encodeKeyPart).join(',');
}

function foldValue(value: Exclude<SqlValue, null>, collation: string | null): Exclude<SqlValue, null> {
  if (typeof value === 'string') return foldByCollation(value, collation);
  const isRaw = typeof value === 'object' && !(value instanceof Uint8Array);
  return isRaw ? foldRawByCollation(value, collation) : value;
}

function singleValue(value: Exclude<SqlValue, null>): KeyValue {
  const isRaw = typeof value === 'object' && !(value instanceof Uint8Array);
  return isRaw ? keyOfBytes(value.textBytes) : value;
}

/** Collations that every SQLite has; an application's own is compared as BINARY, which any program can run. */
function knownCollation(collation: string | null): 'BINARY' | 'NOCASE' | 'RTRIM' {
  const name = collation?.toUpperCase();
  return name === 'NOCASE' || name === 'RTRIM' ? name : 'BINARY';
}

function normalised({ name, collation }: KeyColumn, prefix: string): string {
  const column = prefix + quoteIdentifier(name);
  const known = knownCollation(collation);
  if (known === 'BINARY') return column;
  return `case typeof(${column}) when 'text' then ${foldCall(known, column)} else ${column} end`;
}

const foldCall = (collation: 'NOCASE' | 'RTRIM', column: string): string =>
  collation === 'NOCASE' ? `lower(${column})` : `rtrim(${column})`;

function partExpression(
  key: KeyColumn,
  options: { readonly prefix: string; readonly dialect: KeyDialect },
): string {
  const column = options.prefix + quoteIdentifier(key.name);
  const known = knownCollation(key.collation);
  const text = known === 'BINARY' ? column : foldCall(known, column);
  const real = options.dialect === 'own' ? `concord_real(${column})` : `printf('%!.17g', ${column})`;
  return (
    `case typeof(${column}) when 'integer' then 'i' || ${column} when 'text' then 't' || hex(${text})` +
    ` when 'blob' then 'b' || hex(${column}) when 'real' then` +
    ` case when ${column} = cast(${column} as integer) then 'i' || cast(${column} as integer) else 'r' || ${real} end end`
  );
}
