import type { DdlStatement, IndexPart } from '../ast.ts';
import { readBalanced } from './read-balanced.ts';
import { readIndexPart } from './read-index-part.ts';
import { readIfNotExists, readQualifiedName } from './read-names.ts';
import type { TokenCursor } from './token-cursor.ts';

/** Reads what follows CREATE [UNIQUE] INDEX. */
export function readCreateIndex(cursor: TokenCursor, unique: boolean): DdlStatement {
  const ifNotExists = readIfNotExists(cursor);
  const { schema, name } = readQualifiedName(cursor, 'an index name');
  cursor.expect('on');
  const table = cursor.expectName('a table name');
  const parts = readParts(cursor);
  const where = cursor.take('where') ? readCondition(cursor) : undefined;
  return { kind: 'createIndex', schema, ifNotExists, index: { name, table, unique, parts, where } };
}

function readParts(cursor: TokenCursor): readonly IndexPart[] {
  cursor.expectOperator('(');
  const parts: IndexPart[] = [];
  do {
    parts.push(readIndexPart(cursor));
  } while (cursor.takeOperator(','));
  cursor.expectOperator(')');
  return parts;
}

function readCondition(cursor: TokenCursor): string {
  const { from, to } = readBalanced(cursor, () => false);
  return cursor.textBetween(from, to);
}
