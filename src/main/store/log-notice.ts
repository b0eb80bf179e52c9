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
  const newest = db.preparePluck<[]>(`select kind from _concord_log order by seq desc limit 1`).get();
  if (newest !== undefined && newest !== BigInt(LOG_KIND.notice)) return true;
  return db.preparePluck<[]>(`select 1 from _concord_mark where ${IS_DIRTY} limit 1`).get() !== undefined;
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
  const closed = readLastNotice(db);
  const last = closed.hlc > input.clockLast ? closed.hlc : input.clockLast;
  if (!hasPending(db)) return { head: closed.seq, hlc: last, changes: 0, migrations: 0 };

  const pending = raiseClocks(db, { after: closed.seq, last });
  const next = advanceHlc(last, input.nowMs);
  const newest = pending.hlc > next ? pending.hlc : next;
  const inserted = sealMarks(db, input, newest);
  // A table that was marked and emptied again leaves nothing to close.
  if (pending.entries + inserted === 0) return { head: closed.seq, hlc: last, changes: 0, migrations: 0 };
  const hlc = inserted > 0 ? newest : pending.hlc;
  const head = db
    .prepare<unknown[]>(`insert into _concord_log (kind, hlc) values (?, ?)`)
    .run(LOG_KIND.notice, hlc).lastInsertRowid;
  return {
    head: toNumber(head),
    hlc,
    changes: pending.entries - pending.migrations + inserted,
    migrations: pending.migrations,
  };
}

/** Seq and HLC of the entry that closed the newest group; zeros when nothing was ever closed. */
export function readLastNotice(db: StoreDatabase): { readonly seq: number; readonly hlc: bigint } {
  const row = db
    .prepareRaw<[]>(`select seq, hlc from _concord_log where kind = ${LOG_KIND.notice} order by seq desc limit 1`)
    .get();
  return row === undefined ? { seq: 0, hlc: 0n } : { seq: toNumber(row[0]), hlc: toBigInt(row[1]) };
}

const IS_DIRTY = `hi <> ${CLEAN_MARK.toString()}`;

interface Pending {
  readonly entries: number;
  readonly migrations: number;
  readonly hlc: bigint;
}

/** Makes provisional HLCs final: none at or below `last`, none below that of an earlier entry where the clock stepped back. */
function raiseClocks(db: StoreDatabase, bounds: { readonly after: number; readonly last: bigint }): Pending {
  const { after, last } = bounds;
  const summary = db
    .prepareRaw<[number]>(
      `select count(*), min(hlc), max(hlc), sum(kind = ${LOG_KIND.migration}),
        (select hlc from _concord_log order by seq desc limit 1)
       from _concord_log where seq > ?`,
    )
    .get(after);
  const [entries, lowest, highest, migrations, newest] = summary ?? [];
  if (entries === 0n || entries === undefined) return { entries: 0, migrations: 0, hlc: 0n };
  if (toBigInt(lowest) <= last) {
    // Migrations carry HLCs that the clock gave and that their elements already hold.
    db.prepare<unknown[]>(
      `update _concord_log set hlc = ? where seq > ? and hlc <= ? and kind <> ${LOG_KIND.migration}`,
    ).run(last + 1n, after, last);
  }
  const raised = toBigInt(highest) > last ? toBigInt(highest) : last + 1n;
  if (toBigInt(newest) < raised) keepAscending(db, after, raised);
  return { entries: toNumber(entries), migrations: toNumber(migrations), hlc: raised };
}

function keepAscending(db: StoreDatabase, after: number, highest: bigint): void {
  db.prepare<unknown[]>(
    `update _concord_log set hlc = @highest where hlc < @highest and kind <> ${LOG_KIND.migration}
       and seq > (select max(seq) from _concord_log where seq > @after and hlc = @highest)`,
  ).run({ highest, after });
}

/** Records the rows beyond the mark of each marked table as one range, and sets the marks anew. Counts the rows. */
function sealMarks(db: StoreDatabase, input: NoticeInput, hlc: bigint): number {
  const { registry, markSlack = MARK_SLACK } = input;
  const marked = db.prepareRaw<[]>(`select tbl, sealed from _concord_mark where ${IS_DIRTY}`).all();
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
      range === null ? sealed : markAbove(range.hi, markSlack),
      tbl,
    );
  }
  return Number(inserted);
}

/** The mark for a table whose highest recorded rowid is this: some slack above, within 64 bits. */
export const markAbove = (rowid: bigint, slack: bigint = MARK_SLACK): bigint =>
  rowid > CLEAN_MARK - slack ? CLEAN_MARK : rowid + slack;

function readRowsBeyond(
  db: StoreDatabase,
  registry: TableRegistry,
  mark: { readonly tbl: number; readonly sealed: bigint },
): { readonly lo: bigint; readonly hi: bigint } | null {
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
