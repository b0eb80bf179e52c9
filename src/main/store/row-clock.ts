import type { Stamp } from '#shared/model/change-group.ts';
import type { SiteId } from '#shared/model/ids.ts';

import { bytesOfKey } from './key-encoding.ts';
import type { KeyValue } from './key-expression.ts';
import { LOG_KIND } from './metadata-schema.ts';
import { siteFrom } from './site-registry.ts';
import { toBigInt, toNumber } from './store-database.ts';
import type { StoreDatabase, StoredValue } from './store-database.ts';

/** Clocks and lives as the fold left them: call after `foldLog`, in the same transaction. */
export interface RowClocks {
  /** Whether any key of the table was ever deleted. */
  readonly hasLives: (tbl: number) => boolean;
  /** Life of a key, even when it is deleted, odd when alive again; null of keys that were never deleted. */
  readonly life: (tbl: number, key: KeyValue) => number | null;
  /** When a key was left out of its life, which goes on; null of keys that were not, or were written since. */
  readonly leftOut: (tbl: number, key: KeyValue) => Stamp | null;
  /**
   * Clocks of the row at a place: its rowid, or its identity where it has none. `cells`: what is recorded of its cells, where
   * that was read already.
   */
  readonly row: (tbl: number, rid: KeyValue, cells?: CellRows) => RowClock;
  /** What was read before holds no more: ranges were taken away, or a transaction rolled back. */
  readonly forget: () => void;
}

/** Column ordinal, HLC, site ordinal and seq of each cell of a row that has an entry of its own. */
export type CellRows = readonly (readonly StoredValue[])[];

export interface RowClock {
  /** When the row as a whole was written last. */
  readonly row: () => Stamp;
  /**
   * When a cell was written last: the row's, unless it was changed since. A column that was added after the row was
   * recorded, and that its default fills, was written by nobody: any write is later.
   */
  readonly cell: (column: { readonly col: number; readonly addedSeq: number }) => Stamp;
}

interface ClockEntry {
  readonly stamp: Stamp;
  /** The log entry that says so. */
  readonly seq: number;
}

/** The stamp of what nobody recorded: below every other. */
export const NO_STAMP_HLC = 0n;

const CELLS_OF_ROW = `select c.col, l.hlc, l.site, l.seq from _concord_cell as c
  join _concord_log as l on l.seq = c.seq where c.tbl = ? and c.rid = ?`;

/** Makes the look-ups of one connection. `site` is the replica's own. */
export function createRowClocks(db: StoreDatabase, site: SiteId): RowClocks {
  const lives = db.preparePluck<[number]>(`select 1 from _concord_life where tbl = ? limit 1`);
  const life = db.preparePluck<[number, KeyValue]>(
    `select life from _concord_life where tbl = ? and key = ?`,
  );
  const lifeOfBytes = db.preparePluck<[number, Uint8Array]>(
    `select life from _concord_life where tbl = ? and key = cast(? as text)`,
  );
  const leftOut = createLeftOut(db);
  const cells = db.prepareRaw<[number, KeyValue]>(CELLS_OF_ROW);
  const range = db.prepareRaw<[number, KeyValue]>(
    `select l.hlc, l.site, l.seq, g.lo, g.hi from _concord_range as g join _concord_log as l on l.seq = g.seq
     where g.tbl = ? and g.lo <= ? order by g.lo desc limit 1`,
  );
  const siteBytes = db.preparePluck<[number]>(`select site from _concord_site where id = ?`);
  const unwritten: ClockEntry = { stamp: { hlc: NO_STAMP_HLC, site }, seq: 0 };
  // An admission asks for one row after the other: most lie in the range of the one before, by few authors.
  const siteByOrdinal = new Map<number, SiteId>();
  let lastRange: KnownRange | null = null;

  return {
    hasLives: (tbl) => lives.get(tbl) !== undefined,
    life: (tbl, key) => {
      const bytes = bytesOfKey(key);
      const found = bytes === null ? life.get(tbl, key) : lifeOfBytes.get(tbl, bytes);
      return found === undefined ? null : toNumber(found);
    },
    leftOut: (tbl, key) => {
      const found = leftOut(tbl, key);
      return found === undefined ? null : { hlc: toBigInt(found[0]), site: siteOf(found[1] ?? null) };
    },
    row: (tbl, rid, read) => {
      const own = new Map(
        (read ?? cells.all(tbl, rid)).map(([col, hlc, ordinal, seq]) => [
          toNumber(col),
          entry(hlc, ordinal, seq),
        ]),
      );
      const whole = own.get(-1) ?? rangeEntry(tbl, rid);
      return {
        row: () => whole.stamp,
        cell: ({ col, addedSeq }) =>
          own.get(col)?.stamp ?? (addedSeq > whole.seq ? unwritten.stamp : whole.stamp),
      };
    },
    forget: () => {
      siteByOrdinal.clear();
      lastRange = null;
    },
  };

  function entry(hlc: unknown, ordinal: unknown, seq: unknown): ClockEntry {
    return { stamp: { hlc: toBigInt(hlc), site: siteOf(ordinal) }, seq: toNumber(seq) };
  }

  function siteOf(ordinal: unknown): SiteId {
    if (ordinal === null) return site;
    const id = toNumber(ordinal);
    const known = siteByOrdinal.get(id);
    if (known !== undefined) return known;
    const found = siteFrom(siteBytes.get(id));
    siteByOrdinal.set(id, found);
    return found;
  }

  function rangeEntry(tbl: number, rid: KeyValue): ClockEntry {
    if (lastRange?.tbl === tbl && lies(rid, lastRange)) return lastRange.entry;
    const [hlc, ordinal, seq, lo, hi] = range.get(tbl, rid) ?? [];
    if (hi === undefined) return unwritten;
    const found = { tbl, lo: toBigInt(lo), hi: toBigInt(hi), entry: entry(hlc, ordinal, seq) };
    lastRange = found;
    return lies(rid, found) ? found.entry : unwritten;
  }
}

/** Reads HLC and author of what left a key out of its life. */
function createLeftOut(
  db: StoreDatabase,
): (tbl: number, key: KeyValue) => readonly StoredValue[] | undefined {
  const statement = (key: string) =>
    db.prepareRaw<[number, unknown]>(
      `select l.hlc, l.site from _concord_life as y join _concord_log as l on l.seq = y.seq
       where y.tbl = ? and y.key = ${key} and y.life % 2 = 1 and l.kind = ${LOG_KIND.delete}`,
    );
  const byKey = statement('?');
  const byBytes = statement('cast(? as text)');
  return (tbl, key) => {
    const bytes = bytesOfKey(key);
    return bytes === null ? byKey.get(tbl, key) : byBytes.get(tbl, bytes);
  };
}

interface KnownRange {
  readonly tbl: number;
  readonly lo: bigint;
  readonly hi: bigint;
  readonly entry: ClockEntry;
}

/** Keys of tables without rowids lie in no range but the baseline, which covers them all. */
const lies = (rid: KeyValue, { lo, hi }: KnownRange): boolean =>
  typeof rid !== 'bigint' || (lo <= rid && rid <= hi);
