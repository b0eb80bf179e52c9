import { readMeta, writeMeta } from './replica-meta.ts';
import type { ReplicaStore } from './replica-store.ts';

/**
 * Whether the record is up to the catalog. The file says so too, so that opening it reads no catalog where nothing has
 * changed since it was closed.
 */
export function isTakenUp({ db, taken, catalog }: ReplicaStore): boolean {
  const version = catalog.schemaVersion();
  if (taken.version === version) return true;
  if (taken.version >= 0 || readMeta(db, 'catalogVersion') !== BigInt(version)) return false;
  taken.version = version;
  return true;
}

/** Says that the record is up to the catalog as it is now. In the transaction that brought it there. */
export function noteTakenUp({ db, taken, catalog }: ReplicaStore): void {
  taken.schemaChanged = true;
  taken.version = catalog.schemaVersion();
  writeMeta(db, 'catalogVersion', BigInt(taken.version));
}

/** Makes the next take-up compare the whole catalog with the record. */
export function doubtTakenUp({ taken }: Pick<ReplicaStore, 'taken'>): void {
  // No file has this version, and it is none of those that the file itself vouches for.
  taken.version = 0;
}

/**
 * Runs DDL on views and triggers of which the record knows already, so that no take-up has to look for it. `touched`: names
 * of those that are dropped; what is created is found by itself.
 */
export function followDdl(store: ReplicaStore, touched: readonly string[], run: () => void): void {
  const isTaken = isTakenUp(store);
  const { schemaChanged } = store.taken;
  const { change } = store.catalog.follow(() => {
    run();
    return { value: null, touched };
  });
  if (!isTaken || change === null) return;
  noteTakenUp(store);
  // No held change waits for a view or trigger.
  store.taken.schemaChanged = schemaChanged;
}
