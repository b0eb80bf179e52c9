import { expect, test } from 'vitest';

import { scenarioOf } from './scenario-of.ts';
import { shorten } from './shorten.ts';
import { tellNew } from './simulate.ts';

// 200 short stories of many replicas in every run; `npm run sim` tells longer ones, as many as wanted.
const SEEDS_EACH = 25;
const STEPS = 12;

for (const first of [1, 26, 51, 76, 101, 126, 151, 176]) {
  test(`whatever happens, nothing is lost and all end equal: seeds ${first} to ${first + SEEDS_EACH - 1}`, async () => {
    for (let seed = first; seed < first + SEEDS_EACH; seed += 1) {
      const told = await tellNew(seed, { steps: STEPS, replicas: null });
      const isWell = told.faults.length === 0;
      expect(told.faults, isWell ? '' : scenarioOf(await shorten(told))).toEqual([]);
    }
  });
}
