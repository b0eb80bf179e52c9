import { expect, test } from 'vitest';

import { foundRowsText } from '#shared/model/found-rows-text.ts';
import type { FindingView } from '#shared/model/views.ts';

const finding: FindingView = {
  kind: 'foreignKey',
  table: 't',
  detail: '',
  advice: '',
  sinceMs: 0,
  rowCount: 2,
  hasMore: false,
  rows: [
    { key: ['k'], by: null },
    { key: [{ int: '7' }, 'x'], by: null },
  ],
};

test('rows are named by their keys, as people write values', () => {
  expect(foundRowsText(finding)).toBe(`Rows 'k', (7, 'x').`);
});

test('of a row that waits for a unique key also the key of the row that has it', () => {
  expect(foundRowsText({ ...finding, rowCount: 1, rows: [{ key: ['b1'], by: ['a1'] }] })).toBe(
    `Row 'b1' ('a1' has it).`,
  );
});

test('rows that are not named are counted, and said to be a lower bound where they are', () => {
  expect(foundRowsText({ ...finding, rowCount: 1200 })).toBe(`Rows 'k', (7, 'x'), 1,198 more.`);
  expect(foundRowsText({ ...finding, rowCount: 1000, hasMore: true })).toBe(
    `Rows 'k', (7, 'x'), 998 or more others.`,
  );
});

test('a finding that is about no row in particular names none', () => {
  expect(foundRowsText({ ...finding, rowCount: null, rows: [] })).toBe('');
});
