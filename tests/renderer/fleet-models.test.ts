import fc from 'fast-check';
import { expect, test } from 'vitest';

import type { Fleet } from '#shared/api/fleet-replica.ts';
import { stateReason } from '#renderer/features/fleet/state-reason.ts';
import { NODE_HEIGHT_PX, NODE_WIDTH_PX, mapLayout } from '#renderer/features/fleet/fleet-map-model.ts';
import {
  filteredReplicas,
  fleetEntries,
  nextSort,
  showCounts,
  worstFirst,
} from '#renderer/features/fleet/fleet-table-model.ts';
import { fleetVerdict } from '#renderer/features/fleet/fleet-verdict-model.ts';
import { sentenceText } from '#renderer/ui/sentence-model.ts';

import {
  MINUTE_MS,
  NOW_MS,
  ORDERS_CONFLICT,
  aBlockedReplica,
  aFleet,
  aLink,
  aReplica,
  idText,
  shopsFleet,
} from '../support/fake-fleet.ts';
import { ConflictId } from '#shared/model/ids.ts';

interface VerdictCase {
  readonly title: string;
  readonly fleet: Fleet;
  readonly state: string;
  readonly headline: string;
  readonly consequence: string;
}

const linked = { links: [aLink('hq', 'till-1')] };
const OTHER_CONFLICT = ConflictId.parse(idText('other-conflict'));

const verdicts: readonly VerdictCase[] = [
  {
    title: 'three on one conflict',
    fleet: shopsFleet(),
    state: 'blocked',
    headline: '3 of 5 replicas need you: market, till-1 and till-2 are blocked on orders.',
    consequence: 'One decision frees all three. The other 2 look after themselves: 2 in sync.',
  },
  {
    title: 'one alone',
    fleet: aFleet({ ...linked, replicas: [aReplica('hq'), aBlockedReplica('till-1')] }),
    state: 'blocked',
    headline: '1 of 2 replicas needs you: till-1 is blocked on orders.',
    consequence: 'One decision frees it. The other one looks after itself: 1 in sync.',
  },
  {
    title: 'blocked and too old: what one decision frees most of comes first',
    fleet: aFleet({
      ...linked,
      replicas: [
        aReplica('lab', { state: 'tooOld' }),
        aBlockedReplica('till-3'),
        aBlockedReplica('harbour'),
        aReplica('hq'),
        aReplica('van', { state: 'paused' }),
      ],
    }),
    state: 'blocked',
    headline:
      '3 of 5 replicas need you: till-3 and harbour are blocked on orders, and lab is too old to catch up.',
    consequence: 'One decision frees the first two. The other 2 look after themselves: 1 in sync, 1 paused.',
  },
  {
    title: 'two conflicts',
    fleet: aFleet({
      ...linked,
      replicas: [aBlockedReplica('a'), aBlockedReplica('b', { conflictId: OTHER_CONFLICT, object: 'stock' })],
    }),
    state: 'blocked',
    headline: '2 of 2 replicas need you: a is blocked on orders, and b is blocked on stock.',
    consequence: 'Two decisions are open.',
  },
  {
    title: 'a damaged file alone',
    fleet: aFleet({ ...linked, replicas: [aReplica('hq'), aReplica('till-1', { state: 'damaged' })] }),
    state: 'damaged',
    headline: '1 of 2 replicas needs you: till-1 is damaged.',
    consequence: 'The other one looks after itself: 1 in sync.',
  },
  {
    title: 'all in sync',
    fleet: aFleet({ ...linked, replicas: [aReplica('hq'), aReplica('till-1'), aReplica('till-2')] }),
    state: 'inSync',
    headline: 'All 3 replicas are in sync.',
    consequence: 'The last sync was 4 s ago.',
  },
  {
    title: 'all in sync and some held',
    fleet: aFleet({ ...linked, replicas: [aReplica('hq'), aReplica('till-1', { heldRows: 38 })] }),
    state: 'inSync',
    headline: 'Both replicas are in sync.',
    consequence: 'The last sync was 4 s ago. 38 changes are held until their place is there.',
  },
  {
    title: 'some behind, one unreachable: nothing needs you, worst first',
    fleet: aFleet({
      ...linked,
      replicas: [
        aReplica('hq'),
        aReplica('till-1', { state: 'behind' }),
        aReplica('van', { state: 'unreachable' }),
      ],
    }),
    state: 'unreachable',
    headline: 'Nothing needs you: van is unreachable, and till-1 is behind.',
    consequence:
      'Nothing is lost; what does not answer catches up when it is back. The other one looks after itself: 1 in sync.',
  },
  {
    title: 'one replica without a link',
    fleet: aFleet({ replicas: [aReplica('chinook')] }),
    state: 'inSync',
    headline: 'chinook stands alone: no link leads to another replica yet.',
    consequence: 'Nothing is sent anywhere. Add another replica, then link the two.',
  },
  {
    title: 'two replicas without a link',
    fleet: aFleet({ replicas: [aReplica('a'), aReplica('b')] }),
    state: 'inSync',
    headline: '2 replicas, and no link between them yet.',
    consequence: 'Nothing is sent anywhere. Link two of them to let changes flow.',
  },
];

test.for(verdicts)('the fleet says of $title', ({ fleet, state, headline, consequence }) => {
  const verdict = fleetVerdict(fleet, NOW_MS);
  expect(verdict.state).toBe(state);
  expect(sentenceText(verdict.headline)).toBe(headline);
  expect(sentenceText(verdict.consequence)).toBe(consequence);
});

