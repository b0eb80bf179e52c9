import type { ColumnDefinition, DdlStatement, TableConstraint } from '../ast.ts';
import { readBalanced } from './read-balanced.ts';
import { readColumn } from './read-column.ts';
import { readIfNotExists, readQualifiedName } from './read-names.ts';
import { isAtTableConstraint, readTableConstraint } from './read-table-constraint.ts';
import type { TokenCursor } from './token-cursor.ts';

/** Reads what follows CREATE [TEMP] TABLE. */
export function readCreateTable(cursor: TokenCursor, temporary: boolean): DdlStatement {
  const ifNotExists = readIfNotExists(cursor);
  const { schema, name } = readQualifiedName(cursor, 'a table name');
  if (cursor.take('as')) {
    const { from, to } = readBalanced(cursor, () => false);
    const select = cursor.textBetween(from, to);
    return { kind: 'createTableAs', schema, temporary, ifNotExists, name, select };
  }

  cursor.expectOperator('(');
  const columns = readColumns(cursor);
  const constraints = readConstraints(cursor);
  cursor.expectOperator(')');
  const table = { name, columns, constraints, ...readOptions(cursor) };
  return { kind: 'createTable', schema, temporary, ifNotExists, table };
}

function readColumns(cursor: TokenCursor): readonly ColumnDefinition[] {
  const columns = [readColumn(cursor)];
  while (cursor.isAtOperator(',') && !isConstraintNext(cursor)) {
    cursor.takeOperator(',');
    columns.push(readColumn(cursor));
  }
  return columns;
}

function isConstraintNext(cursor: TokenCursor): boolean {
  const next = cursor.peek(1);
  return next?.kind === 'word' && /^(?:constraint|primary|unique|check|foreign)$/i.test(next.text);
}

// SQLite lets the commas between table constraints go, and takes names without a constraint.
function readConstraints(cursor: TokenCursor): readonly TableConstraint[] {
  const constraints: TableConstraint[] = [];
  const isFirstAtComma = cursor.isAtOperator(',');
  while (cursor.takeOperator(',') || (isFirstAtComma && isAtTableConstraint(cursor))) {
    const constraint = readTableConstraint(cursor);
    if (constraint !== undefined) constraints.push(constraint);
  }
  return constraints;
}

interface TableOptions {
  readonly strict: boolean;
  readonly withoutRowid: boolean;
}

function readOptions(cursor: TokenCursor): TableOptions {
  let options: TableOptions = { strict: false, withoutRowid: false };
  if (cursor.isAtEnd()) return options;
  do {
    if (cursor.take('without', 'rowid')) options = { ...options, withoutRowid: true };
    else if (cursor.take('strict')) options = { ...options, strict: true };
    else cursor.fail('expected STRICT or WITHOUT ROWID');
  } while (cursor.takeOperator(','));
  return options;
}
