import { expect, test } from 'vitest';

import type { Fleet, FleetLink, FleetReplica } from '#shared/api/fleet-replica.ts';
import type { Check } from '#shared/api/replica-procedures.ts';
import type { LinkRecord } from '#main/console/link-records.ts';
import { LINK_AT_REST, type LinkState } from '#main/peers/link-state.ts';
import { buildChecklist } from '#main/services/build-checklist.ts';
import { shortSite } from '#main/services/fleet-view.ts';
import type { LinkNow } from '#main/services/links.ts';
import { aFleet, aReplica, aSite, aStatus, OTHER_FINGERPRINT } from '../support/fake-fleet.ts';

const RECORD: LinkRecord = {
  id: 'l1',
  a: 'till',
  b: 'hq',
  bName: 'hq',
  via: 'inProcess',
  url: null,
  paused: false,
  lastSyncMs: null,
};

const UP: LinkState = { ...LINK_AT_REST, phase: 'idle', connected: true, skewMs: 200 };

interface World {
  readonly till?: Partial<FleetReplica>;
  readonly hq?: Partial<FleetReplica>;
  readonly link?: Partial<FleetLink>;
  readonly pulls?: Partial<LinkState>;
}

function checksOf(world: World): Readonly<Record<string, string>> {
  const { items } = checklistOf(world);
  return Object.fromEntries(items.map(({ check, verdict }) => [check, verdict]));
}

function checklistOf({ till = {}, hq = {}, link = {}, pulls = {} }: World) {
  const replica = aReplica('till', till);
  const fleetLink: FleetLink = {
    ...RECORD,
    health: 'healthy',
    lagAtoB: 0,
    lagBtoA: 0,
    nextTryMs: null,
    reason: null,
    ...link,
  };
  const fleet: Fleet = { ...aFleet(), replicas: [replica, aReplica('hq', hq)], links: [fleetLink] };
  const now: LinkNow = {
    record: { ...RECORD, ...('paused' in link && { paused: true }) },
    states: [{ ...UP, ...pulls }, UP],
  };
  return buildChecklist({ replica, fleet, links: [now] });
}

const ALL_OK = {
  link: 'ok',
  identity: 'ok',
  protocol: 'ok',
  clock: 'ok',
  schema: 'ok',
  cursor: 'ok',
  held: 'ok',
  blocked: 'ok',
};

interface Case {
  readonly title: string;
  readonly world: World;
  readonly differs: Partial<Record<Check, string>>;
}

const cases: readonly Case[] = [
  { title: 'all is well', world: {}, differs: {} },
  {
    title: 'the link is paused',
    world: { link: { paused: true } },
    differs: { link: 'stops', identity: 'unknown', protocol: 'unknown' },
  },
  {
    title: 'the peer does not answer',
    world: { pulls: { lastError: { code: 'unreachable', reason: 'ECONNREFUSED' } } },
    differs: { link: 'stops', identity: 'unknown', protocol: 'unknown' },
  },
  {
    title: 'the token is unknown',
    world: { pulls: { lastError: { code: 'unauthorized' } } },
    differs: { identity: 'stops' },
  },
  {
    title: 'one site ID lives twice',
    world: {
      pulls: { lastError: { code: 'refused', refusal: { code: 'duplicate-site', message: 'Twice.' } } },
    },
    differs: { identity: 'stops' },
  },
  {
    title: 'the peer speaks another protocol',
    world: { pulls: { lastError: { code: 'no-common-protocol', ours: [1, 1], theirs: [2, 3] } } },
    differs: { protocol: 'stops' },
  },
  {
    title: 'the clock of the peer is ahead',
    world: { pulls: { skewMs: 60_001 } },
    differs: { clock: 'stops' },
  },
  {
    title: 'the clock of the peer is behind',
    world: { pulls: { skewMs: -60_001 } },
    differs: { clock: 'note' },
  },
  { title: 'no clock was heard', world: { pulls: { skewMs: null } }, differs: { clock: 'unknown' } },
  {
    title: 'the schemas differ',
    world: { hq: { status: aStatus('hq', { fingerprint: OTHER_FINGERPRINT }) } },
    differs: { schema: 'note' },
  },
  { title: 'the peer never answered', world: { hq: { status: null } }, differs: { schema: 'unknown' } },
  { title: 'changes are on their way', world: { link: { lagBtoA: 1 } }, differs: { cursor: 'note' } },
  {
    title: 'it is not known how far the peer is',
    world: { link: { lagBtoA: null } },
    differs: { cursor: 'unknown' },
  },
  {
    title: 'the file of the peer was restored',
    world: { pulls: { lastError: { code: 'epoch-changed', message: 'Restored.' } } },
    differs: { cursor: 'stops' },
  },
  { title: 'changes are held', world: { till: { heldRows: 2 } }, differs: { held: 'note' } },
];

test.for(cases)('when $title, the checks say so', ({ world, differs }) => {
  expect(checksOf(world)).toEqual({ ...ALL_OK, ...differs });
});

const blocked = {
  conflictId: 'AAAAAAAAAAAAAAAAAAAAAA' as FleetReplica['blocked'][number]['conflictId'],
  kind: 'table',
  object: 'orders',
  cause: 'divergentDefinition',
  fromName: 'hq',
  sinceMs: 0,
  attempts: 1,
  nextTryMs: 0,
  behindChanges: 3,
} as const;

test('a blocked batch stops the line of its own peer, and of no other', () => {
  expect(checksOf({ till: { blocked: [{ ...blocked, from: 'hq' }] } })).toEqual({
    ...ALL_OK,
    blocked: 'stops',
  });
  expect(checksOf({ till: { blocked: [{ ...blocked, from: 'market' }] } })).toEqual(ALL_OK);
});

test('a batch of a peer that has not answered yet is known by its site, and told as unknown where that is not heard', () => {
  const till = { blocked: [{ ...blocked, from: null, fromName: shortSite(aSite('hq')) }] };
  const hq = { status: null };
  const notKnown = { ...ALL_OK, schema: 'unknown' };
  const heard = { site: aSite('hq') } as NonNullable<LinkState['peer']>;
  expect(checksOf({ till, hq, pulls: { peer: heard } })).toEqual({ ...notKnown, blocked: 'stops' });
  expect(checksOf({ till, hq })).toEqual({ ...notKnown, blocked: 'unknown' });
  const other = { ...heard, site: aSite('market') };
  expect(checksOf({ till, hq, pulls: { peer: other } })).toEqual(notKnown);
});

test('a replica without a link stops at the first check', () => {
  const replica = aReplica('till');
  const { peer, items } = buildChecklist({ replica, fleet: { ...aFleet(), replicas: [replica] }, links: [] });
  expect({ peer, items: items.map(({ check, verdict }) => [check, verdict]) }).toEqual({
    peer: null,
    items: [['link', 'stops']],
  });
});
