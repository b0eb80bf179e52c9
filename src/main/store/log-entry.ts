import type { KeyValue } from './key-expression.ts';
import { toBigInt, toNumber } from './store-database.ts';
import type { StoreDatabase, StoredValue } from './store-database.ts';

/** One entry of the log as it is stored; what each field means for a kind is in `metadata-schema.ts`. */
export interface LogEntry {
  readonly seq: number;
  readonly kind: number;
  readonly tbl: number | null;
  readonly rid: KeyValue | null;
  readonly mask: bigint | null;
  readonly hi: bigint | null;
  readonly was: KeyValue | null;
  readonly hlc: bigint;
  /** Ordinal of the author; null = own. */
  readonly site: number | null;
  /** Ordinal of the peer that brought it; null = recorded here. */
  readonly via: number | null;
}

/** Entries after one seq, up to another, in order. */
export function readLogEntries(
  db: StoreDatabase,
  stretch: { readonly after: number; readonly to: number; readonly limit: number },
): readonly LogEntry[] {
  return db
    .prepareRaw<[number, number, number]>(
      `select seq, kind, tbl, rid, mask, hi, was, hlc, site, via from _concord_log
       where seq > ? and seq <= ? order by seq limit ?`,
    )
    .all(stretch.after, stretch.to, stretch.limit)
    .map(([seq, kind, tbl, rid, mask, hi, was, hlc, site, via]) => ({
      seq: toNumber(seq),
      kind: toNumber(kind),
      tbl: numberOrNull(tbl),
      rid: rid ?? null,
      mask: bigintOrNull(mask),
      hi: bigintOrNull(hi),
      was: was ?? null,
      hlc: toBigInt(hlc ?? 0n),
      site: numberOrNull(site),
      via: numberOrNull(via),
    }));
}

const numberOrNull = (value: StoredValue | undefined): number | null =>
  value === null || value === undefined ? null : toNumber(value);

const bigintOrNull = (value: StoredValue | undefined): bigint | null =>
  typeof value === 'bigint' ? value : null;
