import { expect, test } from 'vitest';

import {
  byteSize,
  counted,
  lengthOfTime,
  numberWord,
  relativeTime,
  signedSeconds,
} from '#renderer/ui/words-model.ts';

const S = 1000;
const MIN = 60 * S;
const H = 60 * MIN;
const D = 24 * H;

test.for([
  [0, '0 s'],
  [999, '0 s'],
  [59_999, '59 s'],
  [MIN, '1 min'],
  [41 * MIN, '41 min'],
  [H - 1, '59 min'],
  [3 * H, '3 h'],
  [D, '1 d'],
  [38 * D, '38 d'],
  [-5, '0 s'],
] as const)('a length of %i ms is said as %s', ([ms, said]) => {
  expect(lengthOfTime(ms)).toBe(said);
});

test.for([
  [0, 'now'],
  [-4 * S, '4 s ago'],
  [38 * S, 'in 38 s'],
  [-6 * D, '6 d ago'],
  [-7 * D, '7 d ago'],
  [-8 * D, '22 Nov 2026'],
] as const)('a moment %i ms away is said as %s', ([awayMs, said]) => {
  const nowMs = Date.UTC(2026, 10, 30, 12);
  expect(relativeTime(nowMs + awayMs, nowMs)).toBe(said);
});

test.for([
  [0, '0 bytes'],
  [999, '999 bytes'],
  [1000, '1.0 KB'],
  [9_940, '9.9 KB'],
  [9_960, '10 KB'],
  [512_000, '512 KB'],
  [999_600, '1.0 MB'],
  [412_000_000, '412 MB'],
  [2_400_000_000, '2.4 GB'],
] as const)('%i bytes are said as %s', ([bytes, said]) => {
  expect(byteSize(bytes)).toBe(said);
});

test.for([
  [0, '0.0 s'],
  [300, '+0.3 s'],
  [-400, '−0.4 s'],
  [20, '0.0 s'],
  [120_000, '+120.0 s'],
] as const)('a skew of %i ms is said as %s', ([ms, said]) => {
  expect(signedSeconds(ms)).toBe(said);
});

test('counts carry their noun, in the plural where it is due', () => {
  expect(counted(1, 'change')).toBe('1 change');
  expect(counted(1284, 'change')).toBe('1,284 changes');
  expect(counted(0, 'batch', 'batches')).toBe('0 batches');
});

test('small numbers are words at the head of a sentence', () => {
  expect([1, 3, 10, 11].map(numberWord)).toEqual(['One', 'Three', 'Ten', '11']);
});
