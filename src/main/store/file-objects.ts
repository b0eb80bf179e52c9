import type { DdlStatement } from '../sql/ast.ts';
import { isSameName } from '../sql/fold-identifier.ts';
import { mentionedNames } from '../sql/mentioned-names.ts';
import type { FileCatalog } from './catalog-read.ts';
import { sqliteCodeOf } from './constraint-failure.ts';
import type { ReplicaStore } from './replica-store.ts';
import type { ScratchObject } from './scratch-rename.ts';

/** What stands in a file under which name, as far as texts can refer to it. */
export type NamesInFile = Pick<FileCatalog, 'tables' | 'views' | 'localOnly'>;

/**
 * What of this file the text of a statement may refer to: tables of any kind and views, with their columns, or with its text
 * where SQLite cannot tell the columns of a view. What the statement itself makes is left out.
 */
export function objectsNamedIn(
  store: Pick<ReplicaStore, 'db'>,
  statement: DdlStatement,
  names: NamesInFile,
): readonly ScratchObject[] {
  const found = new Map<string, ScratchObject>();
  const waiting: DdlStatement[] = [statement];
  for (const named of waiting) {
    for (const name of mentionedNames(named).identifiers) {
      const object = found.has(name) || isMadeBy(statement, name) ? null : objectOf(store, name, names);
      if (object === null) continue;
      found.set(name, object);
      const view = object.kind === 'text' ? (names.views.get(name)?.definition ?? null) : null;
      if (view !== null) waiting.push({ kind: 'createView', temporary: false, ifNotExists: false, view });
    }
  }
  return [...found.values()];
}

const isMadeBy = (statement: DdlStatement, name: string): boolean =>
  statement.kind === 'createView' && isSameName(statement.view.name, name);

function objectOf(
  store: Pick<ReplicaStore, 'db'>,
  name: string,
  { tables, views, localOnly }: NamesInFile,
): ScratchObject | null {
  const view = views.get(name);
  if (view !== undefined) {
    const columns = columnsOf(store, view.name);
    return columns === null
      ? { kind: 'text', name: view.name, sql: view.sql }
      : { kind: 'view', name: view.name, columns };
  }
  const table = tables.get(name)?.name ?? (localOnly.has(name) ? name : undefined);
  if (table === undefined) return null;
  return { kind: 'table', name: table, columns: columnsOf(store, table) ?? [] };
}

/** Generated and hidden columns too. Null where SQLite cannot tell, because a view is broken or lacks a function. */
export function columnsOf({ db }: Pick<ReplicaStore, 'db'>, name: string): readonly string[] | null {
  try {
    const columns = db.preparePluck<[string], string>('select name from pragma_table_xinfo(?)').all(name);
    return columns.length === 0 ? null : columns;
  } catch (cause) {
    if (sqliteCodeOf(cause) === undefined) throw cause;
    return null;
  }
}
