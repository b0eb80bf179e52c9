import { declaredType } from './declared-type.ts';

export type ColumnAffinity = 'integer' | 'text' | 'blob' | 'real' | 'numeric';

/**
 * Derives the affinity that SQLite gives a column of this type, outside of STRICT tables.
 *
 * Source: https://sqlite.org/datatype3.html#determination_of_column_affinity; the first of five rules that fits.
 */
export function columnAffinity(type: string): ColumnAffinity {
  const upper = declaredType(type).toUpperCase();
  const has = (...parts: readonly string[]): boolean => parts.some((part) => upper.includes(part));
  if (has('INT')) return 'integer';
  if (has('CHAR', 'CLOB', 'TEXT')) return 'text';
  if (upper === '' || has('BLOB')) return 'blob';
  if (has('REAL', 'FLOA', 'DOUB')) return 'real';
  return 'numeric';
}
