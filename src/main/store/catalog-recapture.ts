import { installCapture } from './capture-triggers.ts';
import { quoteIdentifier } from '../sql/quote-identifier.ts';
import { formerKeyName } from './former-keys.ts';
import { keyLookup } from './key-lookup.ts';
import { appendBaseline } from './log-baseline.ts';
import { readFoldedSeq } from './log-fold.ts';
import { LOG_KIND } from './metadata-schema.ts';
import { readRowsAgain } from './peer-records.ts';
import type { ReplicaStore } from './replica-store.ts';
import type { StoreDatabase } from './store-database.ts';
import { TABLE_KIND, type TrackedTable } from './table-registry.ts';
import { keepReplacement, type Replacement } from './table-replacements.ts';
import { refreshTrackedTable } from './track-table.ts';

/**
 * Takes a table up again that another program made anew: create, copy, drop, rename is how programs alter what
 * ALTER TABLE cannot, and DROP TABLE takes our triggers and the rowids along.
 *
 * All its rows go out once more, written at `hlc`: right after what was known here, so that what others wrote meanwhile
 * holds. Then the replacement goes out: whoever has a row that was known here, and that did not come, leaves it out
 * (docs/decisions/0018). Runs in the take-up's transaction, after its columns were taken up.
 */
export function recaptureTable(store: ReplicaStore, before: TrackedTable, hlc: bigint): void {
  const { db } = store;
  const { tbl } = before;
  refreshTrackedTable(db, tbl);
  store.registry.invalidate();
  const table = store.trackedTable(tbl);
  const isInFlight = hasRowsInFlight(db, tbl);
  forgetPlaces(store, { before, after: table }, hlc);
  appendBaseline(db, table, hlc);
  recordReturned(store, table, hlc);
  installCapture(db, table);
  if (before.kind === TABLE_KIND.noKey || table.kind === TABLE_KIND.noKey) return;
  // Rows that are not said to have been known come again, where they still are.
  if (isInFlight) readRowsAgain(store);
  keepReplacement(store, { tableId: table.id, tbl, replacement: replacementNow(store, table, hlc) }, null);
}

/** What was known when the table was made anew: all that is here whole, but for the rows that wait for a place. */
function replacementNow(store: ReplicaStore, { tbl }: TrackedTable, hlc: bigint): Replacement {
  const waiting = store.db
    .prepareRaw<[{ tbl: number }], [bigint, bigint]>(
      `select distinct hlc, site from _concord_held where op = 'row' and table_id not in (
         select id from _concord_table where tbl <> @tbl and name is not null
         union all select a.id from _concord_alias as a join _concord_table as t on t.tbl = a.tbl
           where a.kind = 't' and a.tbl <> @tbl and t.name is not null)`,
    )
    .all({ tbl });
  return {
    stamp: { hlc, site: store.site },
    knew: { ...store.sites.whole(), [store.site]: hlc - 1n },
    waiting: waiting.map(([at, site]) => ({ hlc: at, site: store.sites.siteOf(Number(site)) })),
  };
}

/**
 * Whether the table held rows of a site of which not every row is here yet: a stretch under way, pages to come. That they
 * were known cannot be said of them, and who sent them would not send them again.
 */
const hasRowsInFlight = (db: StoreDatabase, tbl: number): boolean =>
  db
    .preparePluck<[{ tbl: number }]>(
      `select 1 from (select seq from _concord_range where tbl = @tbl
           union all select seq from _concord_cell where tbl = @tbl and col = -1) as known
         join _concord_log as l on l.seq = known.seq join _concord_site as s on s.id = l.site
       where l.hlc > s.hlc_whole limit 1`,
    )
    .get({ tbl }) !== undefined;

/** What the log knew of the rows by their places, which they have no more; lives go on under their keys. */
function forgetPlaces(
  store: ReplicaStore,
  { before, after }: { readonly before: TrackedTable; readonly after: TrackedTable },
  hlc: bigint,
): void {
  const { db } = store;
  forgetStretches(db, after.tbl);
  const isAlike = isIdentifiedAlike(before, after);
  forgetPending(db, after, isAlike);
  if (isAlike) recordLeftOut(store, after, hlc);
  if (nameOfKey(before) === nameOfKey(after)) endLives(store, after, hlc);
  else keepFormerDeletions(db, before);
  for (const derived of ['_concord_range', '_concord_cell']) {
    db.prepare<[number]>(`delete from ${derived} where tbl = ?`).run(after.tbl);
  }
  store.clocks.forget();
}

/** Stretches that are not folded yet: nobody was sent any of them. */
function forgetStretches(db: StoreDatabase, tbl: number): void {
  db.prepare<unknown[]>(
    `delete from _concord_log
     where seq > @folded and tbl = @tbl and kind in (${LOG_KIND.range}, ${LOG_KIND.baseline})`,
  ).run(pendingOf(db, tbl));
}

const pendingOf = (db: StoreDatabase, tbl: number): { readonly tbl: bigint; readonly folded: bigint } => ({
  tbl: BigInt(tbl),
  folded: BigInt(readFoldedSeq(db)),
});

