import { masksOf, originValues, type EntryOrigin, type RowPlace } from './log-write.ts';
import { LOG_KIND, MASK_COLUMNS } from './metadata-schema.ts';
import type { StoreDatabase, StoreStatement } from './store-database.ts';

/** Entries that one statement writes. */
const ENTRIES_PER_INSERT = 50;

/**
 * Records that the same cells of many rows changed, each place once: an entry for each row, and the clocks of its cells. As
 * `LogWriter.appendCells`, by a few statements for all.
 */
export function appendCellsOfRows(
  db: StoreDatabase,
  cells: { readonly tbl: number; readonly rids: readonly RowPlace[]; readonly columns: readonly number[] },
  origin: EntryOrigin,
): void {
  const { tbl, rids, columns } = cells;
  const clock = db.prepare<unknown[]>(
    `insert into _concord_cell (tbl, rid, col, seq) select tbl, rid, ?, seq from _concord_log where seq between ? and ?
     on conflict (tbl, rid, col) do update set seq = excluded.seq`,
  );
  for (const [base, mask] of masksOf(columns)) {
    for (let from = 0; from < rids.length; from += ENTRIES_PER_INSERT) {
      const some = rids.slice(from, from + ENTRIES_PER_INSERT);
      const entries = insertUpdates(db, some.length);
      const last = BigInt(entries.run(...some, tbl, mask, base, ...originValues(origin)).lastInsertRowid);
      const first = last - BigInt(some.length - 1);
      for (const column of columns)
        if (Math.floor(column / MASK_COLUMNS) * MASK_COLUMNS === base) clock.run(column, first, last);
    }
  }
}

const insertUpdates = (db: StoreDatabase, rows: number): StoreStatement<unknown[], unknown> =>
  db.prepare<unknown[]>(
    `with v (rid) as (values ${Array.from({ length: rows }, () => '(?)').join(', ')})
     insert into _concord_log (kind, tbl, rid, mask, hi, hlc, site, via)
     select ${LOG_KIND.update}, ?, v.rid, ?, ?, ?, ?, ? from v`,
  );
