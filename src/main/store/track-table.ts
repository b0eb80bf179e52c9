import { assert, present } from '#shared/assert.ts';
import type { ColumnId, TableId } from '#shared/model/ids.ts';

import { foldIdentifier } from '../sql/fold-identifier.ts';
import { CLEAN_MARK } from './metadata-schema.ts';
import { toNumber } from './store-database.ts';
import type { StoreDatabase } from './store-database.ts';
import { readTableFacts } from './table-facts.ts';
import type { ColumnFacts, TableFacts } from './table-facts.ts';

// Writes of `_concord_table`, `_concord_column` and `_concord_alias`. All run in the caller's transaction, after the
// table itself was changed; the caller invalidates its registry.

/** Rowids up to here are recorded one by one, beyond it as ranges: small transactions then need no mark of their own. */
export const MARK_SLACK = 1_000n;

export interface NewTable {
  /** As it stands in the file. */
  readonly name: string;
  readonly id: TableId;
  /** The ID of each column, by its name as it stands in the file. */
  readonly columnId: (name: string) => ColumnId;
  /** Kept for the catalog; opaque here. */
  readonly definition: string;
  /** Number of its create_table in `_concord_migration`; null for a table that was there before. */
  readonly created: number | null;
  /** Seq of its creation: entries before it do not speak of its columns. */
  readonly addedSeq: number;
}

/** Begins to keep track of a table that exists, as SQLite describes it; hands back its ordinal. Installs no capture. */
export function trackTable(db: StoreDatabase, table: NewTable): number {
  const facts = present(readTableFacts(db, table.name), `there is no table ${table.name} to keep track of`);
  const tbl = toNumber(
    db
      .prepare<unknown[]>(
        `insert into _concord_table (id, name, kind, definition, created) values (?, ?, ?, ?, ?)`,
      )
      .run(table.id, facts.name, facts.kind, table.definition, table.created).lastInsertRowid,
  );
  for (const [col, column] of facts.columns.entries()) {
    insertColumn(db, { tbl, col, id: table.columnId(column.name), addedSeq: table.addedSeq, column });
  }
  db.prepare<unknown[]>(`insert into _concord_mark (tbl, hi, sealed) values (?, ?, ?)`).run(
    tbl,
    CLEAN_MARK,
    MARK_SLACK,
  );
  return tbl;
}

/** Begins to keep track of a column that was added to a tracked table; hands back its ordinal. */
export function trackColumn(
  db: StoreDatabase,
  added: {
    readonly tbl: number;
    readonly name: string;
    readonly id: ColumnId;
    readonly addedSeq: number;
    /** With which it was added, where the table has another one by now. */
    readonly defaultText?: string | null;
  },
  facts: TableFacts = currentFacts(db, added.tbl),
): number {
  const { tbl, id, addedSeq } = added;
  const column = present(
    facts.columns.find(({ name }) => foldIdentifier(name) === foldIdentifier(added.name)),
    `table ${tbl} has no column ${added.name} to keep track of`,
  );
  const col = nextOrdinal(db, tbl);
  const { defaultText = column.defaultText } = added;
  insertColumn(db, { tbl, col, id, addedSeq, column: { ...column, defaultText } });
  return col;
}

/** What a column counts as added with: rows that do not know it have that. */
export function trackAddedDefault(
  db: StoreDatabase,
  {
    tbl,
    col,
    defaultText,
  }: { readonly tbl: number; readonly col: number; readonly defaultText: string | null },
): void {
  db.prepare<unknown[]>('update _concord_column set default_text = ? where tbl = ? and col = ?').run(
    defaultText,
    BigInt(tbl),
    BigInt(col),
  );
}

/** The ordinal of a table's next column. None is ever used again: masks in the log speak of dropped columns for ever. */
export const nextOrdinal = (db: StoreDatabase, tbl: number): number =>
  toNumber(
    db
      .preparePluck<[number]>(`select coalesce(max(col), -1) + 1 from _concord_column where tbl = ?`)
      .get(tbl),
  );

