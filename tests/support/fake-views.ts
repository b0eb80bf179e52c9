import type { ActivityEntry } from '#shared/api/activity-procedures.ts';
import type { BlockedDetail } from '#shared/api/blocked-procedures.ts';
import type { Fleet } from '#shared/api/fleet-replica.ts';
import { MigrationId } from '#shared/model/ids.ts';
import type {
  CatalogObject,
  CatalogView,
  HeldView,
  MigrationView,
  ShapePreview,
} from '#shared/model/views.ts';
import type { ReplicaState } from '#shared/model/vocabulary.ts';

import {
  NOW_MS,
  MINUTE_MS,
  idText,
  aSite,
  hlcAt,
  SHARED_FINGERPRINT,
  OTHER_FINGERPRINT,
} from './fake-fleet.ts';

// Builders of what a host tells of one replica: its catalog, its history, what blocks it.

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
    isParked: false,
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
        isParked: false,
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
    reason: 'It was written here.',
    by: null,
    inForce: true,
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
