import type { TableDefinition } from '../sql/ast.ts';
import { isBookkeepingName } from '../sql/is-bookkeeping-name.ts';
import { quoteIdentifier } from '../sql/quote-identifier.ts';
import { renderCreateTable } from '../sql/render-create-table.ts';
import { sqliteCodeOf } from './constraint-failure.ts';
import { rowidColumn, rowidNameOf } from './definition-key.ts';
import type { StoreDatabase, StoredValue } from './store-database.ts';

export interface RebuildRequest {
  readonly name: string;
  readonly current: TableDefinition;
  readonly target: TableDefinition;
  /** What fills each target column. Generated columns are left out. */
  readonly sources: readonly ColumnSource[];
}

export interface ColumnSource {
  readonly column: string;
  /** The old column; null where there was none. */
  readonly from: string | null;
  /** SQL of the value where there was none; its default in the target when left out. */
  readonly fill?: string;
}

export interface RebuildReport {
  /** Indexes and triggers that could not come back. */
  readonly lost: readonly LostDependant[];
}

export interface LostDependant {
  readonly type: string;
  readonly name: string;
  /** Why, as SQLite said it. */
  readonly message: string;
}

/**
 * Gives a table another definition and keeps its rows, rowids, indexes, triggers, statistics and AUTOINCREMENT counter.
 * Rowids change only where the new key is the rowid and holds other values.
 *
 * Runs inside the caller's transaction, with foreign keys off since before it began: with them on, DROP TABLE
 * would empty the children (performance-facts.md, section 7, number 7). The caller takes the capture triggers away
 * before and installs them anew.
 *
 * Guarantees: an exception leaves everything to the caller's rollback; no helper table survives a commit.
 * Errors: SQLite's own where the new shape, or a unique index of the table, would not take one of the rows.
 * Source: https://www.sqlite.org/lang_altertable.html, section 7.
 */
export function rebuildTable(db: StoreDatabase, request: RebuildRequest): RebuildReport {
  const { name, target } = request;
  const helper = `_concord_new_${name}`;
  const kept = readKept(db, name);

  db.exec(renderCreateTable(target, { name: helper }));
  copyRows(db, request, helper);
  db.exec(`drop table ${quoteIdentifier(name)}`);
  // With legacy_alter_table, RENAME leaves the text of views, triggers and foreign keys alone: they go on
  // meaning the table by its name, and a view that is broken for other reasons does not stop the rebuild.
  db.raw.pragma('legacy_alter_table = on');
  try {
    db.exec(`alter table ${quoteIdentifier(helper)} rename to ${quoteIdentifier(name)}`);
  } finally {
    db.raw.pragma('legacy_alter_table = off');
  }
  return restoreKept(db, { ...target, name }, kept);
}

/**
 * Replaces a table by an empty one of another definition, with its dependants. The caller has the rows and puts
 * them into the new table itself: this is for shapes under which rows have another identity.
 *
 * Runs as `rebuildTable` does.
 */
export function replaceEmptyTable(
  db: StoreDatabase,
  request: Pick<RebuildRequest, 'name' | 'target'>,
): RebuildReport {
  const { name, target } = request;
  const kept = readKept(db, name);
  db.exec(`drop table ${quoteIdentifier(name)}`);
  db.exec(renderCreateTable(target, { name }));
  return restoreKept(db, { ...target, name }, kept);
}

/** Fills a table from another one, of which it may be the new shape. Keeps the rowids where both have them. */
export function copyRows(
  db: StoreDatabase,
  request: Omit<RebuildRequest, 'name'> & { readonly name: string },
  into: string,
): void {
  const filled = request.sources.flatMap(({ column, from, fill }) => {
    const value = from === null ? fill : quoteIdentifier(from);
    return value === undefined ? [] : [{ name: quoteIdentifier(column), value }];
  });
  const names = filled.map(({ name }) => name);
  const values = filled.map(({ value }) => value);
  const rowid = keptRowid(request);
  if (rowid !== null) {
    names.unshift(rowid.into);
    values.unshift(rowid.from);
  }
  if (names.length === 0) return;
  db.exec(
    `insert into ${quoteIdentifier(into)} (${names.join(', ')}) select ${values.join(', ')} from ${quoteIdentifier(request.name)}`,
  );
}

