import { expect, test } from 'vitest';

import { parseScenario } from '#main/scenario/parse-scenario.ts';
import { playSource, readScenario } from '../support/play-scenario.ts';
import { scenarioOf } from './scenario-of.ts';
import { tellAgain, tellNew } from './simulate.ts';

test('a story that was told is a scenario file with the same steps, and plays by the scenario runner', async () => {
  const told = await tellNew(4, { steps: 12, replicas: 3 });
  expect(told.faults).toEqual([]);

  const source = scenarioOf(told);
  const read = readScenario(source);

  expect(read.replicas).toEqual(told.story.replicas);
  const plain = [...told.story.steps, ...told.rest].map(({ line: _line, ...step }) => step);
  expect(read.steps.map(({ line: _line, ...step }) => step)).toEqual(plain);
  expect(await playSource(source)).toMatchObject({ passed: true });
});

test('the same seed tells the same story, and it can be told again', async () => {
  const [one, other] = [
    await tellNew(9, { steps: 15, replicas: 3 }),
    await tellNew(9, { steps: 15, replicas: 3 }),
  ];
  expect(other).toEqual(one);
  expect(await tellAgain(one.story)).toEqual(one);
});

test('every word of the simulator is one of the scenario language', () => {
  const source = scenarioOf({
    story: {
      seed: 1,
      replicas: [{ name: 'a', settings: { pageFacts: 3 }, clockOffsetMs: -5, origin: { kind: 'fresh' } }],
      steps: [
        { line: 1, kind: 'sql', on: ['a'], sql: 'BEGIN;\nSELECT 1;\nCOMMIT', killAtWrite: 3, mayFail: true },
        { line: 2, kind: 'external', on: ['a'], sql: "INSERT INTO t VALUES ('#: x')" },
        { line: 3, kind: 'notice', on: ['a'], killAtWrite: 1 },
        { line: 4, kind: 'reopen', on: ['a'] },
        { line: 5, kind: 'crash', on: ['a'] },
        { line: 6, kind: 'clock', on: ['a'], offsetMs: -300 },
        { line: 7, kind: 'copy', from: 'a', to: 'b' },
        { line: 8, kind: 'prune', on: ['a'], olderThanMs: 1_000 },
        { line: 9, kind: 'restore', on: ['a'], fromStep: 6 },
        { line: 10, kind: 'pause', path: { from: 'a', to: 'b', isBothWays: true } },
        { line: 11, kind: 'resume', path: { from: 'a', to: 'b', isBothWays: false } },
        { line: 12, kind: 'resolve', on: ['a'], object: 't', with: 'keepLocal' },
        {
          ...{ line: 13, kind: 'sync', path: { kind: 'pair', from: 'a', to: 'b', isBothWays: false } },
          delivery: { duplicate: true, reorder: true, drop: 0.3, pages: 2, pageFacts: 7, killAtWrite: 9 },
        },
      ],
    },
    ...{ rest: [], faults: [], steps: 13 },
  });
  expect(parseScenario(source)).toMatchObject({ ok: true });
});
