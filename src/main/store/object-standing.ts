import type { TriggerDefinition } from '../sql/ast.ts';
import { quoteIdentifier } from '../sql/quote-identifier.ts';
import { sqliteCodeOf } from './constraint-failure.ts';
import { objectsNamedIn, type NamesInFile } from './file-objects.ts';
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
  if (statement.kind === 'createTrigger') return whyNotCompiling(store, statement.trigger) === null;
  return whyNotPrepared(store, `select * from ${quoteIdentifier(statement.view.name)} limit 0`) === null;
}

/** Why SQLite cannot compile a write that fires a trigger, in its words: for the sake of this one, or of another. */
export function whyNotCompiling(store: ReplicaStore, trigger: TriggerDefinition): string | null {
  const table = quoteIdentifier(trigger.table);
  if (trigger.event === 'insert') return whyNotPrepared(store, `explain insert into ${table} default values`);
  if (trigger.event === 'delete') return whyNotPrepared(store, `explain delete from ${table}`);
  const written = trigger.columns.length > 0 ? trigger.columns : writableColumns(store, trigger.table);
  const sets = written.map(quoteIdentifier).map((column) => `${column} = ${column}`);
  return whyNotPrepared(store, `explain update ${table} set ${sets.join(', ')}`);
}

function writableColumns({ db }: ReplicaStore, table: string): readonly string[] {
  return db
    .preparePluck<[string], string>('select name from pragma_table_xinfo(?) where hidden = 0 limit 1')
    .all(table);
}

function whyNotPrepared({ db }: ReplicaStore, sql: string): string | null {
  try {
    // Not kept: each is asked once.
    db.raw.prepare(sql);
    return null;
  } catch (cause) {
    if (sqliteCodeOf(cause) === undefined) throw cause;
    return cause instanceof Error ? cause.message : String(cause);
  }
}
