import type { TableDefinition } from '../sql/ast.ts';
import { renderCreateTable } from '../sql/render-create-table.ts';
import { quoteIdentifier } from '../sql/quote-identifier.ts';
import { isBookkeepingName } from '../sql/is-bookkeeping-name.ts';
import { sqliteCodeOf } from './constraint-failure.ts';
import type { StoreDatabase } from './store-database.ts';

export interface RebuildRequest {
  readonly name: string;
  readonly target: TableDefinition;
  /** The old column that fills each target column, or null where it takes its default. Generated columns are left out. */
  readonly sources: readonly { readonly column: string; readonly from: string | null }[];
  /** What the table calls its rowid while the old and the new table have one; null when either has none. */
  readonly keepRowid: string | null;
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
 * Gives a table another definition and keeps its rows, rowids, indexes, triggers and AUTOINCREMENT counter.
 *
 * Runs inside the caller's transaction, with foreign keys off since before it began: with them on, DROP TABLE
 * would empty the children (performance-facts.md, section 7, number 7). The caller drops the capture triggers'
 * bookkeeping and installs them anew.
 *
 * Guarantees: an exception leaves everything to the caller's rollback; no helper table survives a commit.
 * Errors: SQLite's own where the new shape, or a unique index of the table, would not take one of the rows.
 * Source: https://www.sqlite.org/lang_altertable.html, section 7.
 */
export function rebuildTable(db: StoreDatabase, request: RebuildRequest): RebuildReport {
  const { name, target } = request;
  const helper = `_concord_new_${name}`;
  const dependants = dependantsOf(db, name);
  const counter = autoincrementOf(db, name);

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
  restoreAutoincrement(db, { ...target, name }, counter);
  return restoreDependants(db, dependants);
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
  const dependants = dependantsOf(db, name);
  const counter = autoincrementOf(db, name);
  db.exec(`drop table ${quoteIdentifier(name)}`);
  db.exec(renderCreateTable(target, { name }));
  restoreAutoincrement(db, { ...target, name }, counter);
  return restoreDependants(db, dependants);
}

interface Dependant {
  readonly type: string;
  readonly name: string;
  readonly sql: string;
}

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

/** The AUTOINCREMENT counter of a table; null where it has none. */
function autoincrementOf(db: StoreDatabase, table: string): bigint | null {
  const has = db.preparePluck<[]>(`select 1 from sqlite_schema where name = 'sqlite_sequence'`).get();
  if (has === undefined) return null;
  const row = db.preparePluck<[string]>(`select seq from sqlite_sequence where name = ?`).get(table);
  return typeof row === 'bigint' ? row : null;
}

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

function copyRows(db: StoreDatabase, request: RebuildRequest, helper: string): void {
  const moved = request.sources.filter((source) => source.from !== null);
  const into = moved.map((source) => quoteIdentifier(source.column));
  const from = moved.map((source) => quoteIdentifier(source.from ?? ''));
  if (request.keepRowid !== null) {
    into.unshift(request.keepRowid);
    from.unshift(request.keepRowid);
  }
  if (into.length === 0) return;
  db.exec(
    `insert into ${quoteIdentifier(helper)} (${into.join(', ')}) select ${from.join(', ')} from ${quoteIdentifier(request.name)}`,
  );
}
