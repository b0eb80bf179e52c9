import type { TriggerDefinition } from '../sql/ast.ts';
import { quoteIdentifier } from '../sql/quote-identifier.ts';
import { sqliteCodeOf } from './constraint-failure.ts';
import { columnsOf, objectsNamedIn, type NamesInFile } from './file-objects.ts';
import type { BodyStatement } from './render-migration.ts';
import type { ReplicaStore } from './replica-store.ts';
import { whyNotInScratch } from './scratch-rename.ts';

/**
 * Why a view or trigger does not stand in this file, in SQLite's words; null when it does, or would if it were made.
 *
 * One that does not stand refers to a table or column that is not there, and stops every later rename in the file, for
 * every program. One that only lacks a function or collation here stands: it stops nothing, and its own application
 * brings what it needs.
 */
export function whyNotStanding(
  store: ReplicaStore,
  statement: BodyStatement,
  names: NamesInFile = store.catalog.read(),
): string | null {
  return whyNotInScratch(statement, objectsNamedIn(store, statement, names));
}

/** As `whyNotStanding`, of one that is in the file: SQLite compiles it in place, which is cheaper where it stands. */
export function whyNotStandingInFile(
  store: ReplicaStore,
  statement: BodyStatement,
  names: NamesInFile = store.catalog.read(),
): string | null {
  return compiles(store, statement) ? null : whyNotStanding(store, statement, names);
}

/** Whether SQLite compiles what makes it run. Of a trigger also what else its event fires, so a no says nothing yet. */
function compiles(store: ReplicaStore, statement: BodyStatement): boolean {
  const sql =
    statement.kind === 'createView'
      ? `select * from ${quoteIdentifier(statement.view.name)} limit 0`
      : firingStatement(store, statement.trigger);
  if (sql === null) return false;
  try {
    // Not kept: each is asked once.
    store.db.raw.prepare(sql);
    return true;
  } catch (cause) {
    if (sqliteCodeOf(cause) === undefined) throw cause;
    return false;
  }
}

/** Null where the table has no column to write. */
function firingStatement(store: ReplicaStore, trigger: TriggerDefinition): string | null {
  const table = quoteIdentifier(trigger.table);
  if (trigger.event === 'insert') return `explain insert into ${table} default values`;
  if (trigger.event === 'delete') return `explain delete from ${table}`;
  const [column] = trigger.columns.length > 0 ? trigger.columns : (columnsOf(store, trigger.table) ?? []);
  if (column === undefined) return null;
  return `explain update ${table} set ${quoteIdentifier(column)} = ${quoteIdentifier(column)}`;
}
