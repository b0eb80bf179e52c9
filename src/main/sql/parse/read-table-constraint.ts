import type { TableConstraint } from '../ast.ts';
import { readParenthesised } from './read-balanced.ts';
import { readConflict } from './read-conflict.ts';
import { readDeferral, readForeignKeyTarget } from './read-foreign-key-target.ts';
import { readKeyColumnList, readKeyColumns } from './read-index-part.ts';
import { readNames } from './read-names.ts';
import type { TokenCursor } from './token-cursor.ts';

/** Whether a table constraint, and not a column, stands here. */
export function isAtTableConstraint(cursor: TokenCursor): boolean {
  return ['constraint', 'primary', 'unique', 'check', 'foreign'].some((word) => cursor.isAt(word));
}

/** Reads a table constraint; nothing for a name without a constraint, which SQLite takes and forgets. */
export function readTableConstraint(cursor: TokenCursor): TableConstraint | undefined {
  const name = cursor.take('constraint') ? cursor.expectName('a constraint name') : undefined;
  if (cursor.take('primary', 'key')) return readPrimaryKey(cursor, name);
  if (cursor.take('unique')) {
    return { kind: 'unique', name, columns: readKeyColumns(cursor), conflict: readConflict(cursor) };
  }
  if (cursor.take('check')) {
    const expression = readParenthesised(cursor);
    readConflict(cursor);
    return { kind: 'check', name, expression };
  }
  if (cursor.take('foreign', 'key')) return readForeignKey(cursor, name);
  if (name === undefined) cursor.fail('expected a constraint');
  return undefined;
}

function readPrimaryKey(cursor: TokenCursor, name: string | undefined): TableConstraint {
  cursor.expectOperator('(');
  const columns = readKeyColumnList(cursor);
  const autoincrement = cursor.take('autoincrement');
  cursor.expectOperator(')');
  return { kind: 'primaryKey', name, columns, autoincrement, conflict: readConflict(cursor) };
}

function readForeignKey(cursor: TokenCursor, name: string | undefined): TableConstraint {
  cursor.expectOperator('(');
  const columns = readNames(cursor, 'a column name');
  cursor.expectOperator(')');
  cursor.expect('references');
  const target = readForeignKeyTarget(cursor);
  return { kind: 'foreignKey', name, columns, target: { ...target, deferral: readDeferral(cursor) } };
}