/**
 * Entries of rows that are not folded yet, but for the deletions in them: each row that is there is to have the stamp with which
 * it goes out once more. Changed cells keep theirs where their row is known by its key.
 */
function forgetPending(db: StoreDatabase, table: TrackedTable, keepsCells: boolean): void {
  const pending = pendingOf(db, table.tbl);
  db.prepare<unknown[]>(
    `update _concord_log set kind = ${LOG_KIND.delete}, rid = null, mask = null, hi = null, was = null
     where seq > @folded and tbl = @tbl and kind = ${LOG_KIND.update} and key is not null`,
  ).run(pending);
  const isThere = `exists (select 1 from ${quoteIdentifier(table.name ?? '')} as t
    where ${keyLookup(table.key, 't.', '_concord_log.rid')})`;
  db.prepare<unknown[]>(
    `delete from _concord_log where seq > @folded and tbl = @tbl and (kind in (${LOG_KIND.insert}, ${LOG_KIND.watch})
       or (kind = ${LOG_KIND.update}${keepsCells ? ` and not ${isThere}` : ''}))`,
  ).run(pending);
}

/** Rows that were alive again and are not there, by their keys; not those that wait for a place. */
function endLives({ db }: ReplicaStore, table: TrackedTable, hlc: bigint): void {
  if (table.key.length === 0) return;
  db.prepare<unknown[]>(
    `insert into _concord_log (kind, tbl, key, hlc)
     select ${LOG_KIND.delete}, y.tbl, y.key, @hlc from _concord_life as y join _concord_log as l on l.seq = y.seq
     where y.tbl = @tbl and y.life % 2 = 1 and l.kind <> ${LOG_KIND.delete}
       and y.key not in (select key from _concord_held where op = 'row' and key is not null)
       and y.key not in (select key from _concord_log
         where seq > @folded and tbl = @tbl and kind = ${LOG_KIND.delete} and key is not null)
       and not exists (select 1 from ${quoteIdentifier(table.name ?? '')} as t where ${keyLookup(table.key, 't.', 'y.key')})`,
  ).run({ ...pendingOf(db, table.tbl), hlc });
}

/** The key is another: deletions stay known by the one that they were made under. */
function keepFormerDeletions(db: StoreDatabase, before: TrackedTable): void {
  db.prepare<unknown[]>(
    `insert or replace into _concord_former (tbl, cols, key, life, seq)
     select tbl, ?, key, life, seq from _concord_life where tbl = ? and life % 2 = 0`,
  ).run(formerKeyName(before.key), BigInt(before.tbl));
  db.prepare<[number]>('delete from _concord_life where tbl = ?').run(before.tbl);
}

/** Whether a row's place in the log is its key, before and after, so that it tells which row it was. */
function isIdentifiedAlike(before: TrackedTable, after: TrackedTable): boolean {
  const isByKey = after.kind === TABLE_KIND.integerKey || after.kind === TABLE_KIND.withoutRowid;
  return isByKey && before.kind === after.kind && nameOfKey(before) === nameOfKey(after);
}

const nameOfKey = ({ key }: TrackedTable): string => formerKeyName(key);

/** Rows with an entry of their own that were not deleted before. What is not folded nobody was sent. */
const KNOWN_ONE_BY_ONE = `
  select rid from _concord_cell where tbl = @tbl and col = -1
  except select rid from _concord_log where tbl = @tbl and seq > @folded and kind = ${LOG_KIND.delete}`;

function recordLeftOut({ db }: ReplicaStore, table: TrackedTable, hlc: bigint): void {
  const isThere = `exists (select 1 from ${quoteIdentifier(table.name ?? '')} as t where ${keyLookup(table.key, 't.', 'k.rid')})`;
  db.prepare<unknown[]>(
    `insert into _concord_log (kind, tbl, rid, key, hlc)
     select ${LOG_KIND.delete}, @tbl, k.rid, k.rid, @hlc from (${KNOWN_ONE_BY_ONE}) as k where not ${isThere}`,
  ).run({ ...pendingOf(db, table.tbl), hlc });
}

/** Rows that are back after they were deleted, whether that is folded or not: each begins a new life. */
function recordReturned({ db }: ReplicaStore, table: TrackedTable, hlc: bigint): void {
  if (table.key.length === 0) return;
  db.prepare<unknown[]>(
    `insert into _concord_log (kind, tbl, rid, hlc)
     select ${LOG_KIND.insert}, @tbl, ${ridOf(table)}, @hlc
     from (select key from _concord_life where tbl = @tbl and life % 2 = 0
         union select key from _concord_log where seq > @folded and tbl = @tbl and key is not null
           and kind in (${LOG_KIND.delete}, ${LOG_KIND.update})) as y
       cross join ${quoteIdentifier(table.name ?? '')} as t on ${keyLookup(table.key, 't.', 'y.key')}`,
  ).run({ ...pendingOf(db, table.tbl), hlc });
}

const ridOf = ({ kind, ridExpression }: TrackedTable): string =>
  kind === TABLE_KIND.withoutRowid ? 'y.key' : `t.${ridExpression}`;
