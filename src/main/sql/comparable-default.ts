import { canonicalExpression, comparableExpression } from './canonical-expression.ts';
import { foldIdentifier } from './fold-identifier.ts';
import { quoteString } from './quote-string.ts';
import { scanTokens } from './scan-tokens.ts';
import { isSignificant, type Token } from './token.ts';
import { unquoteIdentifier } from './unquote-identifier.ts';

/**
 * Rewrites a default so that two texts are equal exactly when SQLite fills in the same: 'x', "x" and x are one
 * string, +7 and 7 one number, TRUE is 1; nothing is what NULL and no default at all fill in.
 */
export function comparableDefault(defaultText: string | undefined): string | undefined {
  if (defaultText === undefined) return undefined;
  const tokens = scanTokens(canonicalExpression(defaultText)).filter(isSignificant);
  const isBare = !defaultText.startsWith('(');
  const value = tokens.length > 2 ? undefined : readValue(tokens, isBare);
  if (value === 'NULL') return undefined;
  return value ?? comparableExpression(defaultText);
}

function readValue([first, second]: readonly Token[], isBare: boolean): string | undefined {
  if (first === undefined) return undefined;
  if (second === undefined) return readTerm(first, isBare);
  if (second.kind !== 'number' || (first.text !== '-' && first.text !== '+')) return undefined;
  return readNumber(second.text, first.text === '-');
}

const WORDS: ReadonlyMap<string, string> = new Map([
  ['null', 'NULL'],
  ['true', '1'],
  ['false', '0'],
  ['current_date', 'CURRENT_DATE'],
  ['current_time', 'CURRENT_TIME'],
  ['current_timestamp', 'CURRENT_TIMESTAMP'],
]);

function readTerm(token: Token, isBare: boolean): string | undefined {
  if (token.kind === 'number') return readNumber(token.text, false);
  const word = token.kind === 'word' ? WORDS.get(foldIdentifier(token.text)) : undefined;
  if (word !== undefined) return word;
  // A name is a string here, but a column inside of parentheses.
  const isName = token.kind === 'word' || token.kind === 'quotedIdentifier';
  return isName && isBare ? quoteString(unquoteIdentifier(token.text)) : undefined;
}

const INTEGER_MAX = 2n ** 63n - 1n;
const INTEGER_RANGE = 2n ** 64n;

function readNumber(text: string, isNegative: boolean): string {
  const sign = isNegative ? -1n : 1n;
  // SQLite reads hexadecimal digits as the bits of a signed integer.
  if (text.startsWith('0x')) return String(sign * asSigned(BigInt(text)));
  const isInteger = /^[0-9]+$/.test(text) && BigInt(text) <= INTEGER_MAX + (isNegative ? 1n : 0n);
  if (isInteger) return String(sign * BigInt(text));
  const real = Number(sign) * Number(text);
  return Number.isInteger(real) ? real.toExponential() : String(real);
}

function asSigned(bits: bigint): bigint {
  return bits > INTEGER_MAX ? bits - INTEGER_RANGE : bits;
}
