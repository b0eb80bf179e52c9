import { z } from 'zod';

import { ConflictId, Epoch, Era, MigrationId, SiteId } from './ids.ts';
import { JsonSqlValue } from './sql-value.ts';
import {
  BlockCause,
  FindingKind,
  HeldReason,
  MigrationType,
  ObjectKind,
  ReplicaState,
  ResolutionOption,
  Verdict,
} from './vocabulary.ts';

// What a replica tells of itself. The same shapes leave the engine, cross the contract and reach the screen.
// Units: every `...Ms` is whole milliseconds since the Unix epoch, every `...Bytes` a count of bytes.

/** An HLC as text: `2026-06-01T00:00:00.000Z-0000-<siteID>`. */
export const HlcText = z
  .string()
  .regex(/^\d{4,6}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z-[0-9a-f]{4}-[A-Za-z0-9_-]{22}$/);

export const PeerView = z.object({
  site: SiteId,
  epoch: Epoch.nullable(),
  era: Era.nullable(),
  /** How far this replica has admitted the peer's changes. */
  watermark: z.number().int(),
  /** The peer's head when it was last heard. */
  peerHead: z.number().int(),
  /** Peer's clock minus ours when last heard; null when never heard. */
  skewMs: z.number().int().nullable(),
  lastSyncMs: z.number().int().nullable(),
  blocked: z.boolean(),
});
export type PeerView = z.infer<typeof PeerView>;

export const ReplicaStatus = z.object({
  site: SiteId,
  epoch: Epoch,
  era: Era,
  path: z.string(),
  state: ReplicaState,
  /** Hash of the whole canonical catalog. */
  fingerprint: z.string(),
  head: z.number().int(),
  tables: z.number().int(),
  heldRows: z.number().int(),
  blockedBatches: z.number().int(),
  findings: z.number().int(),
  sizeBytes: z.number().int(),
  journalMode: z.string(),
  sqliteVersion: z.string(),
  onDivergence: z.enum(['block', 'setAside']),
  peers: z.array(PeerView),
});
export type ReplicaStatus = z.infer<typeof ReplicaStatus>;

export const ColumnView = z.object({
  name: z.string(),
  type: z.string(),
  notNull: z.boolean(),
  defaultText: z.string().nullable(),
  collation: z.string().nullable(),
  /** 1-based place in the primary key; 0 when not part of it. */
  primaryKey: z.number().int(),
  generated: z.boolean(),
});
export type ColumnView = z.infer<typeof ColumnView>;

export const CatalogObject = z.object({
  kind: ObjectKind,
  name: z.string(),
  /** The table an index or trigger belongs to; the own name otherwise. */
  table: z.string(),
  /** Canonical DDL. */
  ddl: z.string(),
  columns: z.array(ColumnView),
  /** Rows now; null for anything but a table. */
  rows: z.number().int().nullable(),
  /** Whether rows sync: a table without a primary key replicates its schema only. */
  rowsSync: z.boolean(),
  /** Of a view or trigger: whether it is out of the file until what it refers to is there. */
  isParked: z.boolean(),
  createdBy: SiteId.nullable(),
  createdHlc: HlcText.nullable(),
});
export type CatalogObject = z.infer<typeof CatalogObject>;

export const CatalogView = z.object({ fingerprint: z.string(), objects: z.array(CatalogObject) });
export type CatalogView = z.infer<typeof CatalogView>;

export const MigrationView = z.object({
  seq: z.number().int(),
  id: MigrationId,
  type: MigrationType,
  kind: ObjectKind,
  object: z.string(),
  /** The column or constraint, where the element is one. */
  element: z.string().nullable(),
  hlc: HlcText,
  origin: SiteId,
  version: z.number().int(),
  ddl: z.string(),
  verdict: Verdict,
  /** One sentence; names stand between backquotes. */
  reason: z.string(),
  /** The migration that the reason names; null when it names none, or one that is no longer kept. */
  by: z
    .object({
      id: MigrationId,
      type: MigrationType,
      object: z.string(),
      element: z.string().nullable(),
      origin: SiteId,
      hlc: HlcText,
    })
    .nullable(),
  /** Nothing has overtaken it: a new peer gets it. */
  inForce: z.boolean(),
  admittedAtMs: z.number().int(),
  /** The peer it came from; null for the replica's own. */
  from: SiteId.nullable(),
});
export type MigrationView = z.infer<typeof MigrationView>;

