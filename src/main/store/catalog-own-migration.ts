import type { Migration } from '#shared/model/change-group.ts';

import { elementOf } from './element-clocks.ts';
import type { ReplicaStore } from './replica-store.ts';

/** A change of this replica's own schema, before it gets its ID and stamp. */
export type OwnChange = Omit<Migration, 'id' | 'stamp' | 'version' | 'knew' | 'redefine'> & {
  /** What the change knew of, where that is less than all that is recorded here. */
  readonly knew?: Migration['knew'];
  readonly redefine?: Migration['redefine'];
};

export interface OwnEntry {
  /** In `_concord_migration`. */
  readonly n: number;
  /** Of its entry in the log. */
  readonly seq: number;
  readonly migration: Migration;
}

/**
 * Records a migration of this replica's own with the next stamp and raises the clock of its element. `tbl`: the table
 * that it concerns. Runs in the transaction of the change.
 */
export function recordOwn(store: ReplicaStore, change: OwnChange, tbl: number | null): OwnEntry {
  const { knew, redefine = null, ...rest } = change;
  const migration = store.newMigration({ ...rest, redefine }, knew);
  const entry = store.migrations.record({
    migration,
    verdict: 'executed',
    reason: 'written here',
    tbl,
    via: null,
    nowMs: store.ports.clock.nowMs(),
  });
  store.elements.raise(elementOf(migration), {
    hlc: migration.stamp.hlc,
    site: store.sites.ordinalOf(migration.stamp.site),
    version: migration.version,
    life: 1,
    migration: entry.n,
  });
  return { ...entry, migration };
}
