import type { ChangeGroup, Migration, Stamp } from '#shared/model/change-group.ts';
import type { SiteId } from '#shared/model/ids.ts';

import { orderMigrations } from '../engine/migration/order-migrations.ts';
import { checkDrift } from '../engine/clock/check-drift.ts';
import { createAdmission, type Admission } from './admission-context.ts';
import { admitMigrations } from './admission-migrations.ts';
import { admitReplacements } from './admission-replacement.ts';
import { AdmissionRefused } from './admission-refused.ts';
import { admitBlock } from './admission-block.ts';
import { drainHeld } from './held-drain.ts';
import { logHeld } from './held-log.ts';
import { keepFindings } from './keep-findings.ts';
import { foldLog, markFolded } from './log-fold.ts';
import { LOG_KIND } from './metadata-schema.ts';
import type { ReplicaStore } from './replica-store.ts';
import { refuseForeignStatements } from './refuse-foreign.ts';
import { restoreTriggers } from './silence-triggers.ts';
import { validatesRows } from './validates-rows.ts';

/**
 * Runs work on tables and bookkeeping as one transaction in which nothing of it is captured, no foreign key and no
 * CHECK is enforced, and what is recorded is closed as one group.
 *
 * Guarantees: all of it commits, or the file is as it was and the exception goes on to the caller.
 * Source: engine.md, section 1: admission, drain and rebuild run with foreign keys and CHECKs off.
 */
export function runAdmission(
  store: ReplicaStore,
  options: {
    readonly via: number | null;
    readonly acceptsOwn?: boolean;
    /** What the source had pruned when it sent this. */
    readonly pruned?: readonly Stamp[] | undefined;
  },
  work: (admission: Admission) => void,
): Admission {
  const { db, clock } = store;
  const before = clock.last();
  const { via, acceptsOwn = false, pruned } = options;
  const admission = createAdmission(store, via, { acceptsOwn, pruned });
  store.enforceConstraints(false);
  store.clocks.forget();
  try {
    db.transaction(() => {
      store.noticeInTransaction();
      foldLog(db, store.registry);
      withoutCapture(admission, () => {
        work(admission);
      });
    });
    logHeld(admission);
    return admission;
  } catch (cause) {
    // What was read inside the transaction may never have happened.
    store.forgetReads();
    clock.restore(before);
    throw cause;
  }
}

/**
 * Runs work on tables whose changes are recorded by the work itself, then what that made room for, and closes all of
 * it as one group with its derived clocks up to date. Runs in the caller's transaction, after notice and fold.
 */
export function withoutCapture(admission: Admission, work: () => void): void {
  const { db, logWriter, clock } = admission.store;
  const before = logWriter.head();
  db.exec('update _concord_state set capture = 0');
  work();
  drainHeld(admission, before);
  restoreTriggers(admission);
  for (const tbl of admission.mutedTables) logWriter.unmuteInserts(tbl);
  keepFindings(admission.store);
  const newest = db.preparePluck<[]>('select kind from _concord_log order by seq desc limit 1').get();
  if (newest !== undefined && newest !== BigInt(LOG_KIND.notice)) {
    // Of now, not of what was taken in: the age of a deletion here is counted from it.
    db.prepare<unknown[]>('insert into _concord_log (kind, hlc) values (?, ?)').run(
      LOG_KIND.notice,
      clock.tick(),
    );
  }
  markFolded(db, logWriter.head());
  db.exec('update _concord_state set capture = 1');
}

/**
 * Admits one unit: migrations that do not check rows, rows, then those that do.
 *
 * Throws `AdmissionRefused` when the unit cannot be taken; the caller's transaction rolls back.
 */
export function admitUnit(admission: Admission, groups: readonly ChangeGroup[]): void {
  const { store } = admission;
  // All are checked before any is taken in: a refused unit leaves the clock as it was.
  for (const group of groups) refuseClockAhead(store, group);
  for (const group of groups) observeStamps(store, group);
  const migrations = groups.flatMap((group) => group.migrations);
  for (const id of groups.flatMap(({ outOfTurn = [] }) => outOfTurn)) admission.outOfTurn.add(id);
  refuseForeignStatements(migrations);
  const { beforeRows, afterRows } = orderMigrations(migrations, {
    validatesRows: (migration) => validatesRows(store, migration, migrations),
    objectOf,
  });
  admitMigrations(admission, beforeRows);
  for (const group of groups) for (const block of group.blocks) admitBlock(admission, group, block);
  for (const group of groups) admitReplacements(admission, group);
  admission.afterRows = groups.some(({ blocks }) => blocks.length > 0);
  admitMigrations(admission, afterRows);
  admission.afterRows = false;
}

const objectOf = (migration: Migration): string =>
  migration.tableId ?? `${migration.kind} ${migration.object}`;

function refuseClockAhead(store: ReplicaStore, group: ChangeGroup): void {
  const drift = checkDrift(group, {
    nowMs: store.ports.clock.nowMs(),
    driftMaxMs: store.settings.driftMaxMs,
  });
  if (!drift.ok)
    throw new AdmissionRefused({ cause: 'clockAhead', object: '', message: drift.error.message });
}

function observeStamps(store: ReplicaStore, group: ChangeGroup): void {
  for (const { stamp } of group.migrations) store.clock.raise(stamp.hlc);
  for (const [site, hlc] of highestBySite(group)) {
    store.clock.raise(hlc);
    // What comes ahead of the line says nothing of what its author wrote before it.
    if (group.cursor !== undefined) store.sites.raise(store.sites.ordinalOf(site), hlc);
  }
}

/** Also of facts that lose: having seen them counts as knowing of them. */
function highestBySite(group: ChangeGroup): ReadonlyMap<SiteId, bigint> {
  const highest = new Map<SiteId, bigint>();
  const see = (site: SiteId | undefined, hlc: bigint): void => {
    if (site !== undefined && hlc > (highest.get(site) ?? -1n)) highest.set(site, hlc);
  };
  const outOfTurn = new Set(group.outOfTurn);
  for (const { id, stamp } of group.migrations) if (!outOfTurn.has(id)) see(stamp.site, stamp.hlc);
  for (const block of group.blocks) {
    see(group.sites[block.site], block.hlc);
    for (const [, , hlc, site] of block.clocks) see(group.sites[site], hlc);
  }
  for (const { stamp } of group.replacements ?? []) see(stamp.site, stamp.hlc);
  return highest;
}
