import { foldIdentifier } from '../sql/fold-identifier.ts';
import { isKeyword } from '../sql/keywords.ts';
import { scanTokens } from '../sql/scan-tokens.ts';
import { isSignificant, type Token } from '../sql/token.ts';
import { unquoteIdentifier } from '../sql/unquote-identifier.ts';

/**
 * Whether two statements are the same word for word but for white space, comments, case and quotes. A tenth of the price
 * of reading them, and the answer for most objects of two replicas. False says nothing: they may mean the same.
 */
export function isSpeltAlike(left: string, right: string): boolean {
  const one = scanTokens(left).filter(isSignificant);
  const other = scanTokens(right).filter(isSignificant);
  return (
    one.length === other.length &&
    one.every((token, at) => isSameToken(token, other[at], isText(one[at - 1])))
  );
}

/** A word after DEFAULT is a text. */
const isText = (before: Token | undefined): boolean => before?.text.toLowerCase() === 'default';

function isSameToken(one: Token, other: Token | undefined, isExact: boolean): boolean {
  if (other === undefined) return false;
  if (one.text === other.text) return one.kind === other.kind;
  if (isExact) return false;
  const [name, otherName] = [nameOf(one), nameOf(other)];
  return name !== null && name === otherName;
}

/** A word or a quoted name, folded; null of other tokens, and of a quoted keyword, which is no keyword. */
function nameOf({ kind, text }: Token): string | null {
  if (kind === 'word') return foldIdentifier(text);
  if (kind !== 'quotedIdentifier') return null;
  const name = unquoteIdentifier(text);
  return isKeyword(name) ? null : foldIdentifier(name);
}
