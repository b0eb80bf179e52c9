import { declaredType } from './declared-type.ts';
import { isReservedWord } from './keywords.ts';
import { quoteIdentifier } from './quote-identifier.ts';
import { scanTokens } from './scan-tokens.ts';
import { isSignificant, type Token } from './token.ts';
import { unquoteIdentifier } from './unquote-identifier.ts';

/** Writes a type in capitals, with one space between its words and none in `VARCHAR(20)`; '' stays ''. */
export function canonicalType(type: string): string {
  const known = canonicalByType.get(type);
  if (known !== undefined) return known;
  const canonical = readType(type);
  if (canonicalByType.size >= KEPT_MAX) canonicalByType.clear();
  canonicalByType.set(type, canonical);
  return canonical;
}

// Catalogs are made of few types, each of which is asked for again and again.
const canonicalByType = new Map<string, string>();

/** Bounds memory. */
const KEPT_MAX = 1_000;

function readType(type: string): string {
  const declared = declaredType(type);
  const isPlain = declared === type || isReadableType(declared);
  if (!isPlain) return quoteIdentifier(asciiUpper(declared));
  return scanTokens(declared)
    .filter(isSignificant)
    .map(tokenToText)
    .join(' ')
    .replaceAll(/ ?([(),]) ?/g, '$1')
    .replaceAll(',', ', ')
    .replaceAll(/([-+]) /g, '$1');
}

const TYPE_SHAPE = /^[A-Za-z_]\w*(?:\s+[A-Za-z_]\w*)*\s*(?:\(\s*[-+]?\d+\s*(?:,\s*[-+]?\d+\s*)?\))?$/;

/** Whether the text of a quotation is a type without its quotes too. */
function isReadableType(text: string): boolean {
  const words = text.split(/\W+/);
  return TYPE_SHAPE.test(text) && !words.some(isReservedWord) && !/generated\s+always/i.test(text);
}

function tokenToText(token: Token): string {
  if (token.kind === 'word') return asciiUpper(token.text);
  const isQuoted = token.kind === 'quotedIdentifier' || token.kind === 'string';
  return isQuoted ? quoteIdentifier(asciiUpper(unquoteIdentifier(token.text))) : token.text;
}

function asciiUpper(text: string): string {
  return text.replaceAll(/[a-z]+/g, (letters) => letters.toUpperCase());
}
