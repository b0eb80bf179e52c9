import { keepFindings } from '../store/keep-findings.ts';
import { foldLog, readFoldedSeq } from '../store/log-fold.ts';
import { hasPending, readLastNotice } from '../store/log-notice.ts';
import type { ReplicaStore } from '../store/replica-store.ts';
import { drainFreed } from './drain-freed.ts';

/** A look that writes nothing when nothing is pending, so that a quiet sync reads no rows and takes no lock. */
export function noticeForServing(store: ReplicaStore): void {
  const isQuiet =
    store.taken.version === store.catalog.schemaVersion() &&
    !hasPending(store.db) &&
    readFoldedSeq(store.db) === readLastNotice(store.db).seq;
  if (isQuiet) return;
  store.db.transaction(() => {
    store.noticeInTransaction();
    drainFreed(store);
    foldLog(store.db, store.registry);
    keepFindings(store);
  });
}
