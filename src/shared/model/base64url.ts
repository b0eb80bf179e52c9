/** The alphabet of RFC 4648, section 5, in the order of the values it stands for. */
export const BASE64URL_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Writes bytes as base64url without padding: 16 bytes become the 22 characters of an ID. */
export function encodeBase64url(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const [first = 0, second = 0, third = 0] = bytes.subarray(at, at + 3);
    const bits = (first << 16) | (second << 8) | third;
    const characters = Math.min(bytes.length - at, 3) + 1;
    for (let place = 0; place < characters; place += 1) {
      text += BASE64URL_ALPHABET.charAt((bits >> (18 - 6 * place)) & 0x3f);
    }
  }
  return text;
}

/**
 * Reads what `encodeBase64url` writes. Null for anything else: padding, foreign characters,
 * a length that no byte count gives, or spare bits that are not zero (each text has one reading).
 */
export function decodeBase64url(text: string): Uint8Array | null {
  if (text.length % 4 === 1) return null;
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4));
  let bits = 0;
  let bitCount = 0;
  let at = 0;
  for (const character of text) {
    const value = BASE64URL_ALPHABET.indexOf(character);
    if (value < 0) return null;
    bits = ((bits << 6) | value) & 0xffff;
    bitCount += 6;
    if (bitCount < 8) continue;
    bitCount -= 8;
    bytes[at] = (bits >> bitCount) & 0xff;
    at += 1;
  }
  return (bits & ((1 << bitCount) - 1)) === 0 ? bytes : null;
}
