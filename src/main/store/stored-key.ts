import type { SqlValue } from '#shared/model/sql-value.ts';

import type { TableDefinition } from '../sql/ast.ts';
import type { ColumnAffinity } from '../sql/column-affinity.ts';
import { columnAffinity } from '../sql/column-affinity.ts';
import { isSameName } from '../sql/fold-identifier.ts';
import type { StoreDatabase } from './store-database.ts';

const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;

/** The affinities of key columns, in key order. A table that our reader cannot read converts nothing. */
export function keyAffinities(
  definition: TableDefinition | null,
  key: readonly { readonly name: string }[],
): readonly ColumnAffinity[] {
  return key.map(({ name }) => {
    const column = definition?.columns.find((candidate) => isSameName(candidate.name, name));
    if (definition === null || column === undefined) return 'blob';
    // ANY converts nothing in a STRICT table; elsewhere it is a word without meaning.
    return definition.strict && isSameName(column.type.trim(), 'ANY') ? 'blob' : columnAffinity(column.type);
  });
}

/**
 * A key value as a column of this affinity stores it: a row's identity is what is in the table, not what was sent.
 * They differ where the author's table had another type, before a decision gave both one shape.
 *
 * Source: https://sqlite.org/datatype3.html#type_affinity; texts and reals are converted by SQLite itself.
 */
export function storedKeyPart(db: StoreDatabase, value: SqlValue, affinity: ColumnAffinity): SqlValue {
  if (affinity === 'blob' || value === null || typeof value === 'object') return value;
  if (affinity === 'text') return asText(db, value);
  const number = typeof value === 'string' ? convert(db, AS_NUMBER, value) : value;
  if (affinity !== 'real') return integral(number);
  return typeof number === 'bigint' ? Number(number) : number;
}

function asText(db: StoreDatabase, value: string | number | bigint): SqlValue {
  if (typeof value === 'string') return value;
  return typeof value === 'bigint' ? value.toString() : convert(db, 'cast(@value as text)', value);
}

/** The comparison applies NUMERIC affinity to the text, so it is true only where the whole text is a number. */
const AS_NUMBER = `case when cast(@value as numeric) = @value then cast(@value as numeric) else @value end`;

const convert = (db: StoreDatabase, sql: string, value: string | number): SqlValue =>
  db.preparePluck<{ value: string | number }[]>(`select ${sql}`).get({ value }) ?? null;

/** Reals without a fraction are stored as integers. */
function integral(value: SqlValue): SqlValue {
  if (typeof value !== 'number' || !Number.isInteger(value)) return value;
  const integer = BigInt(value);
  return integer >= INT64_MIN && integer <= INT64_MAX ? integer : value;
}
