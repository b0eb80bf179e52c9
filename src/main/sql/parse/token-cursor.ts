import { foldIdentifier } from '../fold-identifier.ts';
import { isReservedWord } from '../keywords.ts';
import { isSignificant, type Token } from '../token.ts';
import { unquoteIdentifier } from '../unquote-identifier.ts';

export interface SyntaxFailure {
  readonly message: string;
  /** Offset in UTF-16 units of the token that does not fit. */
  readonly offset: number;
  readonly near: string;
}

/**
 * Reads the significant tokens of one statement from left to right.
 *
 * After the first failure it is at the end for good: every read answers with nothing, so that readers need no
 * checks of their own and their loops end. Whoever started the reading asks for `failure` once, when done.
 */
export interface TokenCursor {
  readonly isAtEnd: () => boolean;
  /** Whether the words stand here, each as a bare word. */
  readonly isAt: (...words: readonly string[]) => boolean;
  readonly isAtOperator: (operator: string) => boolean;
  readonly isAtName: () => boolean;
  readonly peek: (ahead?: number) => Token | undefined;
  readonly advance: () => Token | undefined;
  /** Takes the words if all of them stand here, else nothing. */
  readonly take: (...words: readonly string[]) => boolean;
  readonly takeOperator: (operator: string) => boolean;
  readonly expect: (...words: readonly string[]) => void;
  readonly expectOperator: (operator: string) => void;
  /** Takes a name in any quotation, or a word that is not reserved. */
  readonly expectName: (what: string) => string;
  readonly fail: (message: string) => void;
  readonly failure: () => SyntaxFailure | undefined;
  /** The text of the tokens between two positions, as it was written. */
  readonly textBetween: (from: number, to: number) => string;
  readonly position: () => number;
}

/** Starts reading `tokens`, which are those of `sql`. */
export function createTokenCursor(sql: string, tokens: readonly Token[]): TokenCursor {
  const significant = tokens.filter(isSignificant);
  let at = 0;
  let failure: SyntaxFailure | undefined;

  const peek = (ahead = 0): Token | undefined =>
    failure === undefined ? significant[at + ahead] : undefined;
  const isAt = (...words: readonly string[]): boolean =>
    words.every((word, ahead) => isWord(peek(ahead), word));
  const isAtOperator = (operator: string): boolean => isOperator(peek(), operator);

  return {
    isAtEnd: () => peek() === undefined,
    isAt,
    isAtOperator,
    isAtName: () => isName(peek()),
    peek,
    advance,
    take,
    takeOperator,
    expect: (...words) => {
      if (!take(...words)) fail(`expected ${words.join(' ').toUpperCase()}`);
    },
    expectOperator: (operator) => {
      if (!takeOperator(operator)) fail(`expected ${operator}`);
    },
    expectName,
    fail,
    failure: () => failure,
    textBetween,
    position: () => at,
  };

  function advance(): Token | undefined {
    const token = peek();
    if (token !== undefined) at += 1;
    return token;
  }

  function take(...words: readonly string[]): boolean {
    const isHere = isAt(...words);
    if (isHere) at += words.length;
    return isHere;
  }

  function takeOperator(operator: string): boolean {
    const isHere = isAtOperator(operator);
    if (isHere) at += 1;
    return isHere;
  }

  function expectName(what: string): string {
    const token = peek();
    if (token !== undefined && isName(token)) {
      at += 1;
      return unquoteIdentifier(token.text);
    }
    fail(`expected ${what}`);
    return '';
  }

  function fail(message: string): void {
    const token = peek();
    failure ??= { message, offset: token?.start ?? sql.length, near: token?.text ?? '' };
  }

  function textBetween(from: number, to: number): string {
    const first = significant[from];
    const last = significant[to - 1];
    return first === undefined || last === undefined || to <= from ? '' : sql.slice(first.start, last.end);
  }
}

function isWord(token: Token | undefined, word: string): boolean {
  return token?.kind === 'word' && foldIdentifier(token.text) === word;
}

function isOperator(token: Token | undefined, operator: string): boolean {
  return token?.kind === 'operator' && token.text === operator;
}

function isName(token: Token | undefined): boolean {
  if (token === undefined) return false;
  if (token.kind === 'word') return !isReservedWord(token.text);
  return token.kind === 'quotedIdentifier' || token.kind === 'string';
}
