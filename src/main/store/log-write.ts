import { bytesOfKey } from './key-encoding.ts';
import { CLEAN_MARK, LOG_KIND, MASK_COLUMNS } from './metadata-schema.ts';
import type { StoreDatabase, StoreStatement } from './store-database.ts';

/** Whose entry it is: HLC and site ordinal of the author, and the peer it came by (null for the replica's own). */
export interface EntryOrigin {
  readonly hlc: bigint;
  /** Ordinal in `_concord_site`; null = this replica. */
  readonly site: number | null;
  readonly via: number | null;
}

/** A rowid, or the key of a table that has none. */
export type RowPlace = bigint | number | string | Uint8Array;

/**
 * Writes log entries together with the derived indexes, for what Concord itself puts into tables (admission, drain,
 * resolution). What triggers appended is brought into the indexes by the fold instead.
 *
 * Runs inside the caller's transaction, after a fold and with capture off; the caller moves `foldedSeq` along.
 */
export interface LogWriter {
  readonly appendInsert: (tbl: number, rid: RowPlace, origin: EntryOrigin) => number;
  readonly appendRange: (
    tbl: number,
    rows: { readonly lo: bigint; readonly hi: bigint },
    origin: EntryOrigin,
  ) => number;
  readonly appendCells: (
    tbl: number,
    cells: { readonly rid: RowPlace; readonly columns: readonly number[] },
    origin: EntryOrigin,
  ) => void;
  /** Ends a life; an odd one goes on without the row, until somebody writes it later. */
  readonly appendDelete: (
    tbl: number,
    row: { readonly rid: RowPlace | null; readonly key: RowPlace; readonly life: number },
    origin: EntryOrigin,
  ) => number;
  readonly appendMigration: (n: number, origin: EntryOrigin) => number;
  /** Of a held fact, by its number in `_concord_held`. */
  readonly appendHeld: (n: bigint, origin: EntryOrigin) => void;
  readonly setLife: (
    tbl: number,
    entry: { readonly key: RowPlace; readonly life: number; readonly seq: number },
  ) => void;
  readonly clearCells: (tbl: number, rid: RowPlace) => void;
  /** Keeps a table's insert trigger from entering its body; `unmuteInserts` in the same transaction. */
  readonly muteInserts: (tbl: number) => void;
  readonly unmuteInserts: (tbl: number) => void;
  /** Highest rowid that a range covers. */
  readonly sealedMark: (tbl: number) => bigint;
  readonly head: () => number;
}

