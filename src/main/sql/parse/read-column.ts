import type { CheckClause, ColumnDefinition, ColumnReference, ColumnUnique, Deferral } from '../ast.ts';
import { readParenthesised } from './read-balanced.ts';
import { readConflict } from './read-conflict.ts';
import { readDefault } from './read-default.ts';
import { readDeferral, readForeignKeyTarget } from './read-foreign-key-target.ts';
import { readType } from './read-type.ts';
import type { TokenCursor } from './token-cursor.ts';

/** Reads a column: its name, its type, and its constraints in any order. */
export function readColumn(cursor: TokenCursor): ColumnDefinition {
  const name = cursor.expectName('a column name');
  const type = readType(cursor);
  let column: ColumnDefinition = { name, type, uniques: [], checks: [], references: [] };
  for (;;) {
    const read = readConstraint(cursor, column);
    if (read === undefined) return column;
    column = read;
  }
}

function readConstraint(cursor: TokenCursor, column: ColumnDefinition): ColumnDefinition | undefined {
  const deferral = readDeferral(cursor);
  if (deferral !== undefined) return { ...column, references: deferLast(column.references, deferral) };
  // SQLite takes a name without a constraint, and forgets it.
  const isNamed = cursor.take('constraint');
  const name = isNamed ? cursor.expectName('a constraint name') : undefined;
  const arm = ARMS.find(({ words }) => cursor.take(...words));
  if (arm !== undefined) return arm.read(cursor, column, name);
  return isNamed ? column : undefined;
}

interface Arm {
  readonly words: readonly string[];
  readonly read: (
    cursor: TokenCursor,
    column: ColumnDefinition,
    name: string | undefined,
  ) => ColumnDefinition;
}

const ARMS: readonly Arm[] = [
  {
    words: ['not', 'null'],
    read: (cursor, column, name) => ({ ...column, notNull: { name, conflict: readConflict(cursor) } }),
  },
  {
    // NULL says nothing, but may say what to do on conflict.
    words: ['null'],
    read: (cursor, column) => {
      readConflict(cursor);
      return column;
    },
  },
  { words: ['primary', 'key'], read: readPrimaryKey },
  {
    words: ['unique'],
    read: (cursor, column, name) => {
      const unique: ColumnUnique = { name, conflict: readConflict(cursor) };
      return { ...column, uniques: [...column.uniques, unique] };
    },
  },
  {
    words: ['check'],
    read: (cursor, column, name) => {
      const check: CheckClause = { name, expression: readParenthesised(cursor) };
      readConflict(cursor);
      return { ...column, checks: [...column.checks, check] };
    },
  },
  { words: ['default'], read: (cursor, column) => ({ ...column, defaultText: readDefault(cursor) }) },
  {
    words: ['collate'],
    read: (cursor, column) => ({ ...column, collation: cursor.expectName('a collation') }),
  },
  {
    words: ['references'],
    read: (cursor, column, name) => {
      const reference: ColumnReference = { name, ...readForeignKeyTarget(cursor) };
      return { ...column, references: [...column.references, reference] };
    },
  },
  { words: ['generated', 'always', 'as'], read: readGenerated },
  { words: ['as'], read: readGenerated },
];

function readPrimaryKey(
  cursor: TokenCursor,
  column: ColumnDefinition,
  name: string | undefined,
): ColumnDefinition {
  const descending = cursor.take('desc');
  if (!descending) cursor.take('asc');
  const conflict = readConflict(cursor);
  const autoincrement = cursor.take('autoincrement');
  return { ...column, primaryKey: { name, descending, autoincrement, conflict } };
}

function readGenerated(cursor: TokenCursor, column: ColumnDefinition): ColumnDefinition {
  const expression = readParenthesised(cursor);
  const stored = cursor.take('stored');
  if (!stored) cursor.take('virtual');
  return { ...column, generated: { expression, stored } };
}

function deferLast(references: readonly ColumnReference[], deferral: Deferral): readonly ColumnReference[] {
  const last = references.at(-1);
  return last === undefined ? references : [...references.slice(0, -1), { ...last, deferral }];
}
