import fc from 'fast-check';
import { Packr, Unpackr } from 'msgpackr';
import { expect, test } from 'vitest';

import { findMsgpackProblem } from '#main/peers/find-msgpack-problem.ts';
import { decodeWireMessage, encodeWireMessage } from '#main/peers/wire-codec.ts';
import { DEPTH_MAX } from '#shared/wire/limits.ts';
import { anySqlValue } from '../support/arbitraries.ts';
import { fullPage, pageOfValues } from '../support/wire-builders.ts';

const packr = new Packr({ useRecords: false, variableMapSize: true });
const unpackr = new Unpackr({ useRecords: false, mapsAsObjects: true });

// Guards WIRE-003.
test('W01 every value of SQLite survives its encoding', () => {
  fc.assert(
    fc.property(fc.array(anySqlValue, { maxLength: 20 }), (values) => {
      const page = pageOfValues(values);
      const encoded = encodeWireMessage(page);
      expect(encoded.ok && decodeWireMessage(encoded.value)).toEqual({ ok: true, value: page });
    }),
    { numRuns: 500 },
  );
});

const encodedPage = (): Uint8Array => {
  const encoded = encodeWireMessage(fullPage());
  return encoded.ok ? encoded.value : new Uint8Array();
};

test('no bytes at all make the decoder throw', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      expect(typeof decodeWireMessage(bytes).ok).toBe('boolean');
    }),
    { numRuns: 3000 },
  );
});

test('no bytes changed or lost make the decoder throw, and no page without its end is taken', () => {
  const bytes = encodedPage();
  for (let length = 0; length < bytes.length; length += 1) {
    expect(decodeWireMessage(bytes.subarray(0, length)).ok).toBe(false);
  }
  fc.assert(
    fc.property(fc.nat(bytes.length - 1), fc.nat(255), (at, byte) => {
      const changed = Uint8Array.from(bytes);
      changed[at] = byte;
      expect(typeof decodeWireMessage(changed).ok).toBe('boolean');
    }),
    { numRuns: 5000 },
  );
});

const plainJson = fc.jsonValue({ maxDepth: 6, stringUnit: 'binary' });

test('the walk lets through what the protocol may use, and the library can read', () => {
  fc.assert(
    fc.property(plainJson, (value) => {
      expect(findMsgpackProblem(packr.pack(value), [])).toBeNull();
    }),
  );
});

test('what the walk lets through, the library reads to its end', () => {
  const token = fc.constantFrom(
    0x80,
    0x81,
    0x90,
    0x92,
    0xa1,
    0xc0,
    0xc3,
    0xc4,
    0xc7,
    0xcb,
    0xd3,
    0xd4,
    0xd9,
    0xdc,
    0xde,
    0x00,
    0x01,
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(token, fc.nat(255)), { maxLength: 24 }), (list) => {
      const bytes = Uint8Array.from(list);
      if (findMsgpackProblem(bytes, []) === null)
        expect(() => unpackr.unpack(bytes) as unknown).not.toThrow();
    }),
    { numRuns: 5000 },
  );
});

test.for([
  ['bytes after the end', [0xc0, 0xc0], '1 bytes follow the end'],
  ['nothing', [], 'it ends too early'],
  ['a list longer than the bytes', [0xdd, 0xff, 0xff, 0xff, 0xff], 'it ends too early'],
  ['a map longer than the bytes', [0xdf, 0x7f, 0xff, 0xff, 0xff, 0xc0], 'it ends too early'],
  ['a text longer than the bytes', [0xdb, 0, 0, 0, 2, 0x61], 'it ends too early'],
  ['a length that is cut', [0xda, 0], 'it ends too early'],
  ['text that is not UTF-8', [0xa1, 0xff], 'a text is not UTF-8'],
  ['a key that is a map', [0x81, 0x80, 0x00], 'a key is not a text'],
  ['a second key that is a number', [0x82, 0xa0, 0x00, 0x01, 0x02], 'a key is not a text'],
  ['an unused byte', [0xc1], 'the byte 0xc1 is not used'],
  ['an integer without a sign', [0xcf, 0, 0, 0, 0, 0, 0, 0, 1], 'the byte 0xcf is not used'],
  ['a definition of a record', [0xd4, 0x72, 0x40], 'the extension 114 is not used'],
  ['a timestamp', [0xd6, 0xff, 0, 0, 0, 0], 'the extension 255 is not used'],
] as const)('the walk stops at %s', ([, bytes, why]) => {
  expect(findMsgpackProblem(Uint8Array.from(bytes), [1, 2])).toBe(why);
});

test('the walk stops where lists nest too deep, however deep they go on', () => {
  expect(findMsgpackProblem(Uint8Array.from([...Array<number>(DEPTH_MAX).fill(0x91), 0xc0]), [])).toBeNull();
  expect(findMsgpackProblem(new Uint8Array(1_000_000).fill(0x91), [])).toBe(
    `it nests deeper than ${DEPTH_MAX}`,
  );
});