/** Makes the writer of one connection. */
export function createLogWriter(db: StoreDatabase): LogWriter {
  const append = db.prepare<unknown[]>(
    `insert into _concord_log (kind, tbl, rid, mask, hi, key, hlc, site, via) values (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const range = db.prepare<unknown[]>(`insert into _concord_range (tbl, lo, hi, seq) values (?, ?, ?, ?)`);
  const cell = db.prepare<unknown[]>(
    `insert into _concord_cell (tbl, rid, col, seq) values (?, ?, ?, ?) on conflict (tbl, rid, col) do update set seq = excluded.seq`,
  );
  const uncell = db.prepare<unknown[]>(`delete from _concord_cell where tbl = ? and rid = ?`);
  const lives = createLifeWriter(db);
  const seal = db.prepare<unknown[]>(
    `insert into _concord_mark (tbl, hi, sealed) values (@tbl, @clean, @sealed)
     on conflict (tbl) do update set sealed = max(sealed, excluded.sealed)`,
  );
  const raise = db.prepare<unknown[]>(`update _concord_mark set sealed = ? where tbl = ? and sealed < ?`);
  const mark = db.prepare<unknown[]>(`update _concord_mark set hi = ? where tbl = ?`);
  const sealed = db.preparePluck<[number]>(`select sealed from _concord_mark where tbl = ?`);
  const head = db.prepare<unknown[]>(`select max(seq) from _concord_log`).pluck();

  const entry = (kind: number, values: readonly unknown[], origin: EntryOrigin): number =>
    seqOf(append, [BigInt(kind), ...values, ...originValues(origin)]);

  return {
    appendInsert: (tbl, rid, origin) => {
      const seq = entry(LOG_KIND.insert, [tbl, rid, null, null, null], origin);
      uncell.run(tbl, rid);
      cell.run(tbl, rid, -1, seq);
      // Beyond the mark a REPLACE of another program would go unseen.
      if (typeof rid === 'bigint') raise.run(rid, tbl, rid);
      return seq;
    },
    appendRange: (tbl, rows, origin) => {
      const seq = entry(LOG_KIND.range, [tbl, rows.lo, null, rows.hi, null], origin);
      range.run(tbl, rows.lo, rows.hi, seq);
      seal.run({ tbl, clean: CLEAN_MARK, sealed: rows.hi });
      return seq;
    },
    appendCells: (tbl, cells, origin) => {
      for (const [base, mask] of masksOf(cells.columns)) {
        const seq = entry(LOG_KIND.update, [tbl, cells.rid, mask, base, null], origin);
        for (const column of cells.columns)
          if (Math.floor(column / MASK_COLUMNS) * MASK_COLUMNS === base)
            cell.run(tbl, cells.rid, column, seq);
      }
    },
    appendDelete: (tbl, row, origin) => {
      const mask = row.life % 2 === 0 ? null : LEFT_OUT;
      const seq = entry(LOG_KIND.delete, [tbl, row.rid, mask, null, row.key], origin);
      if (row.rid !== null) uncell.run(tbl, row.rid);
      lives.end(tbl, { ...row, seq });
      return seq;
    },
    appendMigration: (n, origin) => entry(LOG_KIND.migration, [null, BigInt(n), null, null, null], origin),
    appendHeld: (n, origin) => void entry(LOG_KIND.held, [null, n, null, null, null], origin),
    setLife: lives.set,
    clearCells: (tbl, rid) => {
      uncell.run(tbl, rid);
    },
    muteInserts: (tbl) => void mark.run(BELOW_EVERY_ROWID, tbl),
    unmuteInserts: (tbl) => void mark.run(CLEAN_MARK, tbl),
    sealedMark: (tbl) => {
      const value = sealed.get(tbl);
      return typeof value === 'bigint' ? value : 0n;
    },
    head: () => Number(head.get() ?? 0),
  };
}

interface LifeOfKey {
  readonly key: RowPlace;
  readonly life: number;
  readonly seq: number;
}

/** Writes lives; a key that is text and not UTF-8 goes in by its bytes. */
function createLifeWriter(db: StoreDatabase): {
  readonly set: (tbl: number, row: LifeOfKey) => void;
  /** Also names the key in its entry, which has just been appended. */
  readonly end: (tbl: number, row: LifeOfKey) => void;
} {
  const statement = (key: string): StoreStatement<unknown[], unknown> =>
    db.prepare<unknown[]>(
      `insert into _concord_life (tbl, key, life, seq) values (?, ${key}, ?, ?) on conflict (tbl, key) do update set life = excluded.life, seq = excluded.seq`,
    );
  const life = statement('?');
  const lifeOfBytes = statement('cast(? as text)');
  const nameByBytes = db.prepare<unknown[]>(`update _concord_log set key = cast(? as text) where seq = ?`);
  const set = (tbl: number, row: LifeOfKey): void => {
    const bytes = bytesOfKey(row.key);
    if (bytes === null) life.run(tbl, row.key, row.life, row.seq);
    else lifeOfBytes.run(tbl, bytes, row.life, row.seq);
  };
  return {
    set,
    end: (tbl, row) => {
      const bytes = bytesOfKey(row.key);
      if (bytes !== null) nameByBytes.run(bytes, row.seq);
      set(tbl, row);
    },
  };
}
/** `mask` of a deletion that leaves a row out of its life. */
const LEFT_OUT = 1n;

const BELOW_EVERY_ROWID = -(2n ** 63n);

// JavaScript numbers bind as REAL (performance-facts.md, 1.3): columns declared INTEGER turn whole ones back,
// columns of type ANY do not, so rids and keys are passed as they are and never as numbers of ours.
const ordinal = (value: number | null): bigint | null => (value === null ? null : BigInt(value));

/** HLC, site and via of an entry, as they are bound. */
export const originValues = ({ hlc, site, via }: EntryOrigin): readonly (bigint | null)[] => [
  hlc,
  ordinal(site),
  ordinal(via),
];

const seqOf = (statement: StoreStatement<unknown[], unknown>, values: readonly unknown[]): number =>
  Number(statement.run(...values).lastInsertRowid);

/** Bit masks per block of `MASK_COLUMNS` ordinals: [base, mask]. */
export function masksOf(columns: readonly number[]): ReadonlyMap<number, bigint> {
  const masks = new Map<number, bigint>();
  for (const column of columns) {
    const base = Math.floor(column / MASK_COLUMNS) * MASK_COLUMNS;
    masks.set(base, (masks.get(base) ?? 0n) | (1n << BigInt(column - base)));
  }
  return masks;
}
