import type { Stamp } from '#shared/model/change-group.ts';
import type { SiteId } from '#shared/model/ids.ts';

import type { KeyValue } from './key-expression.ts';
import { siteFrom } from './site-registry.ts';
import { toBigInt, toNumber } from './store-database.ts';
import type { StoreDatabase } from './store-database.ts';

/** Clocks and lives as the fold left them: call after `foldLog`, in the same transaction. */
export interface RowClocks {
  /** Whether any key of the table was ever deleted. */
  readonly hasLives: (tbl: number) => boolean;
  /** Life of a key, even when it is deleted, odd when alive again; null of keys that were never deleted. */
  readonly life: (tbl: number, key: KeyValue) => number | null;
  /** Clocks of the row at a place: its rowid, or its identity where it has none. */
  readonly row: (tbl: number, rid: KeyValue) => RowClock;
}

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
const NO_STAMP_HLC = 0n;

/** Makes the look-ups of one connection. `site` is the replica's own. */
export function createRowClocks(db: StoreDatabase, site: SiteId): RowClocks {
  const lives = db.preparePluck<[number]>(`select 1 from _concord_life where tbl = ? limit 1`);
  const life = db.preparePluck<[number, KeyValue]>(
    `select life from _concord_life where tbl = ? and key = ?`,
  );
  const cells = db.prepareRaw<[number, KeyValue]>(
    `select c.col, l.hlc, s.site, l.seq from _concord_cell as c
       join _concord_log as l on l.seq = c.seq left join _concord_site as s on s.id = l.site
     where c.tbl = ? and c.rid = ?`,
  );
  const range = db.prepareRaw<[number, KeyValue]>(
    `select l.hlc, s.site, g.hi, l.seq from _concord_range as g
       join _concord_log as l on l.seq = g.seq left join _concord_site as s on s.id = l.site
     where g.tbl = ? and g.lo <= ? order by g.lo desc limit 1`,
  );
  const entry = (hlc: unknown, bytes: unknown, seq: unknown): ClockEntry => ({
    stamp: { hlc: toBigInt(hlc), site: bytes === null ? site : siteFrom(bytes) },
    seq: toNumber(seq),
  });
  const unwritten: Stamp = { hlc: NO_STAMP_HLC, site };

  return {
    hasLives: (tbl) => lives.get(tbl) !== undefined,
    life: (tbl, key) => {
      const found = life.get(tbl, key);
      return found === undefined ? null : toNumber(found);
    },
    row: (tbl, rid) => {
      const own = new Map(
        cells.all(tbl, rid).map(([col, hlc, bytes, seq]) => [toNumber(col), entry(hlc, bytes, seq)]),
      );
      const whole = own.get(-1) ?? rangeEntry(tbl, rid);
      return {
        row: () => whole.stamp,
        cell: ({ col, addedSeq }) => own.get(col)?.stamp ?? (addedSeq > whole.seq ? unwritten : whole.stamp),
      };
    },
  };

  function rangeEntry(tbl: number, rid: KeyValue): ClockEntry {
    const [hlc, bytes, hi, seq] = range.get(tbl, rid) ?? [];
    // Keys of tables without rowids lie in no range but the baseline, which covers them all.
    const isCovered = hi !== undefined && (typeof rid !== 'bigint' || toBigInt(hi) >= rid);
    return isCovered ? entry(hlc, bytes, seq) : { stamp: unwritten, seq: 0 };
  }
}
