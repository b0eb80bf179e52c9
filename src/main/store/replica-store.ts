import type { Migration, Stamp } from '#shared/model/change-group.ts';
import type { ColumnId, Epoch, Era, SiteId, TableId } from '#shared/model/ids.ts';

import type { HybridClock } from '../engine/clock/hybrid-clock.ts';
import type { Ports } from '../engine/ports.ts';
import type { CatalogReader } from './catalog-read.ts';
import type { ElementClocks } from './element-clocks.ts';
import type { LogWriter } from './log-write.ts';
import type { MigrationRecords } from './migration-records.ts';
import type { ReplicaSettings } from './replica-settings.ts';
import type { RecordedObjects } from './recorded-objects.ts';
import type { RowClocks } from './row-clock.ts';
import type { RuleBook } from './row-rules.ts';
import type { SetAsideObjects } from './set-aside.ts';
import type { SiteRegistry } from './site-registry.ts';
import type { StoreDatabase } from './store-database.ts';
import type { TableRegistry, TrackedTable } from './table-registry.ts';

/** An open replica's file with everything that reads and writes its bookkeeping: one connection, one thread. */
export interface ReplicaStore extends SetAsideObjects {
  readonly db: StoreDatabase;
  readonly ports: Ports;
  readonly settings: ReplicaSettings;
  readonly site: SiteId;
  readonly epoch: Epoch;
  readonly era: Era;
  readonly registry: TableRegistry;
  readonly sites: SiteRegistry;
  readonly clock: HybridClock;
  readonly catalog: CatalogReader;
  readonly logWriter: LogWriter;
  readonly migrations: MigrationRecords;
  readonly elements: ElementClocks;
  readonly objects: RecordedObjects;
  readonly clocks: RowClocks;
  /** CHECKs and foreign keys of the catalog as it is; read again once it has changed. */
  readonly rules: () => RuleBook;
  readonly taken: TakenCatalog;
  /** Whether a drop of a table knew of a fact: any of those that dropped it at once. */
  readonly dropKnewOf: (table: TrackedTable, stamp: Stamp) => boolean;
  /**
   * Whether foreign keys and CHECKs hold for what this connection writes next: for local SQL they do, in an admission
   * they do not. Before a transaction; kept until it is said otherwise, because each change makes SQLite compile every
   * statement anew.
   */
  readonly enforceConstraints: (enforce: boolean) => void;
  /** Closes what is pending as one group; inside a write transaction. Takes up changed schema first. */
  readonly noticeInTransaction: () => StoreNotice;
  /** After a rollback: what was read inside the transaction may never have happened. */
  readonly forgetReads: () => void;
  /** A table by ordinal; a bug when it is not there. */
  readonly trackedTable: (tbl: number) => TrackedTable;
  readonly newTableId: () => TableId;
  readonly newColumnId: () => ColumnId;
  /** Stamps a change of this replica's own schema. */
  readonly newMigration: (
    change: Omit<Migration, 'id' | 'stamp' | 'version' | 'knew'>,
    knew?: Migration['knew'],
  ) => Migration;
}

export interface StoreNotice {
  readonly head: number;
  readonly changes: number;
  readonly migrations: number;
}

/** Up to where the catalog was taken up by this connection. */
export interface TakenCatalog {
  version: number;
  /** The text of each table in the file, by ordinal. */
  readonly textByTable: Map<number, string>;
  /** Whether the schema was changed here since the last drain: held changes may fit now. */
  schemaChanged: boolean;
}
