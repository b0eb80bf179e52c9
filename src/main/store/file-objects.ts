import type { DdlStatement } from '../sql/ast.ts';
import { mentionedNames } from '../sql/mentioned-names.ts';
import { sqliteCodeOf } from './constraint-failure.ts';
import type { ReplicaStore } from './replica-store.ts';
import type { ScratchObject } from './scratch-rename.ts';

/**
 * What of this file the text of a statement may refer to: tables of any kind, views, each with its columns. A view whose
 * columns SQLite cannot tell, because it is broken, is left out, and so is what the statement itself makes.
 */
export function objectsNamedIn(store: ReplicaStore, statement: DdlStatement): readonly ScratchObject[] {
  const made = statement.kind === 'createView' ? statement.view.name : null;
  const { tables, views, localOnly } = store.catalog.read();
  return mentionedNames(statement).identifiers.flatMap((name): readonly ScratchObject[] => {
    const isView = views.has(name);
    if (!isView && !tables.has(name) && !localOnly.has(name)) return [];
    const spelled = (isView ? views : tables).get(name)?.name ?? name;
    const columns = spelled === made ? null : columnsOf(store, spelled);
    return columns === null ? [] : [{ kind: isView ? 'view' : 'table', name: spelled, columns }];
  });
}

/** Generated and hidden columns too. Null where SQLite cannot tell. */
export function columnsOf({ db }: Pick<ReplicaStore, 'db'>, name: string): readonly string[] | null {
  try {
    return db.preparePluck<[string], string>('select name from pragma_table_xinfo(?)').all(name);
  } catch (cause) {
    if (sqliteCodeOf(cause) === undefined) throw cause;
    return null;
  }
}
