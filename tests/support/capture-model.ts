import type BetterSqlite3 from 'better-sqlite3';

import { present } from '#shared/assert.ts';
import type { SqlValue } from '#shared/model/sql-value.ts';

import type { CaptureStatement } from './capture-statement.ts';
import { rowidOf } from './capture-statement.ts';
import type { CaptureTable } from './capture-tables.ts';

// What capture must come to, worked out without triggers: the tables are read before and after each statement, and
// the difference says which cells were written and which keys died or came back.

export interface ModelRow {
  readonly rid: SqlValue;
  /** By column, exactly. */
  readonly values: Readonly<Record<string, string>>;
  /** By column: the number of the group that wrote it last. */
  readonly groups: Readonly<Record<string, number>>;
}

export interface ModelTable {
  readonly rows: ReadonlyMap<string, ModelRow>;
  /** Of keys that were ever deleted. */
  readonly lives: ReadonlyMap<string, number>;
  /**
   * Keys that a REPLACE pushed out or wrote anew without firing their delete trigger: whether that was a death shows
   * only at the end of a batch, so their lives are known up to their parity.
   */
  readonly unsure: ReadonlySet<string>;
}

export type CaptureModel = ReadonlyMap<string, ModelTable>;

/** The model of tables in which nothing is yet. */
export const emptyModel = (tables: readonly CaptureTable[]): CaptureModel =>
  new Map(tables.map(({ name }) => [name, { rows: new Map(), lives: new Map(), unsure: new Set() }]));

/** Exactly: storage class and value. */
export const exact = (value: SqlValue): string =>
  value instanceof Uint8Array
    ? `blob ${Buffer.from(value).toString('hex')}`
    : `${typeof value} ${String(value)}`;

type Snapshot = ReadonlyMap<
  string,
  { readonly rid: SqlValue; readonly values: Readonly<Record<string, string>> }
>;

const recordedColumns = (table: CaptureTable): readonly string[] => [...table.keys, ...table.others];

/** All rows of a table that have a key, by identity. */
export function readRows(db: BetterSqlite3.Database, table: CaptureTable): Snapshot {
  const columns = recordedColumns(table);
  const rid = table.name.startsWith('bare') ? 'null' : rowidOf(table);
  const found = db
    .prepare(`select ${rid}, ${columns.join(', ')} from ${table.name}`)
    .safeIntegers(true)
    .raw(true)
    .all();
  const rows = new Map<
    string,
    { readonly rid: SqlValue; readonly values: Readonly<Record<string, string>> }
  >();
  for (const [place = null, ...values] of found as SqlValue[][]) {
    const key = table.identityOf(values.slice(0, table.keys.length));
    if (key === null) continue;
    const entries = columns.map((column, at) => [
      column,
      exact(present({ value: values[at] ?? null }, 'a value').value),
    ]);
    rows.set(key, { rid: place, values: Object.fromEntries(entries) });
  }
  return rows;
}

/** Runs a statement on a connection and on the model. A statement that fails leaves both as they were. */
export function runOnModel(
  model: CaptureModel,
  run: {
    readonly db: BetterSqlite3.Database;
    readonly statement: CaptureStatement;
    readonly group: number;
    readonly recursive: boolean;
  },
): CaptureModel {
  const { db, statement } = run;
  try {
    db.prepare(statement.sql).run(...statement.bound);
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && String(cause.code).startsWith('SQLITE_CONSTRAINT'))
      return model;
    throw cause;
  }
  const { table } = statement;
  const before = present(model.get(table.name), 'a table of the model');
  return new Map([...model, [table.name, advance(before, readRows(db, table), run)]]);
}

function advance(
  before: ModelTable,
  after: Snapshot,
  run: { readonly statement: CaptureStatement; readonly group: number; readonly recursive: boolean },
): ModelTable {
  const { table, replaces } = run.statement;
  const replaced = new Set(replaces.map(table.identityOf));
  const rows = new Map<string, ModelRow>();
  const lives = new Map(before.lives);
  const unsure = new Set(before.unsure);
  const isSilent = replaces.length > 0 && !run.recursive;
  for (const key of before.rows.keys()) {
    if (after.has(key)) continue;
    lives.set(key, (lives.get(key) ?? 1) + 1);
    if (isSilent) unsure.add(key);
  }
  for (const [key, { rid, values }] of after) {
    const known = before.rows.get(key);
    const life = lives.get(key);
    if (known === undefined && life !== undefined) lives.set(key, life + 1);
    // REPLACE fires the delete trigger of the row in its way only where triggers are recursive.
    if (known !== undefined && replaced.has(key) && run.recursive) lives.set(key, (life ?? 1) + 2);
    if (known !== undefined && replaced.has(key) && isSilent) unsure.add(key);
    const isWhole = known === undefined || replaced.has(key) || exact(known.rid) !== exact(rid);
    const groups = recordedColumns(table).map((column) => [
      column,
      isWhole || known.values[column] !== values[column] ? run.group : known.groups[column],
    ]);
    rows.set(key, { rid, values, groups: Object.fromEntries(groups) as Record<string, number> });
  }
  return { rows, lives, unsure };
}

/** The model once the stored lives of unsure keys, which agree in parity, are taken for theirs. */
export function settleLives(
  model: CaptureModel,
  table: string,
  stored: ReadonlyMap<string, number>,
): CaptureModel {
  const before = present(model.get(table), 'a table of the model');
  const lives = new Map(before.lives);
  for (const key of before.unsure) {
    const expected = lives.get(key) ?? 1;
    const found = stored.get(key) ?? 1;
    if (found % 2 === expected % 2) lives.set(key, found);
    if (lives.get(key) === 1) lives.delete(key);
  }
  return new Map([...model, [table, { rows: before.rows, lives, unsure: new Set() }]]);
}