test('the object in the verdict leads to the batch of the first replica that is stuck on it', () => {
  const { headline } = fleetVerdict(shopsFleet(), NOW_MS);
  const object = headline.find((part) => typeof part !== 'string' && part.name === 'orders');
  expect(object).toEqual({
    name: 'orders',
    to: { screen: 'blockedBatch', ref: 'market', conflictId: ORDERS_CONFLICT },
  });
});

test('the rail lists the worst first, then by name with numbers as numbers', () => {
  const replicas = [
    aReplica('till-10'),
    aReplica('till-2'),
    aReplica('a', { state: 'behind' }),
    aReplica('z', { state: 'tooOld' }),
  ];
  expect(worstFirst(replicas).map(({ name }) => name)).toEqual(['z', 'a', 'till-2', 'till-10']);
});

test('filters show and count the same', () => {
  const { replicas } = shopsFleet();
  const counts = showCounts(replicas);
  expect(counts).toEqual({ all: 5, needYou: 3, notInSync: 3 });
  for (const show of ['all', 'needYou', 'notInSync'] as const) {
    expect(filteredReplicas(replicas, { show, text: '' })).toHaveLength(counts[show]);
  }
  expect(filteredReplicas(replicas, { show: 'all', text: ' Harbour ' }).map(({ name }) => name)).toEqual([
    'harbour',
    'till-1',
  ]);
  expect(filteredReplicas(replicas, { show: 'needYou', text: 'v3dn9c' })).toHaveLength(3);
});

test('without a sort rows stand under their groups; with one they stand by it', () => {
  const { replicas } = shopsFleet();
  const words = (entries: ReturnType<typeof fleetEntries>) =>
    entries.map((entry) => (entry.kind === 'group' ? `# ${entry.label}` : entry.row.name));
  expect(words(fleetEntries(replicas, null))).toEqual([
    '# Harbour Street',
    'harbour',
    'till-1',
    '# Head office',
    'hq',
    '# Market Square',
    'market',
    'till-2',
  ]);
  expect(words(fleetEntries(replicas, { key: 'lag', direction: 'descending' }))).toEqual([
    'market',
    'till-2',
    'till-1',
    'harbour',
    'hq',
  ]);
  expect(words(fleetEntries(replicas, { key: 'state', direction: 'ascending' }))).toEqual([
    'market',
    'till-1',
    'till-2',
    'harbour',
    'hq',
  ]);
});

test('a column is sorted up, down, and not at all', () => {
  const up = nextSort(null, 'lag');
  const down = nextSort(up, 'lag');
  expect([up?.direction, down?.direction, nextSort(down, 'lag')]).toEqual(['ascending', 'descending', null]);
  expect(nextSort(down, 'name')).toEqual({ key: 'name', direction: 'ascending' });
});

test('a state that is not plain says why and what comes of it', () => {
  const say = (change: Parameters<typeof aReplica>[1]) => {
    const reason = stateReason(aReplica('x', change), NOW_MS);
    return reason === null ? null : [sentenceText(reason.why), reason.since];
  };
  expect(say({})).toBeNull();
  expect(say({ state: 'behind', lag: { changes: 64, oldestMs: NOW_MS - 32 * MINUTE_MS } })).toEqual([
    '64 changes of its peers have not arrived here. They come by themselves.',
    'The oldest waits for 32 min.',
  ]);
  expect(say({ state: 'locked', reason: 'Another program holds till.db open for writing.' })).toEqual([
    'Another program holds till.db open for writing. It is tried again by itself; closing that program helps.',
    null,
  ]);
});

const graph = fc
  .integer({ min: 1, max: 14 })
  .chain((count) =>
    fc.record({
      count: fc.constant(count),
      ends: fc.array(fc.tuple(fc.nat(count - 1), fc.nat(count - 1)), { maxLength: 20 }),
    }),
  )
  .map(({ count, ends }) => ({
    ids: Array.from({ length: count }, (_, index) => `r${index}`),
    links: ends
      .filter(([a, b]) => a !== b)
      .map(([a, b], index) => ({ id: `l${index}`, a: `r${a}`, b: `r${b}` })),
  }));

test('the map places every replica once, none over another, all within its width and height', () => {
  fc.assert(
    fc.property(graph, ({ ids, links }) => {
      const { nodes, edges, heightPx } = mapLayout({ ids, links, widthPx: 2400 });
      expect(nodes.map(({ id }) => id).sort()).toEqual([...ids].sort());
      expect(edges).toHaveLength(links.length);
      for (const [index, a] of nodes.entries()) {
        expect(a.x - NODE_WIDTH_PX / 2).toBeGreaterThanOrEqual(0);
        expect(a.x + NODE_WIDTH_PX / 2).toBeLessThanOrEqual(2400);
        expect(a.y).toBeLessThan(heightPx);
        for (const b of nodes.slice(index + 1)) {
          const apart = Math.abs(a.x - b.x) >= NODE_WIDTH_PX || Math.abs(a.y - b.y) >= NODE_HEIGHT_PX;
          expect(apart, `${a.id} over ${b.id}`).toBe(true);
        }
      }
    }),
  );
});

test('a hub with three branches and more stands between them', () => {
  const ids = ['hq', 'a', 'b', 'c', 'd'];
  const links = ['a', 'b', 'c', 'd'].map((id) => ({ id, a: 'hq', b: id }));
  const { nodes } = mapLayout({ ids, links, widthPx: 800 });
  const x = (id: string): number => nodes.find((node) => node.id === id)?.x ?? 0;
  expect(ids.slice(1).some((id) => x(id) < x('hq'))).toBe(true);
  expect(ids.slice(1).some((id) => x(id) > x('hq'))).toBe(true);
});
