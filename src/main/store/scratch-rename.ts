import Database from 'better-sqlite3';

import type { CreateTriggerStatement, CreateViewStatement } from '../sql/ast.ts';
import { foldIdentifier } from '../sql/fold-identifier.ts';
import { isSpoiltByRename } from '../sql/is-spoilt-by-rename.ts';
import { parseDdl } from '../sql/parse-ddl.ts';
import { quoteIdentifier } from '../sql/quote-identifier.ts';
import type { NameChanges } from '../sql/rename-in-definition.ts';
import { renderStatement } from '../sql/render-statement.ts';
import { sqliteCodeOf } from './constraint-failure.ts';

/** What a scratch database has: of tables and views the names that others see, or a view as it is written. */
export type ScratchObject =
  | { readonly kind: 'table' | 'view'; readonly name: string; readonly columns: readonly string[] }
  | { readonly kind: 'text'; readonly name: string; readonly sql: string };

/**
 * Puts new names of tables and columns into the text of a view or trigger by letting SQLite rename them, in a database
 * in memory that has nothing but the objects given. Only SQLite knows which table a word in a select means.
 *
 * Null where SQLite refuses: the text refers to something that is not among the objects, or is broken otherwise; and where
 * it would do it wrong.
 * Functions and collations that are missing here do not matter.
 */
export function renameInScratch<Statement extends CreateViewStatement | CreateTriggerStatement>(
  statement: Statement,
  objects: readonly ScratchObject[],
  changes: NameChanges,
): Statement | null {
  if (isSpoiltByRename(statement, changes.tables.keys())) return null;
  const name = statement.kind === 'createView' ? statement.view.name : statement.trigger.name;
  const type = statement.kind === 'createView' ? 'view' : 'trigger';
  const renamed = inScratch(objects, (scratch) => {
    scratch.exec(renderStatement({ ...statement, ifNotExists: false }));
    for (const step of renameSteps(objects, changes)) scratch.exec(step);
    const text = scratch
      .prepare<[string, string], string>(
        `select sql from sqlite_schema where type = ? and name = ? collate nocase`,
      )
      .pluck()
      .get(type, name);
    const parsed = parseDdl(text ?? '');
    // SQLite hands back a statement of the kind that it was given.
    return parsed.ok && parsed.value.kind === statement.kind ? (parsed.value as Statement) : null;
  });
  return renamed === null || 'message' in renamed ? null : renamed;
}

/**
 * Why SQLite would not get along with a view or trigger beside the objects given, in its words; null when it does.
 *
 * This is what every later rename in a file asks of all of its views and triggers, so that one that does not stand
 * stops the renames of every program. A function or collation that is missing here does not count: the application
 * that wrote the text brings it.
 */
export function whyNotInScratch(
  statement: CreateViewStatement | CreateTriggerStatement,
  objects: readonly ScratchObject[],
): string | null {
  const reason = inScratch(objects, (scratch) => tryOut(scratch, statement));
  if (reason.message === null) return null;
  // A broken view that only has a name which the text uses for something else does no harm to it.
  const other = objects.find(({ kind, name }) => kind === 'text' && isAbout(reason.message ?? '', name));
  if (other === undefined) return reason.message;
  const rest = objects.filter((object) => object !== other);
  return whyNotInScratch(statement, rest) === null ? null : reason.message;
}

const isAbout = (message: string, view: string): boolean => message.startsWith(`error in view ${view}: `);

function tryOut(
  scratch: Database.Database,
  statement: CreateViewStatement | CreateTriggerStatement,
): { readonly message: string | null } {
  scratch.exec(renderStatement({ ...statement, ifNotExists: false }));
  scratch.exec('create table _concord_probe (a)');
  for (const known = new Set<string>(); ;) {
    try {
      scratch.exec('alter table _concord_probe rename to _concord_probed');
      return { message: null };
    } catch (cause) {
      if (sqliteCodeOf(cause) === undefined) throw cause;
      const message = cause instanceof Error ? cause.message : String(cause);
      // Of views that are named by others SQLite wants to know all.
      const [, missing] = / no such function: (.+)$/s.exec(message) ?? [];
      if (missing === undefined || known.has(missing))
        return { message: isCollation(message) ? null : message };
      known.add(missing);
      scratch.function(missing, { varargs: true }, () => null);
    }
  }
}

const isCollation = (message: string): boolean => message.includes(' no such collation sequence: ');

function inScratch<T>(
  objects: readonly ScratchObject[],
  run: (scratch: Database.Database) => T,
): T | { readonly message: string } {
  const scratch = new Database(':memory:');
  try {
    for (const object of objects) scratch.exec(stubOf(object));
    return run(scratch);
  } catch (cause) {
    if (sqliteCodeOf(cause) === undefined) throw cause;
    return { message: cause instanceof Error ? cause.message : String(cause) };
  } finally {
    scratch.close();
  }
}

function stubOf(object: ScratchObject): string {
  if (object.kind === 'text') return object.sql;
  const { kind, name, columns } = object;
  const list = (columns.length === 0 ? ['_concord_none'] : columns).map(quoteIdentifier);
  return kind === 'table'
    ? `create table ${quoteIdentifier(name)} (${list.join(', ')})`
    : `create view ${quoteIdentifier(name)} (${list.join(', ')}) as select ${list.map(() => 'null').join(', ')}`;
}

/** By way of names that nothing has, so that two can swap theirs. */
function renameSteps(objects: readonly ScratchObject[], { tables, columns }: NameChanges): readonly string[] {
  const away: string[] = [];
  const back: string[] = [];
  for (const [at, object] of objects.entries()) {
    if (object.kind !== 'table') continue;
    const { name, columns: own } = object;
    const key = foldIdentifier(name);
    const passing = quoteIdentifier(`_concord_table_${String(at)}`);
    const newName = tables.get(key);
    const changed = own.flatMap((column, place) => {
      const newColumn = columns.get(key)?.get(foldIdentifier(column));
      return newColumn === undefined
        ? []
        : [{ column, newColumn, passing: `_concord_column_${String(place)}` }];
    });
    const from = newName === undefined ? quoteIdentifier(name) : passing;
    if (newName !== undefined) {
      away.push(`alter table ${quoteIdentifier(name)} rename to ${passing}`);
      back.push(`alter table ${passing} rename to ${quoteIdentifier(newName)}`);
    }
    for (const step of changed) {
      away.push(
        `alter table ${from} rename column ${quoteIdentifier(step.column)} to ${quoteIdentifier(step.passing)}`,
      );
    }
    // Before the table gets its name: other tables may not have given theirs up yet.
    for (const step of changed) {
      away.push(
        `alter table ${from} rename column ${quoteIdentifier(step.passing)} to ${quoteIdentifier(step.newColumn)}`,
      );
    }
  }
  return [...away, ...back];
}
