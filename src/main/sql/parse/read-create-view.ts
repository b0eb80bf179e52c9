import type { DdlStatement } from '../ast.ts';
import { readBalanced } from './read-balanced.ts';
import { readIfNotExists, readOptionalNames, readQualifiedName } from './read-names.ts';
import type { TokenCursor } from './token-cursor.ts';

/** Reads what follows CREATE [TEMP] VIEW. */
export function readCreateView(cursor: TokenCursor, temporary: boolean): DdlStatement {
  const ifNotExists = readIfNotExists(cursor);
  const { schema, name } = readQualifiedName(cursor, 'a view name');
  const names = readOptionalNames(cursor, 'a column name');
  cursor.expect('as');
  const { from, to } = readBalanced(cursor, () => false);
  const columns = names.length === 0 ? undefined : names;
  const view = { name, columns, select: cursor.textBetween(from, to) };
  return { kind: 'createView', schema, temporary, ifNotExists, view };
}
