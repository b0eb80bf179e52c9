import type { TokenCursor } from './token-cursor.ts';

/** Reads a column's type as written, such as `VARCHAR( 20 )`; '' when none stands here. */
export function readType(cursor: TokenCursor): string {
  const from = cursor.position();
  while (cursor.isAtName() && !cursor.isAt('generated', 'always')) cursor.advance();
  if (cursor.position() > from && cursor.takeOperator('(')) {
    readSize(cursor);
    if (cursor.takeOperator(',')) readSize(cursor);
    cursor.expectOperator(')');
  }
  return cursor.textBetween(from, cursor.position());
}

function readSize(cursor: TokenCursor): void {
  if (!cursor.takeOperator('-')) cursor.takeOperator('+');
  if (cursor.peek()?.kind === 'number') cursor.advance();
  else cursor.fail('expected a number');
}
