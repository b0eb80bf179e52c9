import { BASE64URL_ALPHABET } from './base64url.ts';
import type { SiteId } from './ids.ts';

/**
 * Orders sites by the bytes of their IDs, as SQLite orders the blobs: negative, zero or positive.
 *
 * The characters themselves sort otherwise ('-' and the digits come before the letters in Unicode).
 */
export const compareSiteIds = (left: SiteId, right: SiteId): number => compareIds(left, right);

/** Orders any two IDs in text form by the bytes they stand for. */
export function compareIds(left: string, right: string): number {
  if (left === right) return 0;
  const length = Math.min(left.length, right.length);
  for (let place = 0; place < length; place += 1) {
    const difference = rank(left, place) - rank(right, place);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

const rank = (id: string, place: number): number => BASE64URL_ALPHABET.indexOf(id.charAt(place));