/** One difference between two definitions, by meaning. */
export const DefinitionDifference = z.object({
  kind: z.string(),
  subject: z.string(),
  local: z.string().nullable(),
  remote: z.string().nullable(),
});
export type DefinitionDifference = z.infer<typeof DefinitionDifference>;

export const BlockedView = z.object({
  conflictId: ConflictId,
  from: SiteId,
  cause: BlockCause,
  kind: ObjectKind,
  object: z.string(),
  column: z.string().nullable(),
  /** One sentence: what, why, next step. */
  message: z.string(),
  /** Canonical DDL of both sides; empty where the cause has none. */
  localDdl: z.string(),
  remoteDdl: z.string(),
  localCreatedBy: SiteId.nullable(),
  localCreatedHlc: HlcText.nullable(),
  remoteCreatedBy: SiteId.nullable(),
  remoteCreatedHlc: HlcText.nullable(),
  differences: z.array(DefinitionDifference),
  localRows: z.number().int().nullable(),
  sinceMs: z.number().int(),
  attempts: z.number().int(),
  nextTryMs: z.number().int(),
  /** Seq at the peer: the unit that is refused, and how far the peer had got when last heard. */
  unitSeq: z.number().int(),
  behindChanges: z.number().int(),
  options: z.array(ResolutionOption),
});
export type BlockedView = z.infer<typeof BlockedView>;

export const HeldView = z.object({
  id: z.number().int(),
  reason: HeldReason,
  table: z.string(),
  key: z.array(JsonSqlValue),
  op: z.enum(['row', 'cells', 'delete', 'migration']),
  values: z.record(z.string(), JsonSqlValue),
  author: SiteId,
  hlc: HlcText,
  from: SiteId.nullable(),
  sinceMs: z.number().int(),
  sizeBytes: z.number().int(),
  quarantined: z.boolean(),
});
export type HeldView = z.infer<typeof HeldView>;

export const JournalEntry = z.object({
  id: z.number().int(),
  atMs: z.number().int(),
  who: z.string(),
  because: z.string(),
  option: z.string(),
  object: z.string(),
  conflictId: ConflictId.nullable(),
  fingerprintBefore: z.string(),
  fingerprintAfter: z.string(),
  /** What exactly, in a sentence; empty where option and object say it. */
  detail: z.string(),
});
export type JournalEntry = z.infer<typeof JournalEntry>;

/** A row that a finding is about. */
const FoundRow = z.object({
  key: z.array(JsonSqlValue),
  /** Of one that waits for a unique key: the key of the row that has it. */
  by: z.array(JsonSqlValue).nullable(),
});

export const FindingView = z.object({
  kind: FindingKind,
  table: z.string(),
  detail: z.string(),
  advice: z.string(),
  sinceMs: z.number().int(),
  /** How many rows it is about; null where it is about none in particular. */
  rowCount: z.number().int().nullable(),
  /** Whether there may be more rows than were counted. */
  hasMore: z.boolean(),
  /** Some of them. */
  rows: z.array(FoundRow),
});
export type FindingView = z.infer<typeof FindingView>;

/** A cast that does not give back what was stored, with what it becomes. */
const LossyCast = z.object({
  column: z.string(),
  key: z.array(JsonSqlValue),
  from: JsonSqlValue,
  to: JsonSqlValue,
});

/** What one replica's own rows would go through under a chosen shape. Run on a scratch copy; nothing changed. */
export const ShapePreview = z.object({
  resultDdl: z.string(),
  /** Rows of the table on this replica. */
  rows: z.number().int(),
  /** Rows of which at least one value changes its storage class or content. */
  rowsConverted: z.number().int(),
  lossyCasts: z.number().int(),
  lossyExamples: z.array(LossyCast),
  /** Cells that go to held because the shape lacks their column, per column. */
  cellsHeld: z.array(z.object({ column: z.string(), cells: z.number().int() })),
  /** Rows that go to held for want of a value the shape demands. */
  rowsHeld: z.number().int(),
});
export type ShapePreview = z.infer<typeof ShapePreview>;

export const ResolutionPreview = ShapePreview.extend({
  conflictId: ConflictId,
  option: ResolutionOption,
  object: z.string(),
  /** The shape here changes (takeRemote) or the others' does (keepLocal). */
  changesLocalShape: z.boolean(),
  changesRemoteShape: z.boolean(),
  /** Facts of the refused unit, and changes waiting behind it, which flow once it is decided. */
  unitFacts: z.number().int(),
  behindChanges: z.number().int(),
});
export type ResolutionPreview = z.infer<typeof ResolutionPreview>;
