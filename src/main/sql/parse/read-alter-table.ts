import type { AlterAction, AlterTableStatement } from '../ast.ts';
import { readColumn } from './read-column.ts';
import { readConflict } from './read-conflict.ts';
import { readDefaultToEnd } from './read-default.ts';
import { readKeyColumns } from './read-index-part.ts';
import { readQualifiedName } from './read-names.ts';
import { isAtTableConstraint, readTableConstraint } from './read-table-constraint.ts';
import { readType } from './read-type.ts';
import type { TokenCursor } from './token-cursor.ts';

/** Reads what follows ALTER TABLE. */
export function readAlterTable(cursor: TokenCursor): AlterTableStatement {
  const { schema, name } = readQualifiedName(cursor, 'a table name');
  return { kind: 'alterTable', schema, table: name, action: readAction(cursor) };
}

function readAction(cursor: TokenCursor): AlterAction {
  if (cursor.take('rename')) return readRename(cursor);
  if (cursor.take('add')) return readAdd(cursor);
  if (cursor.take('drop')) return readDropAction(cursor);
  if (!cursor.take('alter')) cursor.fail('expected ADD, DROP, RENAME or ALTER');
  return readAlter(cursor);
}

function readRename(cursor: TokenCursor): AlterAction {
  if (cursor.take('to')) return { kind: 'renameTable', newName: cursor.expectName('a table name') };
  const isConstraint = cursor.take('constraint');
  if (!isConstraint) takeColumnKeyword(cursor);
  const name = cursor.expectName(isConstraint ? 'a constraint name' : 'a column name');
  cursor.expect('to');
  const newName = cursor.expectName('a new name');
  if (isConstraint) return { kind: 'renameConstraint', name, newName };
  return { kind: 'renameColumn', column: name, newName };
}

function readAdd(cursor: TokenCursor): AlterAction {
  if (isAtTableConstraint(cursor)) return readConstraint(cursor, 'addConstraint');
  takeColumnKeyword(cursor);
  return { kind: 'addColumn', column: readColumn(cursor) };
}

function readDropAction(cursor: TokenCursor): AlterAction {
  if (cursor.take('constraint'))
    return { kind: 'dropConstraint', name: cursor.expectName('a constraint name') };
  if (isAtTableConstraint(cursor)) return readConstraint(cursor, 'dropUnnamedConstraint');
  takeColumnKeyword(cursor);
  return { kind: 'dropColumn', column: cursor.expectName('a column name') };
}

function readConstraint(cursor: TokenCursor, kind: 'addConstraint' | 'dropUnnamedConstraint'): AlterAction {
  const constraint = readTableConstraint(cursor);
  if (constraint !== undefined && constraint.kind !== 'primaryKey') return { kind, constraint };
  cursor.fail(
    constraint === undefined ? 'expected UNIQUE, CHECK or FOREIGN KEY' : 'ALTER PRIMARY KEY changes the key',
  );
  return NOTHING;
}

function readAlter(cursor: TokenCursor): AlterAction {
  if (cursor.take('primary', 'key')) return { kind: 'alterPrimaryKey', columns: readKeyColumns(cursor) };
  takeColumnKeyword(cursor);
  const column = cursor.expectName('a column name');
  if (cursor.take('type')) return readDataType(cursor, column);
  if (cursor.take('drop', 'not', 'null')) return { kind: 'dropNotNull', column };
  if (cursor.take('drop', 'default')) return { kind: 'dropDefault', column };
  return readSet(cursor, column);
}

function readSet(cursor: TokenCursor, column: string): AlterAction {
  if (cursor.take('set', 'not', 'null'))
    return { kind: 'setNotNull', column, conflict: readConflict(cursor) };
  if (cursor.take('set', 'default'))
    return { kind: 'setDefault', column, defaultText: readDefaultToEnd(cursor) };
  if (cursor.take('set', 'collate')) {
    return { kind: 'setCollation', column, collation: cursor.expectName('a collation') };
  }
  if (cursor.take('set', 'data', 'type') || cursor.take('set', 'type')) return readDataType(cursor, column);
  cursor.fail('expected SET or DROP with DATA TYPE, NOT NULL, DEFAULT or COLLATE');
  return NOTHING;
}

function readDataType(cursor: TokenCursor, column: string): AlterAction {
  const type = readType(cursor);
  if (type === '') cursor.fail('expected a type');
  return { kind: 'setDataType', column, type };
}

// `rename column to x` speaks of a column that is called column.
function takeColumnKeyword(cursor: TokenCursor): void {
  const next = cursor.peek(1);
  const isKeyword = cursor.isAt('column') && next !== undefined && !cursor.isAt('column', 'to');
  if (isKeyword) cursor.take('column');
}

/** Stands where a failure has been noted; nobody sees it. */
const NOTHING: AlterAction = { kind: 'dropColumn', column: '' };
