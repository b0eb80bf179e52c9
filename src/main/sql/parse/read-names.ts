import type { TokenCursor } from './token-cursor.ts';

export interface QualifiedName {
  readonly schema?: string | undefined;
  readonly name: string;
}

/** Reads `name` or `schema.name`. */
export function readQualifiedName(cursor: TokenCursor, what: string): QualifiedName {
  const first = cursor.expectName(what);
  if (!cursor.takeOperator('.')) return { name: first };
  return { schema: first, name: cursor.expectName(what) };
}

/** Reads `a, b, c`, at least one. */
export function readNames(cursor: TokenCursor, what: string): readonly string[] {
  const names = [cursor.expectName(what)];
  while (cursor.takeOperator(',')) names.push(cursor.expectName(what));
  return names;
}

/** Reads `(a, b, c)` if a parenthesis stands here, else nothing. */
export function readOptionalNames(cursor: TokenCursor, what: string): readonly string[] {
  if (!cursor.takeOperator('(')) return [];
  const names = readNames(cursor, what);
  cursor.expectOperator(')');
  return names;
}

/** Reads IF NOT EXISTS if it stands here and says whether it did. */
export function readIfNotExists(cursor: TokenCursor): boolean {
  return cursor.take('if', 'not', 'exists');
}
