import type { DdlStatement } from '../ast.ts';
import { readBalanced } from './read-balanced.ts';
import { readIfNotExists, readQualifiedName } from './read-names.ts';
import type { TokenCursor } from './token-cursor.ts';

/** Reads what follows CREATE VIRTUAL TABLE. The arguments mean something to the module only. */
export function readCreateVirtualTable(cursor: TokenCursor): DdlStatement {
  const ifNotExists = readIfNotExists(cursor);
  const { schema, name } = readQualifiedName(cursor, 'a table name');
  cursor.expect('using');
  const module = cursor.expectName('a module name');
  const table = { name, module, arguments: readArguments(cursor) };
  return { kind: 'createVirtualTable', schema, ifNotExists, table };
}

function readArguments(cursor: TokenCursor): readonly string[] {
  if (!cursor.takeOperator('(')) return [];
  if (cursor.takeOperator(')')) return [];
  const texts: string[] = [];
  do {
    const { from, to } = readBalanced(cursor, () => cursor.isAtOperator(','));
    texts.push(cursor.textBetween(from, to));
  } while (cursor.takeOperator(','));
  cursor.expectOperator(')');
  return texts;
}
