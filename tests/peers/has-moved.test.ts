import { expect, test } from 'vitest';

import { hasMoved } from '#main/peers/has-moved.ts';

const still = { admittedGroups: 0, factsApplied: 0, factsSuperseded: 0, factsHeld: 0, migrations: 0 };

test.for([
  { title: 'nothing came', report: still, expected: false },
  { title: 'what came was here already', report: { ...still, admittedGroups: 2 }, expected: false },
  { title: 'what came lost', report: { ...still, admittedGroups: 1, factsSuperseded: 3 }, expected: false },
  { title: 'a fact was applied', report: { ...still, factsApplied: 1 }, expected: true },
  { title: 'a fact was held', report: { ...still, factsHeld: 1 }, expected: true },
  { title: 'a migration was recorded', report: { ...still, migrations: 1 }, expected: true },
])('hasMoved says $expected when $title', ({ report, expected }) => {
  expect(hasMoved(report)).toBe(expected);
});
