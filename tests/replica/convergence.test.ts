import { expect, test } from 'vitest';

import { POOLS } from '../support/convergence-pools.ts';
import { stepText, tellStory } from '../support/convergence-steps.ts';
import { playStory, shrinkStory } from '../support/convergence-story.ts';

// Random stories of three replicas, by seed. SIM_SEEDS says how many are told per pool, SIM_FIRST with which to begin.
const { SIM_SEEDS, SIM_FIRST } = process.env;
const SEEDS = Number(SIM_SEEDS ?? 6);
const FIRST = Number(SIM_FIRST ?? 1);

const stories = Object.entries(POOLS).flatMap(([pool, pools]) =>
  Array.from({ length: SEEDS }, (_value, place) => ({ pool, pools, seed: FIRST + place })),
);

test.each(stories)('all end equal and nothing is lost: $pool, seed $seed', ({ pools, seed }) => {
  const steps = tellStory(seed, pools);
  const { faults } = playStory(seed, steps);
  const told = faults.length === 0 ? steps : shrinkStory(seed, steps);
  expect(faults, told.map(stepText).join('\n')).toEqual([]);
});
