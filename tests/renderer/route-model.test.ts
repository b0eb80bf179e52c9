import fc from 'fast-check';
import { expect, test } from 'vitest';

import {
  DIALOGS,
  FLEET_SHOWS,
  REPLICA_TABS,
  formatRoute,
  parentRoute,
  parseRoute,
  screenKey,
} from '#renderer/ui/route-model.ts';
import type { Route } from '#renderer/ui/route-model.ts';

const cases: readonly (readonly [address: string, route: Route])[] = [
  ['#/fleet', { screen: 'fleet' }],
  [
    '#/fleet?show=needYou&filter=till%201&at=r1',
    { screen: 'fleet', show: 'needYou', filter: 'till 1', selected: 'r1' },
  ],
  [
    '#/replica/r1/catalog?at=table%3Aorders',
    { screen: 'replica', ref: 'r1', tab: 'catalog', item: 'table:orders' },
  ],
  ['#/replica/a%2Fb/overview', { screen: 'replica', ref: 'a/b', tab: 'overview' }],
  ['#/blocked', { screen: 'blockedList' }],
  ['#/blocked/r1/c1', { screen: 'blockedBatch', ref: 'r1', conflictId: 'c1' }],
  ['#/held?dialog=keys', { screen: 'held', dialog: 'keys' }],
];

test.for(cases)('%s is read and written the same', ([address, route]) => {
  expect(parseRoute(address)).toEqual(route);
  expect(formatRoute(route)).toBe(address);
});

test('an empty address is the fleet, an unknown tab the overview, an unknown screen is said', () => {
  expect(parseRoute('')).toEqual({ screen: 'fleet' });
  expect(parseRoute('#/replica/r1/nothing')).toEqual({ screen: 'replica', ref: 'r1', tab: 'overview' });
  expect(parseRoute('#/nowhere')).toEqual({ screen: 'unknown', address: '#/nowhere' });
  expect(parseRoute('#/constructor')).toEqual({ screen: 'unknown', address: '#/constructor' });
  expect(parseRoute('#/replica/%E0%A4%A/overview')).toEqual({
    screen: 'replica',
    ref: '%E0%A4%A',
    tab: 'overview',
  });
});

const text = fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' });
const route: fc.Arbitrary<Route> = fc
  .oneof(
    fc.record({
      screen: fc.constant('fleet' as const),
      show: fc.constantFrom(...FLEET_SHOWS.slice(1)),
      filter: text,
    }),
    fc.record({
      screen: fc.constant('replica' as const),
      ref: text,
      tab: fc.constantFrom(...REPLICA_TABS),
      item: text,
    }),
    fc.record({ screen: fc.constant('blockedBatch' as const), ref: text, conflictId: text }),
  )
  .chain((screen) => fc.constantFrom<Route>(screen, ...DIALOGS.map((dialog) => ({ ...screen, dialog }))));

test('every route survives its address', () => {
  fc.assert(
    fc.property(route, (there) => {
      expect(parseRoute(formatRoute(there))).toEqual(there);
    }),
  );
});

test('Esc leads up, and from the top nowhere', () => {
  expect(parentRoute({ screen: 'blockedBatch', ref: 'r', conflictId: 'c' })).toEqual({
    screen: 'blockedList',
  });
  expect(parentRoute({ screen: 'replica', ref: 'r', tab: 'held' })).toEqual({
    screen: 'fleet',
    selected: 'r',
  });
  expect(parentRoute({ screen: 'fleet', show: 'needYou' })).toEqual({ screen: 'fleet' });
  expect(parentRoute({ screen: 'fleet', selected: 'r' })).toBeNull();
});

test('tabs and selection stay within one mounted screen', () => {
  expect(screenKey({ screen: 'replica', ref: 'r', tab: 'held' })).toBe(
    screenKey({ screen: 'replica', ref: 'r', tab: 'peers' }),
  );
  expect(screenKey({ screen: 'fleet', filter: 'a' })).toBe(screenKey({ screen: 'fleet' }));
  expect(screenKey({ screen: 'replica', ref: 'r', tab: 'held' })).not.toBe(
    screenKey({ screen: 'replica', ref: 's', tab: 'held' }),
  );
});
