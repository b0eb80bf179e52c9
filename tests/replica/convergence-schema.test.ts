import { expect, test } from 'vitest';

import { SCHEMA_POOLS } from '../support/convergence-dialect.ts';
import { SCENE_SORTS, tellScenes } from '../support/convergence-scenes.ts';
import { stepText, tellStory } from '../support/convergence-steps.ts';
import type { StoryStep } from '../support/convergence-steps.ts';
import { playStory, shrinkStory } from '../support/convergence-story.ts';

// Random catalogs and DDL of every form on three replicas, with rows in between, any delivery, duplicates and relays;
// and scenes around one hazard each. SCHEMA_SEEDS says how many stories are told per pool, SCHEMA_FIRST with which to
// begin, SCHEMA_POOL which pool alone; with SCHEMA_SHRINK=no a story that fails is told as it is. `npm run planted` shows
// that they find planted bugs.
const { SCHEMA_SEEDS, SCHEMA_FIRST, SCHEMA_POOL, SCHEMA_SHRINK } = process.env;
const FIRST = Number(SCHEMA_FIRST ?? 1);
/** Long ones take as long as five. */
const COUNTS: Readonly<Record<string, number>> = { long: 5, calm: 50, decided: 30 };
const seedsOf = (pool: string): number => Number(SCHEMA_SEEDS ?? COUNTS[pool] ?? 10);

const TELLERS: readonly (readonly [pool: string, tell: (seed: number) => readonly StoryStep[]])[] = [
  ...SCENE_SORTS.map((sort) => [sort, (seed: number) => tellScenes(seed, sort)] as const),
  ...Object.entries(SCHEMA_POOLS).map(
    ([pool, pools]) => [pool, (seed: number) => tellStory(seed, pools)] as const,
  ),
];

for (const [pool, tell] of TELLERS) {
  if (SCHEMA_POOL !== undefined && SCHEMA_POOL !== pool) continue;
  for (let seed = FIRST; seed < FIRST + seedsOf(pool); seed += 1) {
    test(`the catalog is the same everywhere at rest: ${pool}, seed ${seed}`, () => {
      const steps = tell(seed);
      const how = { account: false, isCalm: pool === 'calm' };
      const { faults } = playStory(seed, steps, how);
      const isTold = faults.length === 0 || SCHEMA_SHRINK === 'no';
      const told = isTold ? steps : shrinkStory(seed, steps, how);
      expect(faults, told.map(stepText).join('\n')).toEqual([]);
    });
  }
}
