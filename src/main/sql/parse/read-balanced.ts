import type { Token } from '../token.ts';
import type { TokenCursor } from './token-cursor.ts';

/** A stretch of tokens: positions of the cursor, `to` excluded. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly tokens: readonly Token[];
}

/**
 * Reads on to the first token outside parentheses at which `isStop` holds, or that closes a parenthesis which
 * was open before. An expression is left to SQLite to judge; only its parentheses must balance and it must be there.
 */
export function readBalanced(cursor: TokenCursor, isStop: () => boolean): Stretch {
  const from = cursor.position();
  const tokens: Token[] = [];
  let depth = 0;
  while (!cursor.isAtEnd()) {
    if (depth === 0 && (cursor.isAtOperator(')') || isStop())) break;
    depth += readStep(cursor);
    const token = cursor.advance();
    if (token === undefined) break;
    tokens.push(token);
  }
  if (depth > 0) cursor.fail('expected )');
  if (tokens.length === 0) cursor.fail('expected an expression');
  return { from, to: cursor.position(), tokens };
}

/** How many levels deeper the next token leads. */
function readStep(cursor: TokenCursor): number {
  if (cursor.isAtOperator(';')) cursor.fail('expected one statement');
  if (cursor.isAtOperator('(')) return 1;
  return cursor.isAtOperator(')') ? -1 : 0;
}

/** Reads a parenthesis that must stand here and hands back the text inside. */
export function readParenthesised(cursor: TokenCursor): string {
  cursor.expectOperator('(');
  const { from, to } = readBalanced(cursor, () => false);
  cursor.expectOperator(')');
  return cursor.textBetween(from, to);
}
