import type { BlockedBrief, Fleet, FleetLink, FleetReplica } from '#shared/api/fleet-replica.ts';
import { ConflictId, Epoch, Era, SiteId } from '#shared/model/ids.ts';
import type { PeerView, ReplicaStatus } from '#shared/model/views.ts';

// Builders of what a host tells, with the chain of shops as the standing example: `hq` and `harbour` created
// `orders` in one shape, `market`, `till-1` and `till-2` have another and are blocked on it.

/** The moment at which the examples play: Mon 30 Nov 2026, 14:40:00 UTC. */
export const NOW_MS = Date.UTC(2026, 10, 30, 14, 40, 0);
export const MINUTE_MS = 60_000;

/** An ID that reads like its name: padded to 22 characters of base64url. */
export const idText = (name: string): string =>
  `${name.replaceAll(/[^A-Za-z0-9_-]/g, '')}${'x'.repeat(21)}`.slice(0, 21) + 'A';
export const aSite = (name: string): SiteId => SiteId.parse(idText(`site-${name}`));
export const ORDERS_CONFLICT = ConflictId.parse(idText('orders-conflict'));
export const hlcAt = (ms: number, name: string): string =>
  `${new Date(ms).toISOString()}-0000-${aSite(name)}`;

export const SHARED_FINGERPRINT = 'k7qf2m81d0c4e6a9';
export const OTHER_FINGERPRINT = 'v3dn9c52aa17f0b3';

export function aStatus(name: string, change: Partial<ReplicaStatus> = {}): ReplicaStatus {
  return {
    site: aSite(name),
    epoch: Epoch.parse(idText(`ep${name}`)),
    era: Era.parse(idText(`er${name}`)),
    path: `/home/ines/Concord/example/${name}.db`,
    state: 'inSync',
    fingerprint: SHARED_FINGERPRINT,
    head: 4821,
    tables: 5,
    heldRows: 0,
    blockedBatches: 0,
    findings: 0,
    sizeBytes: 1_240_000,
    journalMode: 'wal',
    sqliteVersion: '3.54.1',
    onDivergence: 'block',
    peers: [],
    ...change,
  };
}

export function aReplica(name: string, change: Partial<FleetReplica> = {}): FleetReplica {
  return {
    ref: name,
    name,
    group: null,
    host: 'this machine',
    path: `/home/ines/Concord/example/${name}.db`,
    state: 'inSync',
    reason: null,
    status: aStatus(name),
    asOfMs: NOW_MS,
    lag: { changes: 0, oldestMs: null },
    heldRows: 0,
    blocked: [],
    lastSyncMs: NOW_MS - 4000,
    skewMs: 0,
    paused: false,
    ...change,
  };
}

export function aBrief(change: Partial<BlockedBrief> = {}): BlockedBrief {
  return {
    conflictId: ORDERS_CONFLICT,
    kind: 'table',
    object: 'orders',
    cause: 'divergentDefinition',
    from: 'hq',
    fromName: 'hq',
    sinceMs: NOW_MS - 41 * MINUTE_MS,
    attempts: 44,
    nextTryMs: NOW_MS + 38_000,
    behindChanges: 1284,
    ...change,
  };
}

export function aBlockedReplica(name: string, change: Partial<BlockedBrief> = {}): FleetReplica {
  const brief = aBrief(change);
  return aReplica(name, {
    state: 'blocked',
    blocked: [brief],
    lag: { changes: brief.behindChanges, oldestMs: brief.sinceMs },
    status: aStatus(name, {
      state: 'blocked',
      blockedBatches: 1,
      fingerprint: OTHER_FINGERPRINT,
      peers: [
        aPeer(brief.fromName, { watermark: 3537, peerHead: 3537 + brief.behindChanges, blocked: true }),
      ],
    }),
  });
}

export function aPeer(name: string, change: Partial<PeerView> = {}): PeerView {
  return {
    site: aSite(name),
    epoch: Epoch.parse(idText(`ep${name}`)),
    era: Era.parse(idText(`er${name}`)),
    watermark: 4821,
    peerHead: 4821,
    skewMs: 300,
    lastSyncMs: NOW_MS - 4000,
    blocked: false,
    ...change,
  };
}

export function aLink(a: string, b: string, change: Partial<FleetLink> = {}): FleetLink {
  return {
    id: `${a}-${b}`,
    a,
    b,
    bName: b,
    via: 'inProcess',
    url: null,
    paused: false,
    health: 'healthy',
    lagAtoB: 0,
    lagBtoA: 0,
    lastSyncMs: NOW_MS - 4000,
    nextTryMs: null,
    reason: null,
    ...change,
  };
}

export function aFleet(change: Partial<Fleet> = {}): Fleet {
  return { replicas: [], links: [], hosts: [], exampleExists: false, ...change };
}

const grouped = (replica: FleetReplica, group: string): FleetReplica => ({ ...replica, group });

/** The five shops while three are blocked on `orders`. */
export function shopsFleet(): Fleet {
  return aFleet({
    exampleExists: true,
    replicas: [
      grouped(
        aReplica('hq', {
          status: aStatus('hq', { findings: 2, peers: [aPeer('harbour'), aPeer('market')] }),
        }),
        'Head office',
      ),
      grouped(
        aReplica('harbour', {
          heldRows: 38,
          skewMs: 1900,
          status: aStatus('harbour', { head: 2138, heldRows: 38, peers: [aPeer('hq')] }),
        }),
        'Harbour Street',
      ),
      grouped(aBlockedReplica('market'), 'Market Square'),
      grouped(
        aBlockedReplica('till-1', { from: 'harbour', fromName: 'harbour', behindChanges: 118 }),
        'Harbour Street',
      ),
      grouped(
        aBlockedReplica('till-2', { from: 'market', fromName: 'market', behindChanges: 402 }),
        'Market Square',
      ),
    ],
    links: [
      aLink('hq', 'harbour'),
      aLink('hq', 'market', { health: 'blocked', lagAtoB: 1284, reason: 'market is blocked on orders.' }),
      aLink('harbour', 'till-1', { health: 'blocked', lagAtoB: 118, reason: 'till-1 is blocked on orders.' }),
      aLink('market', 'till-2', { health: 'blocked', lagAtoB: 402, reason: 'till-2 is blocked on orders.' }),
    ],
  });
}

/** The same five after the decision. */
export function shopsFreed(fleet: Fleet): Fleet {
  return {
    ...fleet,
    replicas: fleet.replicas.map((replica) => ({
      ...replica,
      state: 'inSync' as const,
      blocked: [],
      lag: { changes: 0, oldestMs: null },
      status: aStatus(replica.name, {
        peers:
          replica.status?.peers.map((peer) => ({ ...peer, blocked: false, watermark: peer.peerHead })) ?? [],
      }),
    })),
    links: fleet.links.map((link) => ({
      ...link,
      health: 'healthy' as const,
      lagAtoB: 0,
      lagBtoA: 0,
      reason: null,
    })),
  };
}
