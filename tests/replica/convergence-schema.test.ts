import { expect, test } from 'vitest';

import { SCHEMA_POOLS } from '../support/convergence-dialect.ts';
import { stepText, tellStory } from '../support/convergence-steps.ts';
import { playStory, shrinkStory } from '../support/convergence-story.ts';

// Random catalogs and DDL of every form on three replicas, with rows in between, any delivery, duplicates and relays.
// SCHEMA_SEEDS says how many stories are told per pool, SCHEMA_FIRST with which to begin, SCHEMA_POOL which pool alone;
// with SCHEMA_SHRINK=no a story that fails is told as it is. `npm run planted` shows that they find planted bugs.
const { SCHEMA_SEEDS, SCHEMA_FIRST, SCHEMA_POOL, SCHEMA_SHRINK } = process.env;
const FIRST = Number(SCHEMA_FIRST ?? 1);
/** Long ones take as long as five. */
const seedsOf = (pool: string): number => Number(SCHEMA_SEEDS ?? (pool === 'long' ? 10 : 20));

for (const [pool, pools] of Object.entries(SCHEMA_POOLS)) {
  if (SCHEMA_POOL !== undefined && SCHEMA_POOL !== pool) continue;
  for (let seed = FIRST; seed < FIRST + seedsOf(pool); seed += 1) {
    test(`the catalog is the same everywhere at rest: ${pool}, seed ${seed}`, () => {
      const steps = tellStory(seed, pools);
      const { faults } = playStory(seed, steps, { account: false });
      const isTold = faults.length === 0 || SCHEMA_SHRINK === 'no';
      const told = isTold ? steps : shrinkStory(seed, steps, { account: false });
      expect(faults, told.map(stepText).join('\n')).toEqual([]);
    });
  }
}
