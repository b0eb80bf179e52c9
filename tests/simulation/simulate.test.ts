import { expect, test } from 'vitest';

import type { StepAction } from '#main/scenario/scenario.ts';

import { tellAgain } from './simulate.ts';
import { WELL } from './rest.ts';
import { step, type Story } from './story.ts';
import { JOINER } from './tell.ts';

// Stories in which all is well, though the account of an earlier simulator said otherwise.

const storyOf = (
  seed: number,
  { names, actions }: { names: readonly string[]; actions: readonly StepAction[] },
): Story => ({
  seed,
  replicas: names.map((name) => ({ name, origin: { kind: 'fresh' }, clockOffsetMs: 0, settings: {} })),
  steps: actions.map((action, index) => ({ ...step(action), line: index + 1 })),
});
const paths = (names: readonly string[]) =>
  names.map((to) => ({ kind: 'pause', path: { from: JOINER, to, isBothWays: true } }) as const);
const pull = (from: string, to: string, more: object = {}): StepAction => ({
  kind: 'sync',
  path: { kind: 'pair', from, to, isBothWays: false },
  delivery: { ...WELL, ...more },
});

test('a copy that becomes a new site because another replica says so begins anew with its peers', async () => {
  const actions: readonly StepAction[] = [
    {
      kind: 'sql',
      on: ['b'],
      sql: 'CREATE TABLE t (id INTEGER PRIMARY KEY, a); INSERT INTO t VALUES (1, 0), (2, 0)',
    },
    pull('b', 'a'),
    { kind: 'copy', from: 'a', to: 'a2' },
    { kind: 'sql', on: ['a', 'a2'], sql: 'INSERT INTO t VALUES (3, 0)' },
    pull('a', 'b'),
    pull('a2', 'b'),
    { kind: 'resolve', on: ['b'], object: '', with: 'newSite' },
    pull('b', 'a2', { pageFacts: 1, pages: 1 }),
  ];
  const { faults } = await tellAgain(storyOf(1, { names: ['a', 'b'], actions }), { withoutRest: true });
  expect(faults).toEqual([]);
});

test('all are at rest once a line that a new site freed has been asked again', async () => {
  const names = ['a', 'd', 'e', 'f'];
  const actions: readonly StepAction[] = [
    ...paths(names),
    { kind: 'copy', from: 'f', to: 'f6' },
    ...paths(['f6']),
    pull('f6', 'a', { pages: 3, pageFacts: 3 }),
  ];
  const { faults } = await tellAgain(storyOf(107, { names: [...names, JOINER], actions }));
  expect(faults).toEqual([]);
});
