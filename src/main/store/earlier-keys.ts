import type { SiteId } from '#shared/model/ids.ts';

import { quoteIdentifier } from '../sql/quote-identifier.ts';
import { formerColumn, formerKeyName } from './former-keys.ts';
import { keyExpression } from './key-expression.ts';
import type { KeyValue } from './key-expression.ts';
import { keyLookup } from './key-lookup.ts';
import { toNumber } from './store-database.ts';
import type { StoreDatabase } from './store-database.ts';
import { TABLE_KIND } from './table-facts.ts';
import type { TrackedColumn, TrackedTable } from './table-registry.ts';

// A cell that was written before its column joined the key says what its row is to be, and not which one it is: by the key of now
// nobody else would find the row. So it goes out under the key that the table had then (engine.md, section 4).

/** The clock of a cell, as it is recorded. */
export interface StoredClock {
  readonly col: number;
  readonly hlc: bigint;
  readonly site: SiteId;
  /** The entry that says so. */
  readonly seq: number;
}

/** Notes that everything recorded of a table up to now was written under the key that it had. */
export function keepEarlierKey(
  { db, logWriter }: { readonly db: StoreDatabase; readonly logWriter: { readonly head: () => number } },
  before: TrackedTable,
): void {
  if (before.key.length === 0) return;
  db.prepare<unknown[]>(
    `insert or replace into _concord_earlier_key (tbl, until_seq, cols) values (?, ?, ?)`,
  ).run(before.tbl, logWriter.head(), formerKeyName(before.key));
}

/**
 * Notes the rows in which a column was written apart that joins the key now: elsewhere they may have another value in it, and so
 * another identity. Runs before the key is altered, after a fold. `joining`: ordinals of those columns.
 */
export function keepJoinedRows(db: StoreDatabase, before: TrackedTable, joining: readonly number[]): void {
  if (before.key.length === 0 || joining.length === 0) return;
  const isByKey = before.kind === TABLE_KIND.withoutRowid;
  const row = isByKey ? keyLookup(before.key, 't.', 'c.rid') : `t.${before.ridExpression} = c.rid`;
  db.prepare<unknown[]>(
    `insert or ignore into _concord_joined_row (tbl, cols, key)
     select c.tbl, ?, ${keyExpression(before.key, 't.')} from _concord_cell as c
       cross join ${quoteIdentifier(before.name ?? '')} as t on ${row}
     where c.tbl = ? and c.col in (${joining.join(', ')}) and ${keyExpression(before.key, 't.')} is not null`,
  ).run(formerKeyName(before.key), before.tbl);
}

/** The keys that a table had when such rows were noted. */
export function readJoinedKeys(
  db: StoreDatabase,
  table: TrackedTable,
): readonly { readonly columns: readonly TrackedColumn[]; readonly has: (key: KeyValue) => boolean }[] {
  const find = db.preparePluck<[number, string, KeyValue]>(
    `select 1 from _concord_joined_row where tbl = ? and cols = ? and key = ?`,
  );
  return db
    .preparePluck<[number], string>(`select distinct cols from _concord_joined_row where tbl = ?`)
    .all(table.tbl)
    .flatMap((cols) => {
      const parts = cols.split(',').map((part) => formerColumn(table, part));
      const columns = parts.filter((column) => column !== null);
      const has = (key: KeyValue): boolean => find.get(table.tbl, cols, key) !== undefined;
      return columns.length === parts.length ? [{ columns, has }] : [];
    });
}

/** A key that a table had until an entry was written, of which every column is still there. */
interface EarlierKey {
  readonly until: number;
  readonly columns: readonly TrackedColumn[];
}

/** The keys that a table had before, oldest first. One whose columns are gone names no row any more. */
function readEarlierKeys(db: StoreDatabase, table: TrackedTable): readonly EarlierKey[] {
  return db
    .prepareRaw<[number], [bigint, string]>(
      `select until_seq, cols from _concord_earlier_key where tbl = ? order by until_seq`,
    )
    .all(table.tbl)
    .map(([until, cols]) => {
      const columns = cols.split(',').map((part) => formerColumn(table, part));
      return {
        until: toNumber(until),
        columns: columns.filter((column) => column !== null),
        of: columns.length,
      };
    })
    .flatMap(({ until, columns, of }) => (columns.length === of ? [{ until, columns }] : []));
}

/** Which key facts of a table go by. */
export interface KeysOfEntries {
  /**
   * The table by the key under which a fact with these cells goes out: the one that it had when they were written, where one
   * of them has joined the key since.
   */
  readonly of: (cells: readonly Pick<StoredClock, 'col' | 'seq'>[]) => TrackedTable;
  /** Of all keys that it had before. */
  readonly columns: readonly TrackedColumn[];
}

/** Reads the keys that a table had before. */
export function readKeysOfEntries(
  { db }: { readonly db: StoreDatabase },
  table: TrackedTable,
): KeysOfEntries {
  const earlier = readEarlierKeys(db, table).map(({ until, columns }) => ({
    until,
    keyed: { ...table, key: columns },
    names: new Set(columns.map(({ col }) => col)),
  }));
  const joined = new Set(table.key.map(({ col }) => col));
  return {
    of: (cells) => {
      if (earlier.length === 0) return table;
      for (const { col, seq } of cells) {
        const then = joined.has(col) ? earlier.find(({ until }) => seq <= until) : undefined;
        if (then?.names.has(col) === false) return then.keyed;
      }
      return table;
    },
    columns: earlier.flatMap(({ keyed }) => keyed.key),
  };
}
