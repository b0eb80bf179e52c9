import { renderName } from './render-name.ts';
import { isReservedWord } from './keywords.ts';
import { scanTokens } from './scan-tokens.ts';
import { isSignificant, type Token } from './token.ts';
import { unquoteIdentifier } from './unquote-identifier.ts';

/** Writes a type in capitals, with one space between its words and none in `VARCHAR(20)`; '' stays ''. */
export function canonicalType(type: string): string {
  const texts = scanTokens(type).filter(isSignificant).map(tokenToText);
  return texts
    .join(' ')
    .replace(/ ?([(),]) ?/g, '$1')
    .replaceAll(',', ', ')
    .replaceAll(/([-+]) /g, '$1');
}

function tokenToText(token: Token): string {
  if (token.kind === 'word') return asciiUpper(token.text);
  if (token.kind !== 'quotedIdentifier' && token.kind !== 'string') return token.text;
  const name = unquoteIdentifier(token.text);
  // SQLite stores "long text" without its quotes, so it is the same as the bare words.
  const words = name.split(/[ \t\n\f\r]+/);
  const isBare = words.every((word) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(word) && !isReservedWord(word));
  return isBare ? asciiUpper(words.join(' ')) : renderName(name);
}

function asciiUpper(text: string): string {
  return text.replace(/[a-z]+/g, (letters) => letters.toUpperCase());
}
