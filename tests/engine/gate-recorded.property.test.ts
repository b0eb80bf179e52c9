import fc from 'fast-check';
import { expect, test } from 'vitest';

import { gateRecorded } from '#main/engine/migration/gate-recorded.ts';
import { playName } from '../support/name-model.ts';
import type { Gate, NameEvent } from '../support/name-model.ts';

// Guards SCHEMA-001.

const SITES = 3;
const site = fc.nat(SITES - 1);
const events: fc.Arbitrary<readonly NameEvent[]> = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constant('create' as const),
      site,
      definition: fc.constantFrom('x' as const, 'y' as const),
    }),
    fc.record({ kind: fc.constant('drop' as const), site }),
    fc.record({ kind: fc.constant('pull' as const), site, from: site, dropsFirst: fc.boolean() }),
  ),
  { maxLength: 16 },
);

const converges = (object: 'index' | 'table' | 'view', gate?: Gate) =>
  fc.property(events, (story) => {
    const shown = playName(story, { sites: SITES, object, ...(gate === undefined ? {} : { gate }) });
    expect(new Set(shown).size).toBe(1);
  });

test.for(['index', 'table', 'view'] as const)(
  'G02 G13 P08 P09 sites that exchanged everything show the same %s, in whatever order it came',
  (object) => {
    fc.assert(converges(object), { numRuns: 3000 });
  },
);

// Rules that are wrong in one way each: the property has to find every one of them.
const wrongGates: readonly (readonly [string, 'index' | 'table' | 'view', Gate])[] = [
  [
    'a drop touches whatever stands there',
    'index',
    (facts) =>
      facts.arriving.type === 'drop_index' ? { verdict: 'proceed', reveals: null } : gateRecorded(facts),
  ],
  [
    'a dropped table comes back by its twin',
    'table',
    (facts) =>
      facts.arriving.type === 'create_table' ? { verdict: 'proceed', reveals: null } : gateRecorded(facts),
  ],
  [
    'a twin whose drop came first leaves the other alive',
    'table',
    (facts) => {
      const verdict = gateRecorded(facts);
      return verdict.verdict === 'superseded' ? { ...verdict, ends: [] } : verdict;
    },
  ],
  [
    'a twin comes back after the drop',
    'index',
    (facts) =>
      facts.arriving.type === 'create_index' ? { verdict: 'proceed', reveals: null } : gateRecorded(facts),
  ],
  [
    'the view that came last shows',
    'view',
    (facts) =>
      facts.arriving.type === 'create_view' ? { verdict: 'proceed', reveals: null } : gateRecorded(facts),
  ],
  [
    'the drop of a view hides the older one too',
    'view',
    (facts) => {
      const verdict = gateRecorded(facts);
      return verdict.verdict === 'proceed' ? { ...verdict, reveals: null } : verdict;
    },
  ],
];

test.for(wrongGates)('the property bites when %s', ([, object, gate]) => {
  expect(fc.check(converges(object, gate), { numRuns: 3000 }).failed).toBe(true);
});
