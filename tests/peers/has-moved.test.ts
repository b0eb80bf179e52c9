import { expect, test } from 'vitest';

import { hasMoved, type Movement } from '#main/peers/has-moved.ts';

const still: Movement = { admittedGroups: 0, factsApplied: 0, factsHeld: 0, blocked: null };
const blockedOn = (conflictId: string, more: Partial<Movement> = {}): Movement => ({
  ...still,
  blocked: { conflictId },
  ...more,
});

test.for<{ title: string; now: Movement; before?: Movement; expected: boolean }>([
  { title: 'nothing was admitted', now: still, before: still, expected: false },
  { title: 'nothing was admitted and it is blocked', now: blockedOn('x'), expected: false },
  { title: 'a group was admitted', now: { ...still, admittedGroups: 1 }, before: still, expected: true },
  {
    title: 'a group was admitted before the line stopped for the first time',
    now: blockedOn('x', { admittedGroups: 1 }),
    before: still,
    expected: true,
  },
  {
    title: 'it was given the answers of its conflict again',
    now: blockedOn('x', { admittedGroups: 1 }),
    before: blockedOn('x', { admittedGroups: 1 }),
    expected: false,
  },
  {
    title: 'something landed though the conflict is the same',
    now: blockedOn('x', { admittedGroups: 1, factsApplied: 1 }),
    before: blockedOn('x'),
    expected: true,
  },
  {
    title: 'something was held though the conflict is the same',
    now: blockedOn('x', { admittedGroups: 1, factsHeld: 1 }),
    before: blockedOn('x'),
    expected: true,
  },
  {
    title: 'it is blocked on another conflict than before',
    now: blockedOn('y', { admittedGroups: 1 }),
    before: blockedOn('x'),
    expected: true,
  },
])('hasMoved says $expected when $title', ({ now, before, expected }) => {
  expect(hasMoved(now, before)).toBe(expected);
});
