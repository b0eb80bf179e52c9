import { foldIdentifier } from '../sql/fold-identifier.ts';
import { quoteIdentifier } from '../sql/quote-identifier.ts';
import { installCapture } from './capture-triggers.ts';
import { appendBaseline } from './log-baseline.ts';
import type { ReplicaStore } from './replica-store.ts';
import { refreshTrackedTable } from './track-table.ts';
import { writeFinding } from './write-finding.ts';

export interface LostCapture {
  readonly tbl: number;
  /** Concord's triggers that lie on it and are another table's. */
  readonly strangers: readonly string[];
}

/** Tables whose capture is gone: another program dropped them and made them anew under their names. */
export function findLostCapture(store: ReplicaStore): readonly LostCapture[] {
  const captured = capturedTables(store);
  return store.registry.all().flatMap(({ tbl, name, key }) => {
    if (name === null || key.length === 0) return [];
    const triggers = captured.get(foldIdentifier(name)) ?? [];
    const isCaptured = triggers.includes(`_concord_d_${String(tbl)}`);
    return isCaptured ? [] : [{ tbl, strangers: triggers }];
  });
}

/**
 * Takes a table up again that another program made anew: create, copy, drop, rename is how programs alter what
 * ALTER TABLE cannot, and DROP TABLE takes our triggers and the rowids along.
 *
 * It is recorded as written now, whole: every row of it goes out once more. Which rows the copy left out can no longer
 * be told; peers keep those, and a finding says so. Runs in the take-up's transaction, after its columns were taken up.
 */
export function recaptureTable(store: ReplicaStore, lost: LostCapture): void {
  const { db } = store;
  const table = store.registry.byTbl(lost.tbl);
  if (typeof table?.name !== 'string') return;
  // Those of the table that had this content under another name a moment ago.
  for (const name of lost.strangers) db.exec(`drop trigger if exists ${quoteIdentifier(name)}`);
  refreshTrackedTable(db, table.tbl);
  store.registry.invalidate();
  const fresh = store.trackedTable(table.tbl);
  for (const derived of ['_concord_range', '_concord_cell']) {
    db.prepare<[number]>(`delete from ${derived} where tbl = ?`).run(table.tbl);
  }
  store.clocks.forget();
  appendBaseline(db, fresh, store.clock.tick());
  installCapture(db, fresh);
  writeFinding(store, {
    kind: 'capture',
    table: table.name,
    subject: 'rebuilt',
    detail: `Another program made ${table.name} anew. All its rows are sent again as written then; rows that it left out stay on the peers.`,
    advice: 'Delete such rows here by their keys once more, or alter tables through Concord.',
  });
}

/** Names of Concord's triggers by folded name of their table. */
function capturedTables(store: ReplicaStore): ReadonlyMap<string, readonly string[]> {
  const rows = store.db
    .prepareRaw<[], [string, string]>(
      `select tbl_name, name from sqlite_schema where type = 'trigger' and name like '\\_concord\\_%' escape '\\'`,
    )
    .all();
  const byTable = new Map<string, string[]>();
  for (const [table, name] of rows) {
    const key = foldIdentifier(table);
    byTable.set(key, [...(byTable.get(key) ?? []), name]);
  }
  return byTable;
}
