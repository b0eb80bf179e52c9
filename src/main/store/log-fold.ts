import { assert } from '#shared/assert.ts';

import { foldCells } from './fold-cells.ts';
import { foldLives } from './fold-lives.ts';
import { LOG_KIND } from './metadata-schema.ts';
import { readMeta, writeMeta } from './replica-meta.ts';
import { toNumber } from './store-database.ts';
import type { StoreDatabase } from './store-database.ts';
import type { TableRegistry } from './table-registry.ts';

// The fold brings the derived clocks up to what triggers and notices appended to the log. It works on whole batches
// with set-wise SQL. That is allowed because the end of a batch says enough: of a row's entries only those after the
// last whole-row one count, of a key's deletions only their number, and whether a key is alive shows in its table.

/** A stretch of the log: entries after `from` up to `to`, and what is among them. */
export interface FoldBatch {
  readonly from: number;
  readonly to: number;
  readonly inserts: boolean;
  readonly updates: boolean;
  readonly deletes: boolean;
  readonly watches: boolean;
  readonly ranges: boolean;
  /** Updates that moved a row to another place or identity. */
  readonly moves: boolean;
}

/**
 * Folds everything up to the newest entry into `_concord_range`, `_concord_cell` and `_concord_life`.
 *
 * Runs in a write transaction, right after `noticeLog`: what the tables hold must all be in the log.
 * Guarantees: entries are folded once; after it each row has a row clock and each deleted key an even life.
 */
export function foldLog(db: StoreDatabase, registry: TableRegistry): void {
  assert(db.inTransaction(), 'the fold writes in a transaction of its caller');
  const from = readFoldedSeq(db);
  const to = toNumber(db.preparePluck<[]>(`select coalesce(max(seq), 0) from _concord_log`).get());
  if (to === from) return;
  const batch = describeBatch(db, from, to);
  canonicaliseKeys(db, registry, batch);
  if (batch.ranges) foldRanges(db, batch);
  if (batch.inserts || batch.updates || batch.deletes || batch.watches) prepareTables(db);
  foldCells(db, batch);
  foldLives(db, registry, batch);
  markFolded(db, to);
}

/** Up to where the log is folded. */
export function readFoldedSeq(db: StoreDatabase): number {
  return toNumber(readMeta(db, 'foldedSeq') ?? 0n);
}

/** Says that the derived clocks hold everything up to `seq`: for those who write both together. */
export function markFolded(db: StoreDatabase, seq: number): void {
  writeMeta(db, 'foldedSeq', BigInt(seq));
}

function describeBatch(db: StoreDatabase, from: number, to: number): FoldBatch {
  const counts = db
    .prepareRaw<[number, number]>(
      `select sum(kind = ${LOG_KIND.insert}), sum(kind = ${LOG_KIND.update}), sum(kind = ${LOG_KIND.delete}),
        sum(kind = ${LOG_KIND.watch}), sum(kind in (${LOG_KIND.range}, ${LOG_KIND.baseline})), count(was)
       from _concord_log where seq > ? and seq <= ?`,
    )
    .get(from, to);
  const [inserts, updates, deletes, watches, ranges, moves] = (counts ?? []).map(
    (count) => count !== 0n && count !== null,
  );
  return {
    from,
    to,
    inserts: inserts === true,
    updates: updates === true,
    deletes: deletes === true,
    watches: watches === true,
    ranges: ranges === true,
    moves: moves === true,
  };
}

/** Reals in composite keys as every version writes them. Only entries of single rows have keys. */
function canonicaliseKeys(db: StoreDatabase, registry: TableRegistry, batch: FoldBatch): void {
  const { from, to, inserts, updates, deletes, watches } = batch;
  if (!inserts && !updates && !deletes && !watches) return;
  const composite = registry.all().filter(({ name, key }) => name !== null && key.length > 1);
  if (composite.length === 0) return;
  db.prepare<[number, number]>(
    `update _concord_log set rid = concord_key(rid), key = concord_key(key), was = concord_key(was)
     where seq > ? and seq <= ? and tbl in (${composite.map(({ tbl }) => tbl).join(', ')})
       and ((typeof(rid) = 'text' and instr(rid, 'r')) or instr(key, 'r') or (typeof(was) = 'text' and instr(was, 'r')))`,
  ).run(from, to);
}

function foldRanges(db: StoreDatabase, { from, to }: FoldBatch): void {
  db.prepare<[number, number]>(
    `insert into _concord_range (tbl, lo, hi, seq) select tbl, rid, hi, seq from _concord_log
     where seq > ? and seq <= ? and kind in (${LOG_KIND.range}, ${LOG_KIND.baseline}) order by seq`,
  ).run(from, to);
}

/** Working tables of the fold: of this connection, empty between folds, never in the file. */
function prepareTables(db: StoreDatabase): void {
  db.exec(`
    create temp table if not exists _concord_fold_reset (
      tbl integer not null, rid any not null, seq integer not null, alive integer not null, primary key (tbl, rid)) strict, without rowid;
    create temp table if not exists _concord_fold_bit (
      mask integer not null, base integer not null, col integer not null, primary key (mask, base, col)) strict, without rowid;
    create temp table if not exists _concord_fold_death (
      tbl integer not null, key any not null, deaths integer not null, seq integer not null, primary key (tbl, key)) strict, without rowid;
    delete from _concord_fold_reset; delete from _concord_fold_bit; delete from _concord_fold_death`);
}
