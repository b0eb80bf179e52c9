import type { TableDefinition } from '../sql/ast.ts';
import { renderCreateTable } from '../sql/render-create-table.ts';
import { quoteIdentifier } from '../sql/quote-identifier.ts';
import { isBookkeepingName } from '../sql/is-bookkeeping-name.ts';
import type { StoreDatabase } from './store-database.ts';

export interface RebuildRequest {
  readonly name: string;
  readonly target: TableDefinition;
  /** The old column that fills each target column, or null where it takes its default. Generated columns are left out. */
  readonly sources: readonly { readonly column: string; readonly from: string | null }[];
  /** What the table calls its rowid while the old and the new table have one; null when either has none. */
  readonly keepRowid: string | null;
  /** Told of the rows that the new shape would not take, by old rowid, while the old table is still there. */
  readonly onRejected: (rowids: readonly bigint[]) => void;
}

export interface RebuildReport {
  /** Dependants that could not come back, as SQLite said it. */
  readonly warnings: readonly string[];
}

/**
 * Gives a table another definition and keeps its rows, rowids, indexes, triggers and AUTOINCREMENT counter.
 *
 * Runs inside the caller's transaction, with foreign keys off since before it began: with them on, DROP TABLE
 * would empty the children (performance-facts.md, section 7, number 7). The caller drops the capture triggers'
 * bookkeeping and installs them anew.
 *
 * Guarantees: an exception leaves everything to the caller's rollback; no helper table survives a commit.
 * Source: https://www.sqlite.org/lang_altertable.html, section 7.
 */
export function rebuildTable(db: StoreDatabase, request: RebuildRequest): RebuildReport {
  const { name, target } = request;
  const helper = `_concord_new_${name}`;
  const dependants = dependantsOf(db, name);
  const sequence = autoincrementOf(db, name);

  db.exec(renderCreateTable(target, { name: helper }));
  const rejected = copyRows(db, request, helper);
  if (rejected.length > 0) request.onRejected(rejected);
  db.exec(`drop table ${quoteIdentifier(name)}`);
  // With legacy_alter_table, RENAME leaves the text of views, triggers and foreign keys alone: they go on
  // meaning the table by its name, and a view that is broken for other reasons does not stop the rebuild.
  db.raw.pragma('legacy_alter_table = on');
  try {
    db.exec(`alter table ${quoteIdentifier(helper)} rename to ${quoteIdentifier(name)}`);
  } finally {
    db.raw.pragma('legacy_alter_table = off');
  }
  if (sequence !== null) {
    db.prepare<[bigint, string]>(`update sqlite_sequence set seq = max(seq, ?) where name = ?`).run(
      sequence,
      name,
    );
  }
  return { warnings: restoreDependants(db, dependants) };
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
  const dependants = dependantsOf(db, request.name);
  db.exec(`drop table ${quoteIdentifier(request.name)}`);
  db.exec(renderCreateTable(request.target, { name: request.name }));
  return { warnings: restoreDependants(db, dependants) };
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

function restoreDependants(db: StoreDatabase, dependants: readonly Dependant[]): readonly string[] {
  const warnings: string[] = [];
  for (const dependant of dependants) {
    try {
      db.exec(dependant.sql);
    } catch (cause) {
      // An index over a column that the shape lacks goes with the column (engine.md, section 3).
      warnings.push(
        `${dependant.type} ${dependant.name}: ${cause instanceof Error ? cause.message : String(cause)}`,
      );
    }
  }
  return warnings;
}

function autoincrementOf(db: StoreDatabase, table: string): bigint | null {
  const has = db.preparePluck<[]>(`select 1 from sqlite_schema where name = 'sqlite_sequence'`).get();
  if (has === undefined) return null;
  const row = db.preparePluck<[string]>(`select seq from sqlite_sequence where name = ?`).get(table);
  return typeof row === 'bigint' ? row : null;
}

function copyRows(db: StoreDatabase, request: RebuildRequest, helper: string): readonly bigint[] {
  const moved = request.sources.filter((source) => source.from !== null);
  const into = moved.map((source) => quoteIdentifier(source.column));
  const from = moved.map((source) => quoteIdentifier(source.from ?? ''));
  if (request.keepRowid !== null) {
    into.unshift(request.keepRowid);
    from.unshift(request.keepRowid);
  }
  if (into.length === 0) return [];
  const old = quoteIdentifier(request.name);
  const copy = `into ${quoteIdentifier(helper)} (${into.join(', ')}) select ${from.join(', ')} from ${old}`;
  db.exec('savepoint _concord_copy');
  try {
    db.exec(`insert ${copy}`);
    db.exec('release _concord_copy');
    return [];
  } catch (cause) {
    db.exec('rollback to _concord_copy; release _concord_copy');
    if (request.keepRowid === null) throw cause;
    return copyRowByRow(db, { helper, into, from, old, rowid: request.keepRowid });
  }
}

/** Only when the set-wise copy failed: finds the rows that the shape refuses, keeps the rest. */
function copyRowByRow(
  db: StoreDatabase,
  copy: {
    readonly helper: string;
    readonly into: readonly string[];
    readonly from: readonly string[];
    readonly old: string;
    readonly rowid: string;
  },
): readonly bigint[] {
  const insert = db.prepare<[bigint]>(
    `insert into ${quoteIdentifier(copy.helper)} (${copy.into.join(', ')}) select ${copy.from.join(', ')} from ${copy.old} where ${copy.rowid} = ?`,
  );
  const rowids = db.preparePluck<[], bigint>(`select ${copy.rowid} from ${copy.old} order by 1`).all();
  const rejected: bigint[] = [];
  for (const rowid of rowids) {
    try {
      insert.run(rowid);
    } catch {
      rejected.push(rowid);
    }
  }
  return rejected;
}
