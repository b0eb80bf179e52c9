import { expect, test } from 'vitest';

import { countWords, lengthWords, sizeWords, timeWords } from '#main/cli/count-words.ts';
import { textFacts, textTable } from '#main/cli/text-table.ts';

test('columns are as wide as their widest cell, numbers at the right, nothing trails', () => {
  const table = textTable(
    [{ title: 'Name' }, { title: 'Rows', isNumber: true }, { title: 'Note' }],
    [
      ['products', '1,240', 'two\n  lines'],
      ['x', '3', ''],
    ],
  );
  expect(table.split('\n')).toEqual([
    'Name       Rows  Note',
    'products  1,240  two lines',
    'x             3',
  ]);
});

test('facts stand under each other', () => {
  expect(
    textFacts([
      ['head', '7'],
      ['tables', '2'],
    ]),
  ).toBe('head    7\ntables  2');
});

test.for([
  [0, 'no rows'],
  [1, '1 row'],
  [1284, '1,284 rows'],
] as const)('%i is said as "%s"', ([count, words]) => {
  expect(countWords(count, 'row')).toBe(words);
});

const NOW = Date.UTC(2026, 5, 1);
test.for([
  [0, 'now'],
  [-4_000, '4 s ago'],
  [-41 * 60_000, '41 min ago'],
  [38_000, 'in 38 s'],
  [-3 * 3_600_000, '3 h ago'],
  [-6 * 86_400_000, '6 d ago'],
  [-8 * 86_400_000, '2026-05-24'],
] as const)('%i ms from now is said as "%s"', ([awayMs, words]) => {
  expect(timeWords(NOW + awayMs, NOW)).toBe(words);
});

test('lengths and sizes in the unit that they fill', () => {
  expect([900, 60_000, 90 * 60_000].map(lengthWords)).toEqual(['900 ms', '1 min', '2 h']);
  expect([512, 2048, 412 * 1024 ** 2, 1.5 * 1024 ** 3].map(sizeWords)).toEqual([
    '512 bytes',
    '2.0 KB',
    '412 MB',
    '1.5 GB',
  ]);
});
