import type { TokenCursor } from './token-cursor.ts';
import { readBalanced } from './read-balanced.ts';

/** Reads the value of a DEFAULT as SQLite's grammar allows it: a literal, a signed number, a name, or (an expression). */
export function readDefault(cursor: TokenCursor): string {
  const from = cursor.position();
  if (cursor.takeOperator('(')) {
    readBalanced(cursor, () => false);
    cursor.expectOperator(')');
  } else {
    if (!cursor.takeOperator('-')) cursor.takeOperator('+');
    readTerm(cursor);
  }
  return cursor.textBetween(from, cursor.position());
}

/** Reads the rest of the statement as a default. An expression without parentheses, which SET DEFAULT allows, gets them. */
export function readDefaultToEnd(cursor: TokenCursor): string {
  const { from, to, tokens } = readBalanced(cursor, () => false);
  const text = cursor.textBetween(from, to);
  const isSigned = tokens[0]?.text === '-' || tokens[0]?.text === '+';
  const isTerm = tokens.length === (isSigned ? 2 : 1);
  const isParenthesised =
    tokens[0]?.text === '(' && closingOf(tokens.map((token) => token.text)) === tokens.length - 1;
  return isTerm || isParenthesised ? text : `(${text})`;
}

function readTerm(cursor: TokenCursor): void {
  const token = cursor.peek();
  const isLiteral = token?.kind === 'string' || token?.kind === 'number' || token?.kind === 'blob';
  if (isLiteral || cursor.isAt('null') || cursor.isAtName()) cursor.advance();
  else cursor.fail('expected a default value; an expression stands in parentheses');
}

function closingOf(texts: readonly string[]): number {
  let depth = 0;
  return texts.findIndex((text) => {
    if (text === '(') depth += 1;
    if (text === ')') depth -= 1;
    return depth === 0;
  });
}
