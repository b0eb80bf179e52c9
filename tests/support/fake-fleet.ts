import type { ActivityEntry } from '#shared/api/activity-procedures.ts';
import type { BlockedDetail } from '#shared/api/blocked-procedures.ts';
import type { BlockedBrief, Fleet, FleetLink, FleetReplica } from '#shared/api/fleet-replica.ts';
import { ConflictId, Epoch, Era, MigrationId, SiteId } from '#shared/model/ids.ts';
import type {
  CatalogObject,
  CatalogView,
  HeldView,
  MigrationView,
  PeerView,
  ReplicaStatus,
  ShapePreview,
} from '#shared/model/views.ts';
import type { ReplicaState } from '#shared/model/vocabulary.ts';

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
const hlcAt = (ms: number, name: string): string => `${new Date(ms).toISOString()}-0000-${aSite(name)}`;

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

export const LOCAL_ORDERS = `CREATE TABLE orders (
  id INTEGER NOT NULL,
  customer INTEGER NOT NULL REFERENCES customers(id),
  placed_at TEXT NOT NULL,
  total REAL NOT NULL DEFAULT 0,
  note TEXT,
  PRIMARY KEY (id)
)`;

export const REMOTE_ORDERS = `CREATE TABLE orders (
  id INTEGER NOT NULL,
  customer INTEGER NOT NULL REFERENCES customers(id),
  placed_at TEXT NOT NULL,
  total TEXT NOT NULL,
  channel TEXT DEFAULT 'shop',
  PRIMARY KEY (id)
)`;

export function aDetail(fleet: Fleet, ref: string): BlockedDetail | null {
  const replica = fleet.replicas.find((candidate) => candidate.ref === ref);
  const brief = replica?.blocked[0];
  if (replica === undefined || brief === undefined) return null;
  return {
    conflictId: brief.conflictId,
    from: aSite(brief.fromName),
    cause: brief.cause,
    kind: brief.kind,
    object: brief.object,
    column: null,
    message: `${replica.name} is blocked on orders: total is REAL here and TEXT on hq. Choose one shape.`,
    localDdl: LOCAL_ORDERS,
    remoteDdl: REMOTE_ORDERS,
    localCreatedBy: aSite('market'),
    localCreatedHlc: hlcAt(NOW_MS - 52 * MINUTE_MS, 'market'),
    remoteCreatedBy: aSite('hq'),
    remoteCreatedHlc: hlcAt(NOW_MS - 57 * MINUTE_MS, 'hq'),
    differences: [
      { kind: 'type', subject: 'total', local: 'REAL', remote: 'TEXT' },
      { kind: 'default', subject: 'total', local: '0', remote: null },
      { kind: 'column', subject: 'note', local: 'note TEXT', remote: null },
      { kind: 'column', subject: 'channel', local: null, remote: "channel TEXT DEFAULT 'shop'" },
    ],
    localRows: 212,
    sinceMs: brief.sinceMs,
    attempts: brief.attempts,
    nextTryMs: brief.nextTryMs,
    unitSeq: 3538,
    behindChanges: brief.behindChanges,
    options: ['keepLocal', 'takeRemote', 'setAside', 'retry'],
    fromRef: brief.from,
    fromName: brief.fromName,
    sides: [
      {
        side: 'local',
        site: aSite('market'),
        ref: 'market',
        name: 'market',
        hlc: hlcAt(NOW_MS - 52 * MINUTE_MS, 'market'),
      },
      { side: 'remote', site: aSite('hq'), ref: 'hq', name: 'hq', hlc: hlcAt(NOW_MS - 57 * MINUTE_MS, 'hq') },
    ],
    alsoStuck: fleet.replicas
      .filter((other) => other.ref !== ref && other.blocked.length > 0)
      .map((other) => ({
        ref: other.ref,
        name: other.name,
        fromName: other.blocked[0]?.fromName ?? '',
        behindChanges: other.blocked[0]?.behindChanges ?? 0,
      })),
  };
}

export function aShape(change: Partial<ShapePreview> = {}): ShapePreview {
  return {
    resultDdl: REMOTE_ORDERS,
    rows: 212,
    rowsConverted: 212,
    lossyCasts: 0,
    lossyExamples: [],
    cellsHeld: [],
    rowsHeld: 0,
    ...change,
  };
}

