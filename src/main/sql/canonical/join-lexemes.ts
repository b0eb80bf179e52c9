import type { Lexeme } from './lexeme.ts';
import { LOOSEST, precedenceAt, SIGN } from './precedence.ts';

/** Writes lexemes with one space between them, but none where people leave it out. */
export function joinLexemes(lexemes: readonly Lexeme[], textOf: (lexeme: Lexeme) => string): string {
  return lexemes
    .map((lexeme, at) => (at > 0 && isApart(lexemes, at) ? ` ${textOf(lexeme)}` : textOf(lexeme)))
    .join('');
}

function isApart(lexemes: readonly Lexeme[], at: number): boolean {
  const previous = lexemes[at - 1];
  const current = lexemes[at];
  if (previous === undefined || current === undefined) return false;
  if (current.kind === 'operator' && [')', ',', '.', ';'].includes(current.text)) return false;
  if (previous.kind === 'operator' && ['(', '.'].includes(previous.text)) return false;
  // Two signs in a row would start a comment.
  if (isSign(lexemes, at - 1)) return current.text === previous.text;
  return current.kind !== 'operator' || current.text !== '(' || !isCalled(lexemes, at - 1);
}

function isSign(lexemes: readonly Lexeme[], at: number): boolean {
  return lexemes[at]?.kind === 'operator' && precedenceAt(lexemes, at) === SIGN;
}

function isCalled(lexemes: readonly Lexeme[], at: number): boolean {
  const lexeme = lexemes[at];
  if (lexeme?.kind === 'name') return true;
  return lexeme?.kind === 'softWord' && !SPACED.has(lexeme.folded) && precedenceAt(lexemes, at) === LOOSEST;
}

/** Soft words before a parenthesis that is no list of arguments. */
const SPACED: ReadonlySet<string> = new Set(['over', 'filter', 'materialized', 'by']);
