import type BetterSqlite3 from 'better-sqlite3';

import { present } from '#shared/assert.ts';
import type { SqlValue } from '#shared/model/sql-value.ts';

import type { CaptureStatement } from './capture-statement.ts';
import { rowidOf } from './capture-statement.ts';
import { plainText } from './capture-tables.ts';
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
    : `${typeof value} ${plainText(value)}`;

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
    const entries = columns.map((column, at): [string, string] => [column, exact(values[at] ?? null)]);
    rows.set(key, { rid: place, values: Object.fromEntries(entries) });
  }
  return rows;
}

/** Runs a statement on a connection and on the model. A statement that fails leaves both as they were. */
export function runOnModel(
  model: CaptureModel,
  run: {
    readonly db: BetterSqlite3.Database;
    readonly tables: readonly CaptureTable[];
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
  // Triggers and foreign keys write to other tables as well, by plain updates and deletions.
  return new Map(
    [...model].map(([name, before]) => {
      const table = present(
        run.tables.find((candidate) => candidate.name === name),
        'a table of the model',
      );
      const own = table === statement.table ? statement : { ...ELSEWHERE, table };
      return [name, advance(before, readRows(db, table), { ...run, statement: own })];
    }),
  );
}

const ELSEWHERE = { sql: '', bound: [], replaces: [], mover: null, moves: 'none', stays: null } as const;

interface Step {
  readonly statement: CaptureStatement;
  readonly group: number;
  readonly recursive: boolean;
}

function advance(before: ModelTable, after: Snapshot, step: Step): ModelTable {
  const replaced = replacedKeys(before, step.statement);
  return {
    rows: new Map(
      [...after].map(([key, row]) => {
        const known = replaced.has(key) ? undefined : before.rows.get(key);
        return [key, { ...row, groups: groupsOf(known, row, step) }];
      }),
    ),
    ...advanceLives(before, after, {
      replaced,
      // A row that moves fires its trigger; which lives its places go through on the way is known up to their parity.
      recursive: step.recursive && step.statement.moves === 'none',
      isExact: step.statement.moves === 'all',
      isSeveral: step.statement.replaces.length > 1,
      pushes: /\breplace\b/.test(step.statement.sql) || step.statement.table.name === 'by_replacing',
    }),
  };
}

function replacedKeys(before: ModelTable, statement: CaptureStatement): ReadonlySet<string | null> {
  const { stays } = statement;
  if (statement.moves !== 'none') {
    const stayed = stays === null ? null : statement.table.identityOf(stays);
    return new Set([...before.rows.keys()].filter((key) => key !== stayed));
  }
  const keys = new Set(statement.replaces.map(statement.table.identityOf));
  if (statement.mover === null) return keys;
  const mover = statement.table.identityOf(statement.mover);
  const isMoved = mover !== null && before.rows.has(mover) && !keys.has(mover);
  return isMoved ? keys : new Set();
}

/** A cell is written where it differs; every cell of a row is that is new, lies elsewhere or was replaced. */
function groupsOf(
  known: ModelRow | undefined,
  row: { readonly rid: SqlValue; readonly values: Readonly<Record<string, string>> },
  { group }: Step,
): Readonly<Record<string, number>> {
  const isWhole = known === undefined || exact(known.rid) !== exact(row.rid);
  return Object.fromEntries(
    Object.entries(row.values).map(([column, value]) => {
      const isWritten = isWhole || known.values[column] !== value;
      return [column, isWritten ? group : present(known.groups[column], 'a known cell has its group')];
    }),
  );
}

function advanceLives(
  before: ModelTable,
  after: Snapshot,
  step: {
    readonly replaced: ReadonlySet<string | null>;
    readonly recursive: boolean;
    readonly isExact: boolean;
    readonly isSeveral: boolean;
    /** Whether rows in the way of a unique key are pushed out. */
    readonly pushes: boolean;
  },
): Pick<ModelTable, 'lives' | 'unsure'> {
  const lives = new Map(before.lives);
  const gone = [...before.rows.keys()].filter((key) => !after.has(key));
  const rewritten = [...before.rows.keys()].filter((key) => after.has(key) && step.replaced.has(key));
  const born = [...after.keys()].filter((key) => !before.rows.has(key) && lives.has(key));
  const raise = (by: number) => (key: string) => lives.set(key, (lives.get(key) ?? 1) + by);
  gone.forEach(raise(1));
  born.forEach(raise(1));
  // REPLACE fires the delete trigger of the row in its way only where triggers are recursive.
  if (step.recursive || step.isExact) rewritten.forEach(raise(2));
  const isSilent = (step.replaced.size > 0 || step.pushes) && (!step.recursive || step.isSeveral) && !step.isExact;
  // Of several rows one may push out another of the same statement.
  const transient = [...step.replaced].flatMap((key) =>
    key === null || (after.has(key) && !step.isSeveral) ? [] : [key],
  );
  const unsure = new Set([...before.unsure, ...transient, ...(isSilent ? [...gone, ...rewritten] : [])]);
  return { lives, unsure };
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
    // A row that came and went within one statement may have left a death behind.
    const isTransient = expected === 1 && found % 2 === 0 && !before.rows.has(key);
    if (isTransient || found % 2 === expected % 2) lives.set(key, found);
    if (lives.get(key) === 1) lives.delete(key);
  }
  return new Map([...model, [table, { rows: before.rows, lives, unsure: new Set() }]]);
}
