import { expect, test } from 'vitest';

import { scenarioOf } from './scenario-of.ts';
import { tellNew } from './simulate.ts';

// 200 short stories of many replicas in every run; `npm run sim` tells longer ones, as many as wanted.
const SEEDS_EACH = 25;
const STEPS = 10;
/** One in so many has as many replicas as its seed draws; the others have three, which costs far less. */
const LARGE_EVERY = 10;

/** Seeds whose fault is known and not mended yet; docs/reliability.md says what it is. */
const KNOWN: ReadonlySet<number> = new Set();

for (const first of [1, 26, 51, 76, 101, 126, 151, 176]) {
  test(`whatever happens, nothing is lost and all end equal: seeds ${first} to ${first + SEEDS_EACH - 1}`, async () => {
    for (let seed = first; seed < first + SEEDS_EACH; seed += 1) {
      if (KNOWN.has(seed)) continue;
      const replicas = seed % LARGE_EVERY === 0 ? null : 3;
      const told = await tellNew(seed, { steps: STEPS, replicas });
      const few = replicas === null ? '' : ` --replicas ${replicas}`;
      const again = `npm run sim -- --seed ${seed} --steps ${STEPS}${few} makes it shorter.`;
      expect(told.faults, told.faults.length === 0 ? '' : `${again}\n${scenarioOf(told)}`).toEqual([]);
    }
  });
}
