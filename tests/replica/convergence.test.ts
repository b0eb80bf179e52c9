import { expect, test } from 'vitest';

import { stepText } from '../support/convergence-steps.ts';
import { playStory, shrinkStory } from '../support/convergence-story.ts';
import { ROW_TELLERS } from '../support/convergence-tellers.ts';

// Random stories of three replicas, by seed. SIM_SEEDS says how many are told per pool, SIM_FIRST with which to begin.
const { SIM_SEEDS, SIM_FIRST } = process.env;
const FIRST = Number(SIM_FIRST ?? 1);

const stories = ROW_TELLERS.flatMap(({ pool, seeds, tell, how }) =>
  Array.from({ length: Number(SIM_SEEDS ?? seeds) }, (_value, place) => ({
    ...{ pool, tell, how },
    seed: FIRST + place,
  })),
);

test.each(stories)('all end equal and nothing is lost: $pool, seed $seed', ({ tell, how, seed }) => {
  const steps = tell(seed);
  const { faults } = playStory(seed, steps, how);
  const told = faults.length === 0 ? steps : shrinkStory(seed, steps, how);
  expect(faults, told.map(stepText).join('\n')).toEqual([]);
});
