import { declaredType } from './declared-type.ts';
import { foldIdentifier } from './fold-identifier.ts';

export type ColumnAffinity = 'integer' | 'text' | 'blob' | 'real' | 'numeric';

/**
 * Derives the affinity that SQLite gives a column of this type, outside of STRICT tables.
 *
 * Source: https://sqlite.org/datatype3.html#determination_of_column_affinity; the first of five rules that fits.
 */
export function columnAffinity(type: string): ColumnAffinity {
  const declared = foldIdentifier(declaredType(type));
  const has = (...parts: readonly string[]): boolean => parts.some((part) => declared.includes(part));
  if (has('int')) return 'integer';
  if (has('char', 'clob', 'text')) return 'text';
  if (declared === '' || has('blob')) return 'blob';
  if (has('real', 'floa', 'doub')) return 'real';
  return 'numeric';
}
