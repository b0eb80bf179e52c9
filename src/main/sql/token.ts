export type TokenKind =
  | 'word'
  | 'quotedIdentifier'
  | 'string'
  | 'blob'
  | 'number'
  | 'operator'
  | 'parameter'
  | 'comment'
  | 'space'
  | 'unknown';

/** A piece of SQL text. `start` and `end` are offsets in UTF-16 units; the tokens of a text have no gaps. */
export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Whether a token says anything, which white space and comments do not. */
export function isSignificant(token: Token): boolean {
  return token.kind !== 'space' && token.kind !== 'comment';
}
