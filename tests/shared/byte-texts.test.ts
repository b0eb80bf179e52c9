import fc from 'fast-check';
import { expect, test } from 'vitest';

import { decodeBase64url, encodeBase64url } from '#shared/model/base64url.ts';
import { decodeHex, encodeHex } from '#shared/model/hex.ts';
import { decodeUtf8, encodeUtf8 } from '#shared/model/utf8.ts';

test('base64url is what Node writes, and comes back', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
      const text = encodeBase64url(bytes);
      expect(text).toBe(Buffer.from(bytes).toString('base64url'));
      expect(decodeBase64url(text)).toEqual(bytes);
    }),
  );
});

test.for([
  ['padding', 'AA=='],
  ['a length that no bytes give', 'AAAAA'],
  ['the other alphabet', 'A+/A'],
  ['white space', 'AA A'],
  ['spare bits that are not zero', 'AB'],
  ['spare bits of two bytes', 'AAB'],
])('base64url with %s is refused', ([, text = '']) => {
  expect(decodeBase64url(text)).toBeNull();
});

test('hexadecimal is what Node writes, and comes back', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
      expect(encodeHex(bytes)).toBe(Buffer.from(bytes).toString('hex'));
      expect(decodeHex(encodeHex(bytes))).toEqual(bytes);
    }),
  );
});

test.for(['0', 'FF', '0g', ' 00'])('hexadecimal as %j is refused', (text) => {
  expect(decodeHex(text)).toBeNull();
});

test('UTF-8 is what Node writes, and comes back', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const bytes = encodeUtf8(text);
      expect(Buffer.from(bytes).equals(Buffer.from(text))).toBe(true);
      expect(decodeUtf8(bytes)).toBe(text);
    }),
  );
});

test('half of a surrogate pair is written as the replacement character', () => {
  expect(encodeUtf8('a\ud800')).toEqual(Uint8Array.of(0x61, 0xef, 0xbf, 0xbd));
});

test('bytes are UTF-8 exactly when a strict decoder takes them', () => {
  const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const decodeStrictly = (bytes: Uint8Array): string | null => {
    try {
      return strict.decode(bytes);
    } catch {
      return null;
    }
  };
  const oddByte = fc.constantFrom(
    0x00,
    0x61,
    0x80,
    0xbf,
    0xc0,
    0xc1,
    0xc3,
    0xe0,
    0xed,
    0xa0,
    0xef,
    0xf0,
    0xf4,
    0x90,
    0xff,
  );
  const bytes = fc
    .array(fc.oneof(oddByte, fc.nat(255)), { maxLength: 6 })
    .map((list) => Uint8Array.from(list));
  fc.assert(
    fc.property(bytes, (some) => {
      expect(decodeUtf8(some)).toBe(decodeStrictly(some));
    }),
    { numRuns: 3000 },
  );
});
