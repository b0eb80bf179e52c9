import { expect, test } from 'vitest';

import { joinedClauses, listed, sentenceText, textToSentence } from '#renderer/ui/sentence-model.ts';

const names = (count: number) => ['a', 'b', 'c', 'd', 'e', 'f'].slice(0, count).map((name) => ({ name }));

test.for([
  [0, ''],
  [1, 'a'],
  [2, 'a and b'],
  [3, 'a, b and c'],
  [4, 'a, b, c and d'],
  [6, 'a, b, c and 3 more'],
] as const)('%i names are listed as "%s"', ([count, said]) => {
  expect(sentenceText(listed(names(count)))).toBe(said);
});

test('clauses are joined with commas and an and before the last', () => {
  expect(sentenceText(joinedClauses([['x is blocked']]))).toBe('x is blocked');
  expect(sentenceText(joinedClauses([['x'], ['y'], ['z']]))).toBe('x, y, and z');
});

test('names between backquotes in a sentence of the host become names', () => {
  expect(textToSentence('`total` is REAL here and TEXT on `hq`.')).toEqual([
    { name: 'total' },
    ' is REAL here and TEXT on ',
    { name: 'hq' },
    '.',
  ]);
  expect(textToSentence('Nothing is held.')).toEqual(['Nothing is held.']);
  expect(sentenceText(textToSentence('an odd ` alone'))).toBe('an odd ` alone');
});
