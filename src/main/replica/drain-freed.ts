import { createAdmission } from '../store/admission-context.ts';
import { withoutCapture } from '../store/admission-group.ts';
import { waitingTables } from '../store/held-entries.ts';
import { logHeld } from '../store/held-log.ts';
import { foldLog } from '../store/log-fold.ts';
import type { ReplicaStore } from '../store/replica-store.ts';

/**
 * Lets held changes in that a local transaction made room for: a table that was dropped freed its name, a row that was
 * deleted or changed freed a unique key, a row that was inserted is one that others wait for. Runs inside that transaction,
 * after its notice.
 */
export function drainFreed(store: ReplicaStore): void {
  const { schemaChanged } = store.taken;
  store.taken.schemaChanged = false;
  const waiting = waitingTables(store.db);
  if (waiting.length === 0) return;
  const admission = createAdmission(store, null, { acceptsOwn: true });
  admission.namesFreed = schemaChanged;
  for (const id of waiting) {
    const table = store.registry.byId(id);
    if (table !== null && schemaChanged) admission.changedTables.add(table.tbl);
  }
  foldLog(store.db, store.registry);
  withoutCapture(admission, () => {
    // Draining is all there is to do.
  });
  logHeld(admission);
}
