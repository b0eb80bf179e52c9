import { LOG_KIND, ROW_KINDS } from './metadata-schema.ts';
import { toNumber } from './store-database.ts';
import type { StoreDatabase } from './store-database.ts';

/** Seqs that are looked through in one transaction, so that other programs are not kept from writing. */
const STRETCH_SEQS = 50_000;

/**
 * Takes entries out of the log that say nothing any more: those that later ones have overtaken, and the ends of groups of which
 * nothing is left. Returns how many went.
 *
 * Runs after a fold. Cursors stay what they were: a place is a number, and what follows it in the log is the same as before
 * but for what no page would have carried.
 */
export function compactLog(db: StoreDatabase, upTo: number): number {
  if (upTo === 0) return 0;
  keepReferred(db, upTo);
  let removed = 0;
  for (let from = 0; from < upTo; from += STRETCH_SEQS) {
    const bounds = { from, to: Math.min(upTo, from + STRETCH_SEQS) };
    removed += db.transaction(() => removeOvertaken(db, bounds) + removeEmptyGroups(db, bounds));
  }
  db.exec('delete from temp._concord_kept');
  return removed;
}

/** What the derived clocks point at, read once: they have no index by seq, and need none for anything else. */
function keepReferred(db: StoreDatabase, upTo: number): void {
  db.exec(`create temp table if not exists _concord_kept (seq integer primary key) strict;
    delete from temp._concord_kept`);
  for (const derived of ['cell', 'range', 'life', 'former']) {
    db.prepare<[number]>(
      `insert or ignore into temp._concord_kept (seq) select seq from _concord_${derived} where seq <= ?`,
    ).run(upTo);
  }
}

interface Bounds {
  readonly from: number;
  readonly to: number;
}

/** What the derived clocks, the history and the held changes speak of stays. */
function removeOvertaken(db: StoreDatabase, bounds: Bounds): number {
  return db
    .prepare<Bounds[]>(
      `delete from _concord_log where seq > @from and seq <= @to and (
         (kind in (${ROW_KINDS.join(', ')}) and seq not in (select seq from temp._concord_kept))
         or (kind = ${LOG_KIND.migration} and rid not in (select n from _concord_migration))
         or (kind = ${LOG_KIND.held} and rid not in (select n from _concord_held)))`,
    )
    .run(bounds).changes;
}

/** Ends of groups right after another end. The newest notice stays: it is where the log goes on, and its HLC. */
function removeEmptyGroups(db: StoreDatabase, bounds: Bounds): number {
  const newest = toNumber(
    db.preparePluck<[]>(`select max(seq) from _concord_log where kind = ${LOG_KIND.notice}`).get() ?? 0n,
  );
  return db
    .prepare<(Bounds & { readonly newest: number })[]>(
      `delete from _concord_log where seq in (
         select seq from (
           select seq, kind, lag(kind, 1, ${LOG_KIND.notice}) over (order by seq) as before from _concord_log
           where seq >= (select coalesce(max(seq), 0) from _concord_log where seq <= @from) and seq <= @to)
         where kind = ${LOG_KIND.notice} and before = ${LOG_KIND.notice} and seq > @from and seq < @newest)`,
    )
    .run({ ...bounds, newest }).changes;
}
