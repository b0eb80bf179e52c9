import { installCapture } from './capture-triggers.ts';
import { quoteIdentifier } from '../sql/quote-identifier.ts';
import { keyLookup } from './key-lookup.ts';
import { appendBaseline } from './log-baseline.ts';
import { readFoldedSeq } from './log-fold.ts';
import { LOG_KIND } from './metadata-schema.ts';
import type { ReplicaStore } from './replica-store.ts';
import { TABLE_KIND, type TrackedTable } from './table-registry.ts';
import { refreshTrackedTable } from './track-table.ts';
import { writeFinding } from './write-finding.ts';

/**
 * Takes a table up again that another program made anew: create, copy, drop, rename is how programs alter what
 * ALTER TABLE cannot, and DROP TABLE takes our triggers and the rowids along.
 *
 * All its rows go out once more, written at `hlc`: right after what was known here, so that what others wrote meanwhile
 * holds. Rows that were known one by one under the same key and are no longer there are deleted. Of others it cannot be told
 * whether they ever were there: peers keep those, and a finding says so. Runs in the take-up's transaction, after its
 * columns were taken up.
 */
export function recaptureTable(store: ReplicaStore, before: TrackedTable, hlc: bigint): void {
  const { db } = store;
  const { tbl } = before;
  refreshTrackedTable(db, tbl);
  store.registry.invalidate();
  const table = store.trackedTable(tbl);
  const isTold = isIdentifiedAlike(before, table);
  if (isTold) recordLeftOut(store, table, hlc);
  for (const derived of ['_concord_range', '_concord_cell']) {
    db.prepare<[number]>(`delete from ${derived} where tbl = ?`).run(tbl);
  }
  store.clocks.forget();
  appendBaseline(db, table, hlc);
  recordReturned(store, table, hlc);
  installCapture(db, table);
  const name = table.name ?? '';
  writeFinding(store, {
    kind: 'capture',
    table: name,
    subject: 'rebuilt',
    detail: `Another program made ${name} anew. All its rows are sent again. Of rows that it left out ${isTold ? 'those are deleted on the peers that were recorded one by one; others' : 'it cannot be told which they were: they'} stay there.`,
    advice: 'Where such rows should go, delete them on a peer that has them. Alter tables through Concord.',
  });
}

/** Whether a row's place in the log is its key, before and after, so that it tells which row it was. */
function isIdentifiedAlike(before: TrackedTable, after: TrackedTable): boolean {
  const isByKey = after.kind === TABLE_KIND.integerKey || after.kind === TABLE_KIND.withoutRowid;
  const keyOf = ({ key }: TrackedTable): string => key.map(({ col }) => col).join();
  return isByKey && before.kind === after.kind && keyOf(before) === keyOf(after);
}

/** Rows with an entry of their own, folded or not, that were not deleted before. */
const KNOWN_ONE_BY_ONE = `
  select rid from _concord_cell where tbl = @tbl and col = -1
  union select rid from _concord_log where tbl = @tbl and seq > @folded and kind = ${LOG_KIND.insert}
  except select rid from _concord_log where tbl = @tbl and seq > @folded and kind = ${LOG_KIND.delete}`;

function recordLeftOut({ db }: ReplicaStore, table: TrackedTable, hlc: bigint): void {
  const isThere = `exists (select 1 from ${quoteIdentifier(table.name ?? '')} as t where ${keyLookup(table.key, 't.', 'k.rid')})`;
  db.prepare<unknown[]>(
    `insert into _concord_log (kind, tbl, rid, key, hlc)
     select ${LOG_KIND.delete}, @tbl, k.rid, k.rid, @hlc from (${KNOWN_ONE_BY_ONE}) as k where not ${isThere}`,
  ).run({ tbl: BigInt(table.tbl), folded: BigInt(readFoldedSeq(db)), hlc });
}

/** Rows that are back after they were deleted: each begins a new life. */
function recordReturned({ db }: ReplicaStore, table: TrackedTable, hlc: bigint): void {
  if (table.key.length === 0) return;
  db.prepare<unknown[]>(
    `insert into _concord_log (kind, tbl, rid, hlc)
     select ${LOG_KIND.insert}, y.tbl, ${ridOf(table)}, @hlc
     from _concord_life as y join ${quoteIdentifier(table.name ?? '')} as t on ${keyLookup(table.key, 't.', 'y.key')}
     where y.tbl = @tbl and y.life % 2 = 0`,
  ).run({ tbl: BigInt(table.tbl), hlc });
}

const ridOf = ({ kind, ridExpression }: TrackedTable): string =>
  kind === TABLE_KIND.withoutRowid ? 'y.key' : `t.${ridExpression}`;
