import type { Stamp } from '#shared/model/change-group.ts';
import { ColumnId, MigrationId, TableId } from '#shared/model/ids.ts';
import type { Epoch, Era, SiteId } from '#shared/model/ids.ts';

import { createHybridClock } from '../engine/clock/hybrid-clock.ts';
import { knewOf } from '../engine/migration/knew-of.ts';
import type { Ports } from '../engine/ports.ts';
import { forgetBodyCreations } from './body-creation.ts';
import { createCatalogReader } from './catalog-read.ts';
import { recoverClock } from './clock-state.ts';
import { createElementClocks, elementOf } from './element-clocks.ts';
import { takeUpSchema } from './catalog-take-up.ts';
import { noticeLog } from './log-notice.ts';
import { createLogWriter } from './log-write.ts';
import { createMigrationRecords } from './migration-records.ts';
import { createRecordedObjects } from './recorded-objects.ts';
import { drawId } from './replica-meta.ts';
import type { ReplicaSettings } from './replica-settings.ts';
import type { ReplicaStore } from './replica-store.ts';
import { createRowClocks } from './row-clock.ts';
import { createRuleReader } from './row-rules.ts';
import { createSetAside } from './set-aside.ts';
import { createSiteRegistry } from './site-registry.ts';
import type { StoreDatabase } from './store-database.ts';
import { createTableRegistry, type TrackedTable } from './table-registry.ts';

export interface StoreIdentity {
  readonly site: SiteId;
  readonly epoch: Epoch;
  readonly era: Era;
}

/** Puts together what reads and writes the bookkeeping of one open file. Reads the clock; writes nothing. */
export function openStore(
  db: StoreDatabase,
  deps: { readonly ports: Ports; readonly settings: ReplicaSettings; readonly identity: StoreIdentity },
): ReplicaStore {
  const { ports, settings, identity } = deps;
  const registry = createTableRegistry(db);
  const sites = createSiteRegistry(db);
  const clock = createHybridClock({
    clock: ports.clock,
    restored: recoverClock(db),
    driftMaxMs: settings.driftMaxMs,
  });
  const logWriter = createLogWriter(db);
  const migrations = createMigrationRecords(db, { log: logWriter, sites });
  const elements = createElementClocks(db);
  const catalog = createCatalogReader(db);

  const store: ReplicaStore = {
    db,
    ports,
    settings,
    ...identity,
    registry,
    sites,
    clock,
    catalog,
    logWriter,
    migrations,
    elements,
    objects: createRecordedObjects(db),
    taken: { version: -1, textByTable: new Map(), schemaChanged: false },
    clocks: createRowClocks(db, identity.site),
    rules: createRuleReader(catalog),
    ...createSetAside(db, ports.clock),
    dropKnewOf,
    enforceConstraints: createConstraintSwitch(db),
    noticeInTransaction: () => {
      // What other programs wrote keeps the times of its writes beside DDL that is found only now.
      const clockLast = clock.last();
      takeUpSchema(store);
      const notice = noticeLog(db, { registry, nowMs: ports.clock.nowMs(), clockLast });
      clock.raise(notice.hlc);
      return { head: notice.head, changes: notice.changes, migrations: notice.migrations };
    },
    forgetReads: () => {
      registry.invalidate();
      catalog.forget();
      store.clocks.forget();
      forgetBodyCreations(store);
      store.taken.version = -1;
      store.taken.textByTable.clear();
    },
    trackedTable: (tbl) => {
      const table = registry.byTbl(tbl);
      if (table === null) throw new Error(`Table ${String(tbl)} is not kept track of.`);
      return table;
    },
    newTableId: () => drawId(TableId, ports.random),
    newColumnId: () => drawId(ColumnId, ports.random),
    newMigration: createMigrationStamp({ ports, sites, clock, elements, site: identity.site }),
  };
  return store;

  function dropKnewOf(table: TrackedTable, stamp: Stamp): boolean {
    const first = table.dropped === null ? null : migrations.byNumber(table.dropped);
    const drops = [...(first === null ? [] : [first]), ...migrations.dropsOf(table.tbl)];
    return drops.some(({ migration }) => knewOf(migration, stamp));
  }
}

/** Stamps a change of the replica's own schema with what it knows. */
function createMigrationStamp(
  store: Pick<ReplicaStore, 'ports' | 'sites' | 'clock' | 'elements' | 'site'>,
): ReplicaStore['newMigration'] {
  const { ports, sites, clock, elements, site } = store;
  return (change, knew = { ...sites.highest(), [site]: clock.last() }) => ({
    ...change,
    id: drawId(MigrationId, ports.random),
    stamp: { hlc: clock.tick(), site },
    version: (elements.read(elementOf(change))?.version ?? 0) + 1,
    knew,
  });
}

function createConstraintSwitch(db: StoreDatabase): (enforce: boolean) => void {
  // As `openDatabase` sets them.
  let isEnforced = true;
  return (enforce) => {
    if (enforce === isEnforced) return;
    db.raw.pragma(`foreign_keys = ${enforce ? 'on' : 'off'}`);
    db.raw.pragma(`ignore_check_constraints = ${enforce ? 'off' : 'on'}`);
    isEnforced = enforce;
  };
}
