import type { FoldBatch } from './log-fold.ts';
import { LOG_KIND, MASK_COLUMNS } from './metadata-schema.ts';
import { toBigInt } from './store-database.ts';
import type { StoreDatabase } from './store-database.ts';
import { TABLE_KIND } from './table-facts.ts';

/** Folds what a batch says of rows and cells into `_concord_cell`. Ranges of the batch are folded before. */
export function foldCells(db: StoreDatabase, batch: FoldBatch): void {
  const hasResets = batch.inserts || batch.deletes || batch.moves;
  if (hasResets) foldResets(db, batch);
  if (batch.updates) foldUpdates(db, batch, hasResets);
  if (batch.ranges) clearCovered(db, batch);
}

/** Entries within a new range come from the transactions that it closes: the range speaks of the whole rows. */
function clearCovered(db: StoreDatabase, { from, to }: FoldBatch): void {
  const ranges = db
    .prepareRaw<[number, number]>(
      `select tbl, rid, hi, seq from _concord_log where seq > ? and seq <= ? and kind = ${LOG_KIND.range}`,
    )
    .all(from, to);
  const clear = db.prepare<unknown[]>(
    `delete from _concord_cell where tbl = ? and rid between ? and ? and seq < ? and seq > ?`,
  );
  for (const range of ranges) clear.run(...range, from);
}

/** Whole-row entries: the last one of each place decides; cells before it are void. */
function foldResets(db: StoreDatabase, { from, to, moves }: FoldBatch): void {
  const keepLast = `on conflict (tbl, rid) do update set seq = excluded.seq, alive = excluded.alive where excluded.seq > seq`;
  db.prepare<[number, number]>(
    `insert into temp._concord_fold_reset (tbl, rid, seq, alive)
     select tbl, rid, seq, kind <> ${LOG_KIND.delete} from _concord_log
     where seq > ? and seq <= ? and rid is not null
       and (kind in (${LOG_KIND.insert}, ${LOG_KIND.delete}) or (kind = ${LOG_KIND.update} and was is not null))
     ${keepLast}`,
  ).run(from, to);
  if (moves) {
    db.prepare<[number, number]>(
      `insert into temp._concord_fold_reset (tbl, rid, seq, alive) select tbl, was, seq, 0 from _concord_log
       where seq > ? and seq <= ? and kind = ${LOG_KIND.update} and was is not null and was is not rid
       ${keepLast}`,
    ).run(from, to);
  }
  db.exec(
    `delete from _concord_cell where (tbl, rid) in (select tbl, rid from temp._concord_fold_reset);
     insert into _concord_cell (tbl, rid, col, seq)
       select tbl, rid, -1, seq from temp._concord_fold_reset where alive = 1`,
  );
}

/**
 * Changed cells, the last entry of each. An entry of a row that nothing covered yet says nothing: the row lay beyond
 * the mark, and the range that came to cover it speaks of all its cells.
 */
function foldUpdates(db: StoreDatabase, batch: FoldBatch, hasResets: boolean): void {
  spreadMasks(db, batch);
  db.prepare<{ from: number; to: number }[]>(
    `insert into _concord_cell (tbl, rid, col, seq)
     select l.tbl, l.rid, b.col, l.seq
     from _concord_log as l
       cross join _concord_table as t on t.tbl = l.tbl
       ${hasResets ? 'left join temp._concord_fold_reset as r on r.tbl = l.tbl and r.rid = l.rid' : ''}
       cross join temp._concord_fold_bit as b on b.mask = l.mask and b.base = l.hi
     where l.seq > @from and l.seq <= @to and l.kind = ${LOG_KIND.update} and l.was is null and l.rid is not null
       and t.name is not null and ${hasResets ? AFTER_RESET : COVERED}
     on conflict (tbl, rid, col) do update set seq = excluded.seq where excluded.seq > seq`,
  ).run(batch);
}

/** Newest range that a rowid lies in, or null. */
const RANGE_SEQ = `(select case when g.hi >= l.rid then g.seq end from _concord_range as g
  where g.tbl = l.tbl and g.lo <= l.rid order by g.lo desc limit 1)`;

/** Without a whole-row entry in the batch: an older one, or a range that came before the update, covers the row. */
const COVERED = `(t.kind = ${TABLE_KIND.withoutRowid} or ${RANGE_SEQ} < l.seq
  or exists (select 1 from _concord_cell as c where c.tbl = l.tbl and c.rid = l.rid and c.col = -1 and c.seq < l.seq))`;

/** With one: only what came after it counts; after a deletion, only what came after a range covered the place anew. */
const AFTER_RESET = `case when r.seq is null then ${COVERED} when l.seq < r.seq then 0 when r.alive = 1 then 1
  else t.kind <> ${TABLE_KIND.withoutRowid} and ${RANGE_SEQ} between r.seq and l.seq end`;

/** One row per bit of each mask in the batch. Masks repeat: one statement writes the same columns of many rows. */
function spreadMasks(db: StoreDatabase, { from, to }: FoldBatch): void {
  const masks = db
    .prepareRaw<[number, number]>(
      `select distinct mask, hi from _concord_log
       where seq > ? and seq <= ? and kind = ${LOG_KIND.update} and was is null and mask is not null`,
    )
    .all(from, to);
  const insert = db.prepare<[bigint, bigint, bigint]>(
    `insert into temp._concord_fold_bit (mask, base, col) values (?, ?, ?)`,
  );
  for (const [mask, base] of masks) {
    for (const bit of bitsOf(toBigInt(mask)))
      insert.run(toBigInt(mask), toBigInt(base), toBigInt(base) + BigInt(bit));
  }
}

/** Places of the bits that are set, lowest first. */
export function bitsOf(mask: bigint): readonly number[] {
  const bits: number[] = [];
  for (let bit = 0; bit < MASK_COLUMNS; bit += 1) {
    if ((mask >> BigInt(bit)) & 1n) bits.push(bit);
  }
  return bits;
}
