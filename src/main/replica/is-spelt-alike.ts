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
  return one.length === other.length && one.every((token, at) => isSameToken(token, other[at]));
}

function isSameToken(one: Token, other: Token | undefined): boolean {
  if (other === undefined) return false;
  if (one.text === other.text) return one.kind === other.kind;
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
