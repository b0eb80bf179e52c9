import { foldIdentifier } from '../fold-identifier.ts';
import { isKeyword, isReservedWord } from '../keywords.ts';
import { renderName } from '../render-name.ts';
import { quoteIdentifier } from '../quote-identifier.ts';
import type { Token } from '../token.ts';
import { unquoteIdentifier } from '../unquote-identifier.ts';

/**
 * A token in its canonical spelling.
 *
 * - `keyword`: a word that the grammar alone can mean; `text` in capitals.
 * - `softWord`: a bare word that is a keyword in one place and a name in another; `text` as written, or in capitals
 *   where it is a keyword almost always.
 * - `name`: a name, quoted where it must be.
 */
export interface Lexeme {
  readonly kind: 'keyword' | 'softWord' | 'name' | 'literal' | 'operator' | 'parameter';
  readonly text: string;
  /** Equal for lexemes that SQLite takes as equal: what comparison uses instead of `text`. */
  readonly folded: string;
  /** As it was written. */
  readonly source: string;
}

/** Gives each of the significant tokens its canonical spelling. */
export function tokensToLexemes(tokens: readonly Token[]): readonly Lexeme[] {
  return tokens.map((token, at) => tokenToLexeme(token, tokens[at - 1], tokens[at + 1]));
}

function tokenToLexeme(token: Token, previous: Token | undefined, next: Token | undefined): Lexeme {
  switch (token.kind) {
    case 'word':
      return isPartOfPath(previous, next) ? nameToLexeme(token.text) : wordToLexeme(token.text);
    case 'quotedIdentifier':
      return nameToLexeme(unquoteIdentifier(token.text), token.text);
    case 'number':
      return lexeme('literal', token.text.replaceAll('_', '').toLowerCase(), token.text);
    case 'blob':
      return lexeme('literal', `x'${token.text.slice(2, -1).toUpperCase()}'`, token.text);
    case 'operator':
      return operatorToLexeme(token.text);
    case 'parameter':
      return lexeme('parameter', token.text, token.text);
    default:
      return lexeme('literal', token.text, token.text);
  }
}

/** Words that are literals of the grammar wherever they stand bare, so that only quotes make them a name. */
const VALUE_WORDS: ReadonlySet<string> = new Set([
  'current_date',
  'current_time',
  'current_timestamp',
  'true',
  'false',
]);

/** Soft words that hardly anybody uses as a bare name. */
const CAPITAL_WORDS: ReadonlySet<string> = new Set(
  'begin by cast end full glob inner left like natural outer over partition raise recursive regexp right with'.split(
    ' ',
  ),
);

function wordToLexeme(word: string): Lexeme {
  const capitals = foldIdentifier(word).toUpperCase();
  if (isReservedWord(word) || isValueWord(word)) return lexeme('keyword', capitals, word);
  if (!isKeyword(word)) return nameToLexeme(word);
  const text = CAPITAL_WORDS.has(foldIdentifier(word)) ? capitals : word;
  return { kind: 'softWord', text, folded: foldName(word), source: word };
}

function nameToLexeme(name: string, source = name): Lexeme {
  const text = isValueWord(name) ? quoteIdentifier(name) : renderName(name);
  return { kind: 'name', text, folded: foldName(name), source };
}

// A soft word and the same word in quotes fold alike, for a text may write a column called key either way.
function foldName(name: string): string {
  const folded = foldIdentifier(name);
  const isBare = /^[a-z_][a-z0-9_]*$/.test(folded) && !isReservedWord(folded) && !isValueWord(folded);
  return isBare ? folded : quoteIdentifier(folded);
}

function operatorToLexeme(operator: string): Lexeme {
  const text = operator === '==' ? '=' : operator === '!=' ? '<>' : operator;
  return lexeme('operator', text, operator);
}

function lexeme(kind: Lexeme['kind'], text: string, source: string): Lexeme {
  return { kind, text, folded: text, source };
}

function isValueWord(word: string): boolean {
  return VALUE_WORDS.has(foldIdentifier(word));
}

function isPartOfPath(previous: Token | undefined, next: Token | undefined): boolean {
  return previous?.text === '.' || next?.text === '.';
}
