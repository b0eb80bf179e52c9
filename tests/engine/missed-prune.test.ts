import { expect, test } from 'vitest';

import { missedPrune } from '#main/engine/clock/missed-prune.ts';
import type { Stamp } from '#shared/model/change-group.ts';
import { siteId } from '../support/ids.ts';

// Guards PRUNE-001.

const [one, two, three] = [siteId(1), siteId(2), siteId(3)];
const stamps = (...pairs: readonly (readonly [site: typeof one, hlc: bigint])[]): readonly Stamp[] =>
  pairs.map(([site, hlc]) => ({ site, hlc }));

const CASES: readonly {
  readonly title: string;
  readonly knows: readonly Stamp[];
  readonly pruned: readonly Stamp[];
  readonly missed: Stamp | null;
}[] = [
  { title: 'nothing pruned, nothing missed', knows: stamps([one, 1n]), pruned: [], missed: null },
  {
    title: 'all of an author up to the deletion is enough',
    knows: stamps([one, 7n]),
    pruned: stamps([one, 7n]),
    missed: null,
  },
  {
    title: 'less than that is too old',
    knows: stamps([one, 6n]),
    pruned: stamps([one, 7n]),
    missed: { site: one, hlc: 7n },
  },
  {
    title: 'an author that is unknown, beside one that is known, is missed',
    knows: stamps([two, 9n]),
    pruned: stamps([one, 7n], [two, 0n]),
    missed: { site: one, hlc: 7n },
  },
  {
    title: 'two sides without an author in common never had a row in common',
    knows: stamps([three, 1n]),
    pruned: stamps([one, 7n], [two, 0n]),
    missed: null,
  },
];

test.for(CASES)('$title', ({ knows, pruned, missed }) => {
  expect(missedPrune(knows, pruned)).toEqual(missed);
});
