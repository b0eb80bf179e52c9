import { createAdmission } from '../store/admission-context.ts';
import { drainHeld } from '../store/held-drain.ts';
import { foldLog, markFolded } from '../store/log-fold.ts';
import { LOG_KIND } from '../store/metadata-schema.ts';
import type { ReplicaStore } from '../store/replica-store.ts';

/**
 * Lets held changes in that a local transaction made room for: a table that was dropped freed its name, a row that was
 * deleted or changed freed a unique key. Runs inside that transaction, after its notice.
 */
export function drainFreed(store: ReplicaStore): void {
  const waiting = store.db
    .preparePluck<[]>('select 1 from _concord_held where quarantined = 0 limit 1')
    .get();
  if (waiting === undefined) return;
  const admission = createAdmission(store, null, { acceptsOwn: true });
  const { schemaChanged } = store.taken;
  admission.namesFreed = schemaChanged;
  store.taken.schemaChanged = false;
  for (const id of heldTables(store)) {
    const table = store.registry.byId(id);
    if (typeof table?.name !== 'string') continue;
    admission.touchedKeys.add(table.tbl);
    if (schemaChanged) admission.changedTables.add(table.tbl);
  }
  foldLog(store.db, store.registry);
  store.db.exec('update _concord_state set capture = 0');
  drainHeld(admission);
  store.db.exec('update _concord_state set capture = 1');
  closeDrain(store);
}

const heldTables = (store: ReplicaStore): readonly string[] =>
  store.db
    .preparePluck<[], string>(`select distinct table_id from _concord_held where quarantined = 0`)
    .all();

function closeDrain(store: ReplicaStore): void {
  const newest = store.db.preparePluck<[]>('select kind from _concord_log order by seq desc limit 1').get();
  if (newest !== undefined && newest !== BigInt(LOG_KIND.notice)) {
    store.db
      .prepare<unknown[]>('insert into _concord_log (kind, hlc) values (?, ?)')
      .run(LOG_KIND.notice, store.clock.last());
  }
  markFolded(store.db, store.logWriter.head());
}