/** Writes a table's new name, in findings too. */
export function renameTrackedTable(db: StoreDatabase, tbl: number, name: string): void {
  db.prepare<unknown[]>(
    `update or replace _concord_finding set tbl = ? where tbl = (select name from _concord_table where tbl = ?)`,
  ).run(name, tbl);
  const update = db.prepare<unknown[]>(
    `update _concord_table set name = ? where tbl = ? and name is not null`,
  );
  changeOne(update.run(name, tbl).changes);
}

/** Writes a column's new name. */
export function renameTrackedColumn(
  db: StoreDatabase,
  column: { readonly tbl: number; readonly col: number; readonly name: string },
): void {
  const update = db.prepare<unknown[]>(`update _concord_column set name = ? where tbl = ? and col = ?`);
  changeOne(update.run(column.name, column.tbl, column.col).changes);
}

/** Marks a column as dropped. Its ordinal stays taken and its ID known. */
export function dropTrackedColumn(db: StoreDatabase, tbl: number, col: number): void {
  const update = db.prepare<unknown[]>(`update _concord_column set name = null where tbl = ? and col = ?`);
  changeOne(update.run(tbl, col).changes);
}

/** Keeps in mind a column that was dropped before it ever came here, so that late values of it are known as such. */
export function trackDroppedColumn(
  db: StoreDatabase,
  column: { readonly tbl: number; readonly id: ColumnId },
): void {
  db.prepare<unknown[]>(
    `insert into _concord_column (tbl, col, id, name, pk, collation, added_seq, default_text, generated)
     select @tbl, coalesce(max(col), -1) + 1, @id, null, 0, null, 0, null, 0 from _concord_column where tbl = @tbl`,
  ).run({ tbl: BigInt(column.tbl), id: column.id });
}

/**
 * Marks a column as one that the table never had: late values of it are held, not passed over.
 * Its ordinal stays taken.
 */
export function forgetTrackedColumn(db: StoreDatabase, tbl: number, col: number): void {
  const update = db.prepare<unknown[]>(
    `update _concord_column set name = null, id = 'forgotten:' || id where tbl = ? and col = ?`,
  );
  changeOne(update.run(tbl, col).changes);
  db.prepare<unknown[]>(`delete from _concord_alias where kind = 'c' and tbl = ? and col = ?`).run(tbl, col);
}

/**
 * Ends the keeping track of a table that is another one from here on: its IDs are free to name that one. Its ordinal stays
 * taken, entries of the log have it.
 */
export function endTrackedTable(db: StoreDatabase, tbl: number): void {
  dropTrackedTable(db, tbl, null);
  db.prepare<unknown[]>(`update _concord_table set id = 'united:' || id, kind = 3 where tbl = ?`).run(tbl);
  db.prepare<unknown[]>(`delete from _concord_column where tbl = ?`).run(tbl);
  db.prepare<unknown[]>(`delete from _concord_alias where tbl = ?`).run(tbl);
}

/** Marks a table as dropped by a migration, and forgets the clocks and lives of its rows, and what was found of it. */
export function dropTrackedTable(db: StoreDatabase, tbl: number, dropped: number | null): void {
  db.prepare<unknown[]>(
    `delete from _concord_finding where tbl = (select name from _concord_table where tbl = ?)`,
  ).run(tbl);
  const update = db.prepare<unknown[]>(`update _concord_table set name = null, dropped = ? where tbl = ?`);
  changeOne(update.run(dropped, tbl).changes);
  db.prepare<unknown[]>(`delete from _concord_object where kind = 'index' and tbl = ?`).run(tbl);
  for (const derived of ['mark', 'range', 'cell', 'life', 'former']) {
    db.prepare<unknown[]>(`delete from _concord_${derived} where tbl = ?`).run(tbl);
  }
}

