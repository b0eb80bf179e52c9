import { joinLexemes } from './canonical/join-lexemes.ts';
import { tokensToLexemes, type Lexeme } from './canonical/lexeme.ts';
import { spellNullTests } from './canonical/spell-null-tests.ts';
import { stripParentheses } from './canonical/strip-parentheses.ts';
import { scanTokens } from './scan-tokens.ts';
import { isSignificant } from './token.ts';

/**
 * Rewrites an expression, select or statement into one spelling that means the same to SQLite: keywords in
 * capitals, names quoted only where they must be, one space, no comments, no parentheses that change nothing,
 * `<>` and `=` and `IS NULL` for their synonyms. Literals stay as they are, and so does the case of names.
 *
 * Twice the same as once.
 */
export function canonicalExpression(text: string): string {
  return joinLexemes(readLexemes(text), (lexeme) => lexeme.text);
}

/** The same, with the case of names folded too: equal for two texts that SQLite takes as one. Not for people. */
export function comparableExpression(text: string): string {
  return joinLexemes(readLexemes(text), (lexeme) => lexeme.folded);
}

/** The lexemes of the one spelling, each with what was written for it. */
export function readLexemes(text: string): readonly Lexeme[] {
  const lexemes = tokensToLexemes(scanTokens(text).filter(isSignificant));
  return stripParentheses(spellNullTests(lexemes));
}
