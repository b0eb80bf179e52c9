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
    const token = cursor.advance();
    if (token === undefined) break;
    if (token.text === '(') depth += 1;
    if (token.text === ')') depth -= 1;
    tokens.push(token);
  }
  if (depth > 0) cursor.fail('expected )');
  if (tokens.length === 0) cursor.fail('expected an expression');
  return { from, to: cursor.position(), tokens };
}

/** Reads a parenthesis that must stand here and hands back the text inside. */
export function readParenthesised(cursor: TokenCursor): string {
  cursor.expectOperator('(');
  const { from, to } = readBalanced(cursor, () => false);
  cursor.expectOperator(')');
  return cursor.textBetween(from, to);
}
