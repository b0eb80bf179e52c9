import { installCapture } from './capture-triggers.ts';
import { appendBaseline } from './log-baseline.ts';
import type { ReplicaStore } from './replica-store.ts';
import { refreshTrackedTable } from './track-table.ts';
import { writeFinding } from './write-finding.ts';

/**
 * Takes a table up again that another program made anew: create, copy, drop, rename is how programs alter what
 * ALTER TABLE cannot, and DROP TABLE takes our triggers and the rowids along.
 *
 * It is recorded as written now, whole: every row of it goes out once more. Which rows the copy left out can no longer
 * be told; peers keep those, and a finding says so. Runs in the take-up's transaction, after its columns were taken up.
 */
export function recaptureTable(store: ReplicaStore, tbl: number): void {
  const { db } = store;
  refreshTrackedTable(db, tbl);
  store.registry.invalidate();
  const table = store.trackedTable(tbl);
  for (const derived of ['_concord_range', '_concord_cell']) {
    db.prepare<[number]>(`delete from ${derived} where tbl = ?`).run(tbl);
  }
  store.clocks.forget();
  appendBaseline(db, table, store.clock.tick());
  installCapture(db, table);
  const name = table.name ?? '';
  writeFinding(store, {
    kind: 'capture',
    table: name,
    subject: 'rebuilt',
    detail: `Another program made ${name} anew. All its rows are sent again as written then; rows that it left out stay on the peers.`,
    advice: 'Delete such rows here by their keys once more, or alter tables through Concord.',
  });
}
