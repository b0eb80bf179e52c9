import { foldLog, markFolded } from './log-fold.ts';
import { LOG_KIND } from './metadata-schema.ts';
import type { ReplicaStore } from './replica-store.ts';

/**
 * Folds what a local transaction wrote so far, and leaves its group open: derived clocks and lives are up to date, and
 * what the transaction writes further belongs to the same group.
 */
export function foldOpenGroup(store: ReplicaStore): void {
  const { db } = store;
  const before = store.logWriter.head();
  const { head } = store.noticeInTransaction();
  foldLog(db, store.registry);
  if (head <= before) return;
  // The notice gave final stamps and ranges; that it closed the group is taken back.
  db.prepare<[bigint]>(`delete from _concord_log where seq = ? and kind = ${LOG_KIND.notice}`).run(
    BigInt(head),
  );
  markFolded(db, store.logWriter.head());
}
