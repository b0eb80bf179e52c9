import { checkBodies } from '../store/body-check.ts';
import { checkHeldUse } from '../store/held-bounds.ts';
import { foldLog } from '../store/log-fold.ts';
import type { ReplicaStore } from '../store/replica-store.ts';
import { checkCheaply, checkFile } from '../store/self-check.ts';
import { checkShapes } from '../store/shape-drift.ts';
import { writeFinding } from '../store/write-finding.ts';

/**
 * Checks the whole bookkeeping against itself and against the tables, after a notice: one sentence per problem, which names the
 * object and says what to do. Reads every row; its cost goes with the file.
 */
export function checkReplica(store: ReplicaStore): readonly string[] {
  return store.db.transaction(() => {
    store.noticeInTransaction();
    foldLog(store.db, store.registry);
    return [
      ...checkFile(store.db, store.registry),
      ...checkShapes(store),
      ...checkBodies(store),
      ...checkHeldUse(store),
    ];
  });
}

/**
 * Tells what is wrong at the first look, as a finding, and captures again where capture was off. The whole check says the rest.
 * Costs the same at any size.
 */
export function tellUnsound({ db, ports }: ReplicaStore): void {
  const problems = checkCheaply(db);
  for (const problem of problems) ports.log.error('replica.unsound', { path: db.path, problem });
  for (const problem of problems) {
    writeFinding(
      { db, ports },
      {
        kind: 'capture',
        table: '',
        subject: 'self-check',
        detail: problem,
        advice: 'Check the replica as a whole: concord check.',
      },
    );
  }
  if (problems.length > 0) db.exec('update _concord_state set capture = 1 where capture = 0');
}