/** Keeps in mind a table that was dropped before it ever came here, so that late facts of it are known as such. Hands back its ordinal. */
export function trackDroppedTable(
  db: StoreDatabase,
  table: { readonly id: TableId; readonly dropped: number },
): number {
  const { lastInsertRowid } = db
    .prepare<unknown[]>(
      `insert into _concord_table (id, name, kind, definition, created, dropped) values (?, null, 3, '', null, ?)`,
    )
    .run(table.id, table.dropped);
  return toNumber(lastInsertRowid);
}

/** Reads key, collations, defaults and kind anew after an alteration or a rebuild that kept IDs and names. */
export function refreshTrackedTable(
  db: StoreDatabase,
  tbl: number,
  {
    definition,
    facts = currentFacts(db, tbl),
  }: { readonly definition?: string; readonly facts?: TableFacts } = {},
): void {
  db.prepare<unknown[]>(
    `update _concord_table set kind = ?, definition = coalesce(?, definition) where tbl = ?`,
  ).run(facts.kind, definition ?? null, tbl);
  const update = db.prepare<unknown[]>(
    `update _concord_column set pk = ?, collation = ?, generated = ? where tbl = ? and name = ? collate nocase`,
  );
  const known = readKnownColumns(db, tbl);
  for (const { name, pk, keyCollation, generated } of facts.columns) {
    const was = known.get(name);
    if (was?.pk === pk && was.collation === keyCollation && was.generated === generated) continue;
    update.run(pk, keyCollation, Number(generated), tbl, name);
  }
}

interface KnownColumn {
  readonly pk: number;
  readonly collation: string | null;
  readonly generated: boolean;
}

function readKnownColumns(db: StoreDatabase, tbl: number): ReadonlyMap<string, KnownColumn> {
  const rows = db
    .prepareRaw<[number], [string, bigint, string | null, bigint]>(
      `select name, pk, collation, generated from _concord_column where tbl = ? and name is not null`,
    )
    .all(tbl);
  return new Map(
    rows.map(([name, pk, collation, generated]) => [
      name,
      { pk: toNumber(pk), collation, generated: generated === 1n },
    ]),
  );
}

/** Writes what a table is defined as, where only names in it have changed. */
export function redefineTrackedTable(db: StoreDatabase, tbl: number, definition: string): void {
  const update = db.prepare<unknown[]>(`update _concord_table set definition = ? where tbl = ?`);
  changeOne(update.run(definition, tbl).changes);
}

/** Makes a further ID name a table, or a column when `col` is given. */
export function addTableAlias(
  db: StoreDatabase,
  alias: { readonly id: TableId | ColumnId; readonly tbl: number; readonly col?: number },
): void {
  db.prepare<unknown[]>(
    `insert into _concord_alias (id, kind, tbl, col) values (?, ?, ?, ?) on conflict (id) do update set tbl = excluded.tbl, col = excluded.col`,
  ).run(alias.id, alias.col === undefined ? 't' : 'c', alias.tbl, alias.col ?? null);
}

/** What a tracked table is in the file now. */
export function currentFacts(db: StoreDatabase, tbl: number): TableFacts {
  const name = db.preparePluck<[number]>(`select name from _concord_table where tbl = ?`).get(tbl);
  assert(typeof name === 'string', `table ${tbl} is not kept track of`);
  return present(readTableFacts(db, name), `table ${name} is kept track of and not there`);
}

function insertColumn(
  db: StoreDatabase,
  entry: {
    readonly tbl: number;
    readonly col: number;
    readonly id: ColumnId;
    readonly addedSeq: number;
    readonly column: ColumnFacts;
  },
): void {
  const { tbl, col, id, addedSeq, column } = entry;
  db.prepare<unknown[]>(
    `insert into _concord_column (tbl, col, id, name, pk, collation, added_seq, default_text, generated)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  ).run(
    tbl,
    col,
    id,
    column.name,
    column.pk,
    column.keyCollation,
    addedSeq,
    column.defaultText,
    Number(column.generated),
  );
}

function changeOne(changes: number): void {
  assert(changes === 1, 'a table or column that is kept track of was expected');
}
