import { expect, test } from 'vitest';

import { stepText } from '../support/convergence-steps.ts';
import { playStory, shrinkStory } from '../support/convergence-story.ts';
import { SCHEMA_TELLERS } from '../support/convergence-tellers.ts';

// Random catalogs and DDL of every form on three replicas, with rows in between, any delivery, duplicates and relays;
// and scenes around one hazard each. SCHEMA_SEEDS says how many stories are told per pool, SCHEMA_FIRST with which to
// begin, SCHEMA_POOL which pool alone. `npm run stories` tells them one by one, `npm run planted` shows that they find
// planted bugs.
const { SCHEMA_SEEDS, SCHEMA_FIRST, SCHEMA_POOL } = process.env;
const FIRST = Number(SCHEMA_FIRST ?? 1);

for (const { pool, seeds, tell, how } of SCHEMA_TELLERS) {
  if (SCHEMA_POOL !== undefined && SCHEMA_POOL !== pool) continue;
  for (let seed = FIRST; seed < FIRST + Number(SCHEMA_SEEDS ?? seeds); seed += 1) {
    test(`the catalog is the same everywhere at rest: ${pool}, seed ${seed}`, () => {
      const steps = tell(seed);
      const { faults } = playStory(seed, steps, how);
      const told = faults.length === 0 ? steps : shrinkStory(seed, steps, how);
      expect(faults, told.map(stepText).join('\n')).toEqual([]);
    });
  }
}
