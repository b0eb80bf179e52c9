import { quoteIdentifier } from '../sql/quote-identifier.ts';
import { keyExpression } from './key-expression.ts';
import { keyLookup } from './key-lookup.ts';
import type { FoldBatch } from './log-fold.ts';
import { LOG_KIND } from './metadata-schema.ts';
import { toNumber } from './store-database.ts';
import type { StoreDatabase } from './store-database.ts';
import { TABLE_KIND } from './table-facts.ts';
import type { TableRegistry, TrackedTable } from './table-registry.ts';

/** Folds deletions and re-inserts of a batch into `_concord_life`. Cells and ranges of the batch are folded before. */
export function foldLives(db: StoreDatabase, registry: TableRegistry, batch: FoldBatch): void {
  if (batch.deletes || batch.moves || batch.watches) foldDeaths(db, registry, batch);
  foldBirths(db, registry, batch);
}

const COUNT_DEATH = `on conflict (tbl, key) do update set deaths = deaths + 1, seq = max(seq, excluded.seq)`;

/**
 * Each deletion of a key ends a life. Between two of them the key came back, whether the log says so or not (rows
 * beyond the mark have no entry of their own), so a key that was dead gains two.
 */
function foldDeaths(db: StoreDatabase, registry: TableRegistry, batch: FoldBatch): void {
  db.prepare<[number, number]>(
    `insert into temp._concord_fold_death (tbl, key, deaths, seq) select tbl, key, 1, seq from _concord_log
     where seq > ? and seq <= ? and kind in (${LOG_KIND.update}, ${LOG_KIND.delete}) and key is not null
     ${COUNT_DEATH}`,
  ).run(batch.from, batch.to);
  if (batch.watches) foldWatches(db, registry, batch);
  db.exec(
    `insert into _concord_life (tbl, key, life, seq)
     select tbl, key, 2 * deaths, seq from temp._concord_fold_death where true
     on conflict (tbl, key) do update set life = life + excluded.life - life % 2, seq = excluded.seq`,
  );
}

/**
 * Rows that were in the way of a REPLACE: those that are gone, lie elsewhere or were inserted again since, were pushed
 * out, unless a later deletion speaks of them. Told by what is there at the end of the batch: of a key that was pushed
 * out and returned several times within it, one death is counted.
 */
function foldWatches(db: StoreDatabase, registry: TableRegistry, { from, to }: FoldBatch): void {
  const watched = db
    .preparePluck<[number, number]>(
      `select distinct tbl from _concord_log where seq > ? and seq <= ? and kind = ${LOG_KIND.watch}`,
    )
    .all(from, to);
  for (const tbl of watched) {
    const table = registry.byTbl(toNumber(tbl));
    const name = table?.name ?? null;
    if (table === null || name === null) continue;
    db.prepare<{ from: number; to: number; tbl: number }[]>(
      `insert into temp._concord_fold_death (tbl, key, deaths, seq)
       select w.tbl, w.key, 1, w.seq
       from (select tbl, key, rid, max(seq) as seq from _concord_log
             where seq > @from and seq <= @to and kind = ${LOG_KIND.watch} and tbl = @tbl and key is not null group by key) as w
       where not exists (select 1 from temp._concord_fold_death as d where d.tbl = w.tbl and d.key = w.key and d.seq > w.seq)
         and ${wasPushedOut(table)}
       ${COUNT_DEATH}`,
    ).run({ from, to, tbl: table.tbl });
  }
}

/** Gone, or inserted anew since; not when it only moved to another rowid. */
function wasPushedOut(table: TrackedTable): string {
  const name = quoteIdentifier(table.name ?? '');
  const rid = table.kind === TABLE_KIND.withoutRowid ? 'w.key' : `t.${table.ridExpression}`;
  return `not exists (select 1 from ${name} as t where ${keyLookup(table.key, 't.', 'w.key')} and ${rid} = w.rid
    and not exists (select 1 from _concord_cell as c where c.tbl = w.tbl and c.rid = w.rid and c.col = -1 and c.seq > w.seq))
    and not exists (select 1 from temp._concord_fold_reset as r
      where r.tbl = w.tbl and r.rid = w.rid and r.alive = 0 and r.seq > w.seq)`;
}

