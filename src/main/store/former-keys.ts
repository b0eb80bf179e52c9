import type { Stamp } from '#shared/model/change-group.ts';

import type { KeyValue } from './key-expression.ts';
import type { EntryOrigin } from './log-write.ts';
import { LOG_KIND } from './metadata-schema.ts';
import type { SiteRegistry } from './site-registry.ts';
import { toBigInt, toNumber } from './store-database.ts';
import type { StoreDatabase } from './store-database.ts';
import type { TrackedColumn, TrackedTable } from './table-registry.ts';

// A row keeps the identity that it had under every earlier key of its table (engine.md, section 4): what was deleted
// under such a key is kept by that key, since the columns of the new one are not known of it. Lives of two keys cannot
// be compared, so of a deletion and a row under different keys the later stamp holds.

/** A key that a table had before, under which rows were deleted. */
export interface FormerKey {
  /** As `_concord_former` names it. */
  readonly cols: string;
  /** In key order, with the collations of that key. */
  readonly columns: readonly TrackedColumn[];
}

/** How `_concord_former` names a key. */
export const formerKeyName = (key: readonly Pick<TrackedColumn, 'col' | 'collation'>[]): string =>
  key.map(({ col, collation }) => `${String(col)} ${(collation ?? 'BINARY').toUpperCase()}`).join();

/** The earlier keys of a table under which rows were deleted, as far as all of their columns are still there. */
export function readFormerKeys(db: StoreDatabase, table: TrackedTable): readonly FormerKey[] {
  return db
    .preparePluck<[number], string>('select distinct cols from _concord_former where tbl = ?')
    .all(table.tbl)
    .flatMap((cols) => {
      const columns = cols.split(',').map((part) => formerColumn(table, part));
      return columns.every((column) => column !== null) ? [{ cols, columns }] : [];
    });
}

/** A column of a key as it is named there; null where it is gone. */
export function formerColumn(table: TrackedTable, part: string): TrackedColumn | null {
  const [col, ...collation] = part.split(' ');
  const column = table.columns.find((candidate) => String(candidate.col) === col);
  return column === undefined ? null : { ...column, collation: collation.join(' ') };
}

export interface FormerDeletion {
  readonly life: number;
  readonly stamp: Stamp;
}

/** The deletion of a row by its identity under an earlier key; null where there was none. */
export function findFormerDeletion(
  store: { readonly db: StoreDatabase; readonly sites: SiteRegistry },
  row: { readonly tbl: number; readonly cols: string; readonly key: KeyValue },
): FormerDeletion | null {
  const found = store.db
    .prepareRaw<[number, string, KeyValue]>(
      `select f.life, l.hlc, l.site from _concord_former as f join _concord_log as l on l.seq = f.seq
       where f.tbl = ? and f.cols = ? and f.key = ?`,
    )
    .get(row.tbl, row.cols, row.key);
  if (found === undefined) return null;
  const [life, hlc, site = null] = found;
  return {
    life: toNumber(life),
    stamp: {
      hlc: toBigInt(hlc),
      site: site === null ? store.sites.own : store.sites.siteOf(toNumber(site)),
    },
  };
}

/** Records the deletion of a row by its identity under an earlier key, as `LogWriter` does under the present one. */
export function appendFormerDelete(
  db: StoreDatabase,
  row: { readonly tbl: number; readonly cols: string; readonly key: KeyValue; readonly life: number },
  origin: EntryOrigin,
): void {
  const { tbl, cols, key, life } = row;
  const { lastInsertRowid } = db
    .prepare<unknown[]>(`insert into _concord_log (kind, tbl, key, hlc, site, via) values (?, ?, ?, ?, ?, ?)`)
    .run(BigInt(LOG_KIND.delete), BigInt(tbl), key, origin.hlc, ordinal(origin.site), ordinal(origin.via));
  db.prepare<unknown[]>(
    `insert or replace into _concord_former (tbl, cols, key, life, seq) values (?, ?, ?, ?, ?)`,
  ).run(BigInt(tbl), cols, key, BigInt(life), lastInsertRowid);
}

const ordinal = (value: number | null): bigint | null => (value === null ? null : BigInt(value));
