import type { AlterRun } from './alter-table.ts';
import { findBreach, refuseBreach } from './alter-breach.ts';
import { kindOfDefinition } from './definition-key.ts';
import { appendBaseline } from './log-baseline.ts';
import { rebuildTable, replaceEmptyTable, type RebuildReport, type RebuildRequest } from './rebuild-table.ts';
import { admitExportedRows, exportRows } from './redefine-rows.ts';
import { readTombstones, recordTombstones } from './redefine-tombstones.ts';
import { TABLE_KIND } from './table-registry.ts';

/**
 * Gives a table a shape under which its rows have another identity: another key, or one that is stored or compared in
 * another way. Rows keep their stamps and lives, and deletions are known by the new key as far as they can be told.
 */
export function rekeyTable(run: AlterRun, request: RebuildRequest, track: () => void): RebuildReport {
  const { admission } = run;
  const { store } = admission;
  const { tbl } = run.table;
  const breach = findBreach(run, request);
  if (breach !== null) refuseBreach(request.name, breach);
  if (kindOfDefinition(request.current) === TABLE_KIND.noKey) {
    const report = rebuildTable(store.db, request);
    track();
    appendBaseline(store.db, store.trackedTable(tbl), store.clock.tick());
    return report;
  }
  const table = store.trackedTable(tbl);
  exportRows(admission, table);
  const tombstones = readTombstones(admission, table);
  const report = replaceEmptyTable(store.db, request);
  forgetRows(run);
  track();
  admitExportedRows(admission);
  recordTombstones(admission, store.trackedTable(tbl), tombstones);
  return report;
}

/** The clocks and lives of rows that are admitted anew. */
function forgetRows({ admission, table }: AlterRun): void {
  admission.store.clocks.forget();
  for (const derived of ['_concord_range', '_concord_cell', '_concord_life']) {
    admission.store.db.prepare<[number]>(`delete from ${derived} where tbl = ?`).run(table.tbl);
  }
}
