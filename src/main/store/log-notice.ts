import { assert } from '#shared/assert.ts';

import { advanceHlc } from '../engine/clock/advance-hlc.ts';
import { quoteIdentifier } from '../sql/quote-identifier.ts';
import { CLEAN_MARK, LOG_KIND } from './metadata-schema.ts';
import { toBigInt, toNumber } from './store-database.ts';
import type { StoreDatabase, StoredValue } from './store-database.ts';
import type { TableRegistry } from './table-registry.ts';
import { MARK_SLACK } from './track-table.ts';

export interface NoticeInput {
  readonly registry: TableRegistry;
  /** Wall time; milliseconds. */
  readonly nowMs: number;
  /** Highest HLC that the replica's clock has given or seen: nothing at or below it is given again. */
  readonly clockLast: bigint;
  /** Rowids beyond the highest recorded one that are recorded one by one; `MARK_SLACK` unless said otherwise. */
  readonly markSlack?: bigint;
}

export interface LogNotice {
  /** Seq of the entry that closes the newest group. */
  readonly head: number;
  /** Highest HLC of all that is recorded. */
  readonly hlc: bigint;
  /** Row changes that were closed as one group; 0 when there was nothing to close. */
  readonly changes: number;
  readonly migrations: number;
}

/** Whether anything was recorded, or inserted beyond a mark, since the last notice. Two look-ups. */
export function hasPending(db: StoreDatabase): boolean {
  const newest = readNewest(db);
  return (newest !== null && !newest.isNotice) || isMarked(db);
}

/**
 * Takes notice of all that was committed, or written in this very transaction, since the last notice: closes it as one
 * group, gives the rows beyond the marks their ranges, and every entry an HLC above all that was read before.
 *
 * Runs in a write transaction, after a changed schema was noticed (tables must have their names in the registry).
 * Guarantees (LOG-002): with nothing pending nothing is written; entries keep the wall time of their write where it is later
 * than every HLC known before.
 */
export function noticeLog(db: StoreDatabase, input: NoticeInput): LogNotice {
  assert(db.inTransaction(), 'a notice closes its group in a transaction of its caller');
  const newest = readNewest(db);
  const isOpen = newest !== null && !newest.isNotice;
  const hasMarks = isMarked(db);
  const summary = isOpen ? readPending(db) : { ...NOTHING_PENDING, ...(newest ?? NO_NOTICE) };
  const last = higher(summary.hlc, input.clockLast);
  const unchanged: LogNotice = { head: summary.seq, hlc: last, changes: 0, migrations: 0 };
  if (!isOpen && !hasMarks) return unchanged;

  const highest = isOpen ? raiseClocks(db, summary, last) : 0n;
  const sealHlc = higher(highest, advanceHlc(last, input.nowMs));
  const inserted = hasMarks ? sealMarks(db, input, sealHlc) : 0;
  // A table that was marked and emptied again leaves nothing to close.
  if (summary.entries + inserted === 0) return unchanged;
  const hlc = inserted > 0 ? sealHlc : highest;
  const head = db
    .prepare<[bigint]>(`insert into _concord_log (kind, hlc) values (8, ?)`)
    .run(hlc).lastInsertRowid;
  return {
    head: toNumber(head),
    hlc,
    changes: summary.entries - summary.migrations + inserted,
    migrations: summary.migrations,
  };
}

const higher = (left: bigint, right: bigint): bigint => (left > right ? left : right);

/** Seq and HLC of the entry that closed the newest group; zeros when nothing was ever closed. */
export function readLastNotice(db: StoreDatabase): Notice {
  const newest = readNewest(db);
  if (newest === null || newest.isNotice) return newest ?? NO_NOTICE;
  const [seq, hlc] = db.prepareRaw<[]>(LAST_NOTICE).get() ?? [0n, 0n];
  return { seq: toNumber(seq), hlc: toBigInt(hlc) };
}

export interface Notice {
  readonly seq: number;
  readonly hlc: bigint;
}

const NO_NOTICE: Notice = { seq: 0, hlc: 0n };

// Every transaction through Concord asks these twice, so each is as little as can be, and a constant.
const NEWEST = `select seq, hlc, kind from _concord_log order by seq desc limit 1`;
const LAST_NOTICE = `select seq, hlc from _concord_log where kind = ${LOG_KIND.notice} order by seq desc limit 1`;
const ANY_MARK = `select 1 from _concord_mark where hi <> ${CLEAN_MARK.toString()} limit 1`;

function readNewest(db: StoreDatabase): (Notice & { readonly isNotice: boolean }) | null {
  const row = db.prepareRaw<[]>(NEWEST).get();
  if (row === undefined) return null;
  const [seq, hlc, kind] = row;
  return { seq: toNumber(seq), hlc: toBigInt(hlc ?? 0n), isNotice: kind === BigInt(LOG_KIND.notice) };
}

const isMarked = (db: StoreDatabase): boolean => db.preparePluck<[]>(ANY_MARK).get() !== undefined;

/** What waits after the last notice. */
interface Pending extends Notice {
  readonly entries: number;
  readonly migrations: number;
  readonly lowest: bigint;
  readonly highest: bigint;
  /** Of the newest entry. */
  readonly newest: bigint;
}

