import { createAdmission } from '../store/admission-context.ts';
import { withoutCapture } from '../store/admission-group.ts';
import { foldLog } from '../store/log-fold.ts';
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
  withoutCapture(admission, () => {
    // Draining is all there is to do.
  });
}

const heldTables = (store: ReplicaStore): readonly string[] =>
  store.db
    .preparePluck<[], string>(`select distinct table_id from _concord_held where quarantined = 0`)
    .all();