/** Keys with an even life whose row is there began a new life in this batch; those left out of an odd one have it again. */
function foldBirths(db: StoreDatabase, registry: TableRegistry, batch: FoldBatch): void {
  for (const { tbl, rows } of readGrowth(db, batch)) {
    const table = registry.byTbl(tbl);
    const name = table?.name ?? null;
    if (table === null || name === null || table.key.length === 0) continue;
    // Whichever is fewer is gone through: the new rows, or the keys that were ever deleted.
    const lives = toNumber(
      db
        .preparePluck<[number, number]>(
          `select count(*) from (select 1 from _concord_life where tbl = ? limit ?)`,
        )
        .get(tbl, Math.min(rows, Number.MAX_SAFE_INTEGER) + 1),
    );
    if (lives === 0) continue;
    const born = lives <= rows ? bornAmongLives(table) : bornAmongRows(table);
    db.prepare<{ tbl: number; from: number; to: number }[]>(
      `update _concord_life set life = life + (life % 2 = 0), seq = coalesce(${rowSeqOfKey(table, '_concord_life.key')}, @to)
       where tbl = @tbl and (life % 2 = 0 or exists (
         select 1 from _concord_log as x where x.seq = _concord_life.seq and x.kind = ${LOG_KIND.delete})) and ${born}`,
    ).run({ tbl, from: batch.from, to: batch.to });
  }
}

/** Tables that gained rows in a batch, with how many at most. */
function readGrowth(
  db: StoreDatabase,
  batch: FoldBatch,
): readonly { readonly tbl: number; readonly rows: number }[] {
  const rows = new Map<number, number>();
  const add = (statement: string, ...bounds: number[]): void => {
    for (const [tbl, count] of db.prepareRaw<number[]>(statement).all(...bounds)) {
      rows.set(toNumber(tbl), (rows.get(toNumber(tbl)) ?? 0) + Number(count));
    }
  };
  if (batch.ranges) {
    add(
      `select tbl, sum(hi - rid + 1.0) from _concord_log where seq > ? and seq <= ? and kind = ${LOG_KIND.range} group by tbl`,
      batch.from,
      batch.to,
    );
  }
  if (batch.inserts || batch.moves) {
    add(`select tbl, count(*) from temp._concord_fold_reset where alive = 1 group by tbl`);
  }
  return [...rows].map(([tbl, count]) => ({ tbl, rows: count }));
}

function bornAmongLives(table: TrackedTable): string {
  const name = quoteIdentifier(table.name ?? '');
  return `exists (select 1 from ${name} as t where ${keyLookup(table.key, 't.', '_concord_life.key')})`;
}

/** The table is joined even where an entry names the key itself: a REPLACE may have pushed the row out since. */
function bornAmongRows(table: TrackedTable): string {
  const name = quoteIdentifier(table.name ?? '');
  const key = keyExpression(table.key, 't.');
  const isByKey = table.kind === TABLE_KIND.withoutRowid;
  const place = isByKey ? keyLookup(table.key, 't.', 'r.rid') : `t.${table.ridExpression} = r.rid`;
  const byReset = `select ${key} from temp._concord_fold_reset as r cross join ${name} as t on ${place}
    where r.tbl = @tbl and r.alive = 1`;
  if (isByKey) return `key in (${byReset})`;
  return `key in (select ${key} from _concord_log as l cross join ${name} as t on t.${table.ridExpression} between l.rid and l.hi
      where l.seq > @from and l.seq <= @to and l.tbl = @tbl and l.kind = ${LOG_KIND.range}
    union all ${byReset})`;
}

/** SQL of the seq of the entry that stamps the row of a key; NULL where there is no such row. */
function rowSeqOfKey(table: TrackedTable, key: string): string {
  const name = quoteIdentifier(table.name ?? '');
  const rid = table.kind === TABLE_KIND.withoutRowid ? key : `t.${table.ridExpression}`;
  return `(select coalesce(
      (select c.seq from _concord_cell as c where c.tbl = @tbl and c.rid = ${rid} and c.col = -1),
      (select g.seq from _concord_range as g where g.tbl = @tbl and g.lo <= ${rid} order by g.lo desc limit 1))
    from ${name} as t where ${keyLookup(table.key, 't.', key)})`;
}
