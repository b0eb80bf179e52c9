import { describe, expect, test } from 'vitest';

import { isSameRow, isSameValue, rowsText, valueText } from '#main/scenario/compare-values.ts';
import type { SqlValue } from '#shared/model/sql-value.ts';

interface Case {
  readonly title: string;
  readonly left: SqlValue;
  readonly right: SqlValue;
  readonly isSame: boolean;
}

const bytes = (...values: readonly number[]): Uint8Array => Uint8Array.from(values);

const cases: readonly Case[] = [
  { title: '1 is 1.0', left: 1n, right: 1, isSame: true },
  { title: '1.0 is 1', left: 1, right: 1n, isSame: true },
  { title: '1 is not 1.5', left: 1n, right: 1.5, isSame: false },
  { title: '2^53 + 1 is not the real nearest to it', left: 2n ** 53n + 1n, right: 2 ** 53, isSame: false },
  { title: '2^53 is that real', left: 2n ** 53n, right: 2 ** 53, isSame: true },
  { title: 'the largest integer is itself', left: 2n ** 63n - 1n, right: 2n ** 63n - 1n, isSame: true },
  {
    title: 'infinities are themselves',
    left: Number.POSITIVE_INFINITY,
    right: Number.POSITIVE_INFINITY,
    isSame: true,
  },
  {
    title: 'an integer is no infinity',
    left: 2n ** 63n - 1n,
    right: Number.POSITIVE_INFINITY,
    isSame: false,
  },
  { title: 'a number is no text', left: 1n, right: '1', isSame: false },
  { title: 'text by its bytes, not by what it looks like', left: 'e\u0301', right: '\u00e9', isSame: false },
  { title: 'text with NUL', left: 'a\0b', right: 'a\0b', isSame: true },
  { title: 'blobs by their bytes', left: bytes(0, 255), right: bytes(0, 255), isSame: true },
  { title: 'a longer blob is another', left: bytes(0), right: bytes(0, 0), isSame: false },
  { title: 'a blob is no text', left: bytes(97), right: 'a', isSame: false },
  { title: 'null is null', left: null, right: null, isSame: true },
  { title: 'null is not empty', left: null, right: '', isSame: false },
  {
    title: 'raw text by its bytes',
    left: { textBytes: bytes(255) },
    right: { textBytes: bytes(255) },
    isSame: true,
  },
];

test.for(cases)('$title', ({ left, right, isSame }) => {
  expect(isSameValue(left, right)).toBe(isSame);
  expect(isSameValue(right, left)).toBe(isSame);
});

test('rows are the same value by value, in order and number', () => {
  expect(isSameRow([1n, 'a'], [1, 'a'])).toBe(true);
  expect(isSameRow([1n, 'a'], ['a', 1n])).toBe(false);
  expect(isSameRow([1n], [1n, null])).toBe(false);
});

describe('what was there is written as a scenario would write it', () => {
  test('values', () => {
    const values: readonly SqlValue[] = [null, 5n, 5, 1.5, 'a "b"', bytes(0, 255), Number.NEGATIVE_INFINITY];
    expect(values.map(valueText)).toEqual([
      'null',
      '5',
      '5.0',
      '1.5',
      '"a \\"b\\""',
      '{blob: "00ff"}',
      '-.inf',
    ]);
  });

  test('rows, the last of many left out', () => {
    expect(
      rowsText([
        [1n, 'a'],
        [2n, null],
      ]),
    ).toBe('[[1, "a"], [2, null]]');
    expect(rowsText([[1n], [2n], [3n]], 2)).toBe('[[1], [2], … 1 more]');
  });
});
