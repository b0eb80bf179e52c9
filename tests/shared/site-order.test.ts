import fc from 'fast-check';
import { expect, test } from 'vitest';

import { SiteId } from '#shared/model/ids.ts';
import { siteIdFromBytes, siteIdToBytes } from '#shared/model/site-bytes.ts';
import { compareIds, compareSiteIds } from '#shared/model/site-order.ts';
import { anySite } from '../support/arbitraries.ts';

const site = (start: string) => SiteId.parse(start.padEnd(22, 'A'));

test('sites sort by their bytes, not by the characters of their IDs', () => {
  const sorted = ['A', 'Z', 'a', 'z', '0', '9', '-', '_'].map(site);
  expect(sorted.toReversed().sort(compareSiteIds)).toEqual(sorted);
});

test('sites sort as their bytes do', () => {
  fc.assert(
    fc.property(anySite, anySite, (left, right) => {
      const byBytes = Buffer.compare(siteIdToBytes(left), siteIdToBytes(right));
      expect(Math.sign(compareSiteIds(left, right))).toBe(byBytes);
    }),
  );
});

test('an ID that another begins with comes first', () => {
  expect(compareIds('AB', 'ABA')).toBeLessThan(0);
  expect(compareIds('ABA', 'AB')).toBeGreaterThan(0);
});

test('a site ID is 16 bytes, and no other number of them is one', () => {
  fc.assert(fc.property(anySite, (id) => siteIdFromBytes(siteIdToBytes(id)) === id));
  expect(siteIdFromBytes(new Uint8Array(15))).toBeNull();
  expect(siteIdFromBytes(new Uint8Array(17))).toBeNull();
});
