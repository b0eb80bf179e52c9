import { expect, test } from 'vitest';

import { areConcurrent, knewOf } from '#main/engine/migration/knew-of.ts';
import { siteId } from '../support/ids.ts';
import { aKnownMigration } from '../support/migration-builders.ts';

const stamp = (at: number, site: number) => ({ hlc: BigInt(at), site: siteId(site) });

test.for([
  ['what its vector covers', aKnownMigration({ at: 9, site: 1, knew: { 2: 5 } }), stamp(5, 2), true],
  ['nothing above its vector', aKnownMigration({ at: 9, site: 1, knew: { 2: 5 } }), stamp(6, 2), false],
  [
    'nothing of a site that its vector lacks',
    aKnownMigration({ at: 9, site: 1, knew: { 2: 5 } }),
    stamp(1, 3),
    false,
  ],
  ['what its own site wrote before', aKnownMigration({ at: 9, site: 1 }), stamp(8, 1), true],
  ['not itself', aKnownMigration({ at: 9, site: 1, knew: { 1: 9 } }), stamp(9, 1), false],
  ['nothing that its own site wrote later', aKnownMigration({ at: 9, site: 1 }), stamp(10, 1), false],
] as const)('a migration knew of %s', ([, migration, other, expected]) => {
  expect(knewOf(migration, other)).toBe(expected);
});

test('two that did not know of each other are concurrent, however far apart in time', () => {
  const old = aKnownMigration({ at: 1, site: 1 });
  expect(areConcurrent(old, aKnownMigration({ at: 99, site: 2 }))).toBe(true);
  expect(areConcurrent(old, aKnownMigration({ at: 99, site: 2, knew: { 1: 1 } }))).toBe(false);
  expect(areConcurrent(aKnownMigration({ at: 99, site: 2, knew: { 1: 1 } }), old)).toBe(false);
});
