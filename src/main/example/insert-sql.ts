import { encodeHex } from '#shared/model/hex.ts';
import { quoteIdentifier } from '../sql/quote-identifier.ts';
import { quoteString } from '../sql/quote-string.ts';

/** A value as the data of the example is written: whole numbers, fractions, text, bytes, nothing. */
export type Literal = null | number | string | Uint8Array;

/** Rows a statement; SQLite's own bound on terms is far above. */
const ROWS_PER_STATEMENT = 400;

/** INSERT statements for these rows, each of them a transaction of its own. No rows give no statement. */
export function insertSql(
  table: string,
  columns: readonly string[],
  rows: readonly (readonly Literal[])[],
): string {
  const names = columns.map(quoteIdentifier).join(', ');
  const statements: string[] = [];
  for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT) {
    const tuples = rows
      .slice(start, start + ROWS_PER_STATEMENT)
      .map((row) => `(${row.map(literal).join(', ')})`);
    statements.push(`insert into ${quoteIdentifier(table)} (${names}) values\n  ${tuples.join(',\n  ')};`);
  }
  return statements.join('\n');
}

function literal(value: Literal): string {
  if (value === null) return 'null';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return quoteString(value);
  return `x'${encodeHex(value)}'`;
}
