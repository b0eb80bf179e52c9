import { createHash } from 'node:crypto';

import fc from 'fast-check';
import { expect, test } from 'vitest';

import { schemaFingerprint } from '#main/engine/catalog/schema-fingerprint.ts';

// Guards SCHEMA-004.

const hash = (text: string) => new Uint8Array(createHash('sha256').update(text).digest());
const texts = fc.array(fc.constantFrom('', 'a', 'b', 'a\n', '1:a', '\n'), { maxLength: 5 });
const sorted = (list: readonly string[]) => list.toSorted();

test('catalogs have one fingerprint exactly when their texts are the same, in whatever order', () => {
  fc.assert(
    fc.property(texts, texts, (left, right) => {
      const isSame = JSON.stringify(sorted(left)) === JSON.stringify(sorted(right));
      expect(schemaFingerprint(left, hash) === schemaFingerprint(right, hash)).toBe(isSame);
    }),
    { numRuns: 2000 },
  );
});

test('a fingerprint is as long as an ID', () => {
  expect(schemaFingerprint([], hash)).toMatch(/^[A-Za-z0-9_-]{22}$/);
});