/** How the old table reads and the new one writes a rowid that stays; null where a column says it, or one has none. */
export function keptRowid({
  current,
  target,
  sources,
}: Pick<RebuildRequest, 'current' | 'target' | 'sources'>): {
  readonly from: string;
  readonly into: string;
} | null {
  const alias = rowidColumn(target);
  const isGiven = alias !== null && sources.some(({ column, from }) => column === alias && from !== null);
  const into = rowidNameOf(target);
  const currentAlias = rowidColumn(current);
  const from = rowidNameOf(current) ?? (currentAlias === null ? null : quoteIdentifier(currentAlias));
  return isGiven || into === null || from === null ? null : { from, into };
}

/** What DROP TABLE takes along and the new table gets back. */
interface Kept {
  readonly dependants: readonly Dependant[];
  /** The AUTOINCREMENT counter; null where it has none. */
  readonly counter: bigint | null;
  /** Rows of ANALYZE by their table, without the table's name. */
  readonly statistics: readonly {
    readonly table: string;
    readonly rows: readonly (readonly StoredValue[])[];
  }[];
}

interface Dependant {
  readonly type: string;
  readonly name: string;
  readonly sql: string;
}

function readKept(db: StoreDatabase, table: string): Kept {
  return {
    dependants: dependantsOf(db, table),
    counter: autoincrementOf(db, table),
    statistics: STATISTICS.filter((statistic) => hasTable(db, statistic)).map((statistic) => ({
      table: statistic,
      rows: db.prepareRaw<[string]>(`select * from ${statistic} where tbl = ?`).all(table),
    })),
  };
}

function restoreKept(db: StoreDatabase, table: TableDefinition, kept: Kept): RebuildReport {
  restoreAutoincrement(db, table, kept.counter);
  const report = restoreDependants(db, kept.dependants);
  for (const { table: statistic, rows } of kept.statistics) {
    for (const row of rows) {
      db.prepare<unknown[]>(`insert into ${statistic} values (${row.map(() => '?').join(', ')})`).run(...row);
    }
  }
  return report;
}

const STATISTICS = ['sqlite_stat1', 'sqlite_stat4'] as const;

function dependantsOf(db: StoreDatabase, table: string): readonly Dependant[] {
  const rows = db
    .prepare<[string], Dependant>(
      `select type, name, sql from sqlite_schema where type in ('index', 'trigger') and sql is not null and tbl_name = ? collate nocase order by rowid`,
    )
    .all(table);
  return rows.filter((row) => !isBookkeepingName(row.name));
}

/** Throws where rows break a unique index; what names a column that the shape lacks is lost, and told. */
function restoreDependants(db: StoreDatabase, dependants: readonly Dependant[]): RebuildReport {
  const lost: LostDependant[] = [];
  for (const { type, name, sql } of dependants) {
    try {
      db.exec(sql);
    } catch (cause) {
      if (sqliteCodeOf(cause) !== 'SQLITE_ERROR') throw cause;
      // An index over a column that the shape lacks goes with the column (engine.md, section 3).
      lost.push({ type, name, message: cause instanceof Error ? cause.message : String(cause) });
    }
  }
  return { lost };
}

function autoincrementOf(db: StoreDatabase, table: string): bigint | null {
  if (!hasTable(db, 'sqlite_sequence')) return null;
  const row = db.preparePluck<[string]>(`select seq from sqlite_sequence where name = ?`).get(table);
  return typeof row === 'bigint' ? row : null;
}

const hasTable = (db: StoreDatabase, name: string): boolean =>
  db.preparePluck<[string]>(`select 1 from sqlite_schema where type = 'table' and name = ?`).get(name) !==
  undefined;

/** Rowids that were given once are not given again. */
function restoreAutoincrement(db: StoreDatabase, table: TableDefinition, counter: bigint | null): void {
  if (counter === null || !hasAutoincrement(table)) return;
  const { changes } = db
    .prepare<[bigint, string]>(`update sqlite_sequence set seq = max(seq, ?) where name = ?`)
    .run(counter, table.name);
  if (changes > 0) return;
  db.prepare<[string, bigint]>(`insert into sqlite_sequence (name, seq) values (?, ?)`).run(
    table.name,
    counter,
  );
}

const hasAutoincrement = ({ columns, constraints }: TableDefinition): boolean =>
  columns.some(({ primaryKey }) => primaryKey?.autoincrement === true) ||
  constraints.some((constraint) => constraint.kind === 'primaryKey' && constraint.autoincrement);
