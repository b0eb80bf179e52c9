import { expect, test } from 'vitest';

import { compareIndexes } from '#main/sql/compare-indexes.ts';
import { compareTables } from '#main/sql/compare-tables.ts';
import { anIndex, aTable } from './support.ts';

test('C003: two creates of one name with other columns and keys differ, and every difference is named', () => {
  const left = aTable('CREATE TABLE visit(id INTEGER PRIMARY KEY, total REAL)');
  const right = aTable('CREATE TABLE visit(code TEXT PRIMARY KEY, amount INTEGER, note TEXT)');
  const { equal, differences } = compareTables(left, right);
  expect(equal).toBe(false);
  expect(differences.map(({ kind, subject }) => `${kind} ${subject}`)).toEqual([
    'column amount',
    'column code',
    'column id',
    'column note',
    'column total',
    'primaryKey id',
  ]);
});

test('C054: one index name on two tables differs; spacing and quotes do not', () => {
  const left = anIndex('CREATE INDEX idx_n ON p(n)');
  expect(compareIndexes(left, anIndex('CREATE INDEX idx_n ON q(n)')).differences).toEqual([
    { kind: 'table', subject: '', left: 'p', right: 'q' },
  ]);
  const same = anIndex('CREATE INDEX idx_same ON p(id,n)');
  expect(compareIndexes(same, anIndex('CREATE INDEX "idx_same" on p ( id , n );')).equal).toBe(true);
});