const NOTHING_PENDING = { entries: 0, migrations: 0, lowest: 0n, highest: 0n, newest: 0n };

const PENDING = `
  with closed as materialized (
    select coalesce(max(seq), 0) as seq, coalesce(max(hlc), 0) as hlc from (${LAST_NOTICE}))
  select closed.seq, closed.hlc, count(*), sum(l.kind = ${LOG_KIND.migration}), min(l.hlc), max(l.hlc),
    (select hlc from _concord_log order by seq desc limit 1)
  from closed cross join _concord_log as l where l.seq > closed.seq`;

function readPending(db: StoreDatabase): Pending {
  const [seq, hlc, entries, migrations, lowest, highest, newest] = db.prepareRaw<[]>(PENDING).get() ?? [];
  return {
    seq: toNumber(seq),
    hlc: toBigInt(hlc),
    entries: toNumber(entries),
    migrations: toNumber(migrations),
    lowest: toBigInt(lowest),
    highest: toBigInt(highest),
    newest: toBigInt(newest),
  };
}

/** Entries whose HLC is still provisional. Migrations, replacements, and what a peer wrote, have theirs for good. */
const PROVISIONAL = `kind not in (${LOG_KIND.migration}, ${LOG_KIND.replacement}) and site is null and via is null`;
const RAISE = `update _concord_log set hlc = ? where seq > ? and hlc <= ? and ${PROVISIONAL}`;

/**
 * Makes provisional HLCs final: none at or below `last`, none below that of an earlier entry where the clock stepped
 * back. Gives the highest.
 */
function raiseClocks(db: StoreDatabase, pending: Pending, last: bigint): bigint {
  const { seq, lowest, highest, newest } = pending;
  if (lowest <= last) db.prepare<[bigint, number, bigint]>(RAISE).run(last + 1n, seq, last);
  if (highest <= last) return last + 1n;
  if (newest < highest) keepAscending(db, seq, highest);
  return highest;
}

/** But for baselines: what was found there is older than that it was found. */
function keepAscending(db: StoreDatabase, after: number, highest: bigint): void {
  db.prepare<unknown[]>(
    `update _concord_log set hlc = @highest where hlc < @highest and kind <> ${LOG_KIND.baseline} and ${PROVISIONAL}
       and seq > (select max(seq) from _concord_log where seq > @after and hlc = @highest)`,
  ).run({ highest, after });
}

/** Records the rows beyond the mark of each marked table as one range, and sets the marks anew. Counts the rows. */
function sealMarks(db: StoreDatabase, input: NoticeInput, hlc: bigint): number {
  const { registry, markSlack = MARK_SLACK } = input;
  const marked = db
    .prepareRaw<[]>(`select tbl, sealed from _concord_mark where hi <> ${CLEAN_MARK.toString()}`)
    .all();
  let inserted = 0n;
  for (const [tbl, sealed] of marked) {
    const range = readRowsBeyond(db, registry, { tbl: toNumber(tbl), sealed: toBigInt(sealed) });
    if (range !== null) {
      db.prepare<unknown[]>(`insert into _concord_log (kind, tbl, rid, hi, hlc) values (?, ?, ?, ?, ?)`).run(
        LOG_KIND.range,
        tbl,
        range.lo,
        range.hi,
        hlc,
      );
      inserted += range.hi - range.lo + 1n;
    }
    db.prepare<unknown[]>(`update _concord_mark set hi = ?, sealed = ? where tbl = ?`).run(
      CLEAN_MARK,
      range === null ? sealed : markAbove(range.hi, isBulk(range) ? 0n : markSlack),
      tbl,
    );
  }
  return Number(inserted);
}

/** The mark for a table whose highest recorded rowid is this: some slack above, within 64 bits. */
export const markAbove = (rowid: bigint, slack: bigint = MARK_SLACK): bigint =>
  rowid > CLEAN_MARK - slack ? CLEAN_MARK : rowid + slack;

/**
 * Whoever inserted many rows at once will do so again: without slack the next ones are a range from the first on.
 * After a few rows more of their kind are expected, and each is an entry without a mark to write.
 */
const isBulk = ({ lo, hi }: RowStretch): boolean => hi - lo + 1n >= BULK_ROWS_MIN;

const BULK_ROWS_MIN = 64n;

interface RowStretch {
  readonly lo: bigint;
  readonly hi: bigint;
}

function readRowsBeyond(
  db: StoreDatabase,
  registry: TableRegistry,
  mark: { readonly tbl: number; readonly sealed: bigint },
): RowStretch | null {
  const table = registry.byTbl(mark.tbl);
  if (table?.name === null || table === null) return null;
  const name = quoteIdentifier(table.name);
  const rid = table.ridExpression;
  // Two look-ups at the ends of the tree; min and max in one SELECT would read every row between them.
  const [lo, hi] = db
    .prepareRaw<[bigint], [StoredValue, StoredValue]>(
      `select (select min(${rid}) from ${name} where ${rid} > ?), (select max(${rid}) from ${name})`,
    )
    .get(mark.sealed) ?? [null, null];
  return lo === null || hi === null ? null : { lo: toBigInt(lo), hi: toBigInt(hi) };
}