export function aCatalog(state: ReplicaState): CatalogView {
  const table = (name: string, rows: number, change: Partial<CatalogObject> = {}): CatalogObject => ({
    kind: 'table',
    name,
    table: name,
    ddl: `CREATE TABLE ${name} (\n  id INTEGER NOT NULL,\n  name TEXT NOT NULL,\n  PRIMARY KEY (id)\n)`,
    columns: [
      {
        name: 'id',
        type: 'INTEGER',
        notNull: true,
        defaultText: null,
        collation: null,
        primaryKey: 1,
        generated: false,
      },
      {
        name: 'name',
        type: 'TEXT',
        notNull: true,
        defaultText: null,
        collation: null,
        primaryKey: 0,
        generated: false,
      },
    ],
    rows,
    rowsSync: true,
    createdBy: aSite('hq'),
    createdHlc: hlcAt(NOW_MS - 3 * 24 * 60 * MINUTE_MS, 'hq'),
    ...change,
  });
  return {
    fingerprint: state === 'blocked' ? OTHER_FINGERPRINT : SHARED_FINGERPRINT,
    objects: [
      table('customers', 480),
      table('products', 312),
      table('stock', 936),
      table('orders', 212, {
        ddl: LOCAL_ORDERS,
        columns: [
          {
            name: 'id',
            type: 'INTEGER',
            notNull: true,
            defaultText: null,
            collation: null,
            primaryKey: 1,
            generated: false,
          },
          {
            name: 'customer',
            type: 'INTEGER',
            notNull: true,
            defaultText: null,
            collation: null,
            primaryKey: 0,
            generated: false,
          },
          {
            name: 'placed_at',
            type: 'TEXT',
            notNull: true,
            defaultText: null,
            collation: null,
            primaryKey: 0,
            generated: false,
          },
          {
            name: 'total',
            type: 'REAL',
            notNull: true,
            defaultText: '0',
            collation: null,
            primaryKey: 0,
            generated: false,
          },
          {
            name: 'note',
            type: 'TEXT',
            notNull: false,
            defaultText: null,
            collation: null,
            primaryKey: 0,
            generated: false,
          },
        ],
        createdBy: aSite('market'),
      }),
      table('print_queue', 14, { rowsSync: false }),
      {
        kind: 'index',
        name: 'ix_stock_product',
        table: 'stock',
        ddl: 'CREATE INDEX ix_stock_product ON stock (product)',
        columns: [],
        rows: null,
        rowsSync: false,
        createdBy: aSite('hq'),
        createdHlc: hlcAt(NOW_MS - 2 * 24 * 60 * MINUTE_MS, 'hq'),
      },
    ],
  };
}

export function aMigration(seq: number, change: Partial<MigrationView> = {}): MigrationView {
  return {
    seq,
    id: MigrationId.parse(idText(`migration-${seq}`)),
    type: 'create_table',
    kind: 'table',
    object: 'orders',
    element: null,
    hlc: hlcAt(NOW_MS - 52 * MINUTE_MS, 'market'),
    origin: aSite('market'),
    version: 1,
    ddl: LOCAL_ORDERS,
    verdict: 'executed',
    reason: 'Made here.',
    admittedAtMs: NOW_MS - 52 * MINUTE_MS,
    from: null,
    ...change,
  };
}

export function aHeld(id: number, change: Partial<HeldView> = {}): HeldView {
  return {
    id,
    reason: 'unknownTable',
    table: 'gift_vouchers',
    key: [{ int: String(9000 + id) }],
    op: 'row',
    values: { code: `GV-${9000 + id}`, amount: 25, issued_to: 'Mara Lindqvist' },
    author: aSite('hq'),
    hlc: hlcAt(NOW_MS - 32 * MINUTE_MS, 'hq'),
    from: aSite('hq'),
    sinceMs: NOW_MS - 31 * MINUTE_MS,
    sizeBytes: 96,
    quarantined: false,
    ...change,
  };
}

export function anActivity(id: number, change: Partial<ActivityEntry> = {}): ActivityEntry {
  return {
    id,
    atMs: NOW_MS - (100 - id) * 1000,
    kind: 'synced',
    ref: 'hq',
    name: 'hq',
    facts: {},
    ...change,
  };
}
