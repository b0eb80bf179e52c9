import type { Admission } from './admission-context.ts';

/**
 * Runs part of an admission that may turn out not to fit. On false, the file, the counts and everything that was read
 * are as before it.
 */
export function attemptWithin(admission: Admission, work: () => boolean): boolean {
  const { db, clocks, registry } = admission.store;
  const report = { ...admission.report };
  const silenced = [...admission.silenced];
  db.exec('savepoint _concord_attempt');
  if (work()) {
    db.exec('release _concord_attempt');
    return true;
  }
  db.exec('rollback to _concord_attempt; release _concord_attempt');
  Object.assign(admission.report, report);
  admission.silenced.clear();
  for (const [table, triggers] of silenced) admission.silenced.set(table, triggers);
  clocks.forget();
  registry.invalidate();
  return false;
}
