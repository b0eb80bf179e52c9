import type { AlterAction, TableDefinition } from '../sql/ast.ts';
import { compareTables } from '../sql/compare-tables.ts';
import { foldIdentifier } from '../sql/fold-identifier.ts';
import { isBookkeepingName } from '../sql/is-bookkeeping-name.ts';
import { isSpoiltByRename } from '../sql/is-spoilt-by-rename.ts';
import { mentionedNames } from '../sql/mentioned-names.ts';
import { nativeAlteration } from '../sql/native-alteration.ts';
import { parseDdl } from '../sql/parse-ddl.ts';
import { quoteIdentifier } from '../sql/quote-identifier.ts';
import { renameInTrigger, renameInView } from '../sql/rename-in-body.ts';
import { columnChanges, type NameChanges } from '../sql/rename-in-definition.ts';
import { renderStatement } from '../sql/render-statement.ts';
import { findBreach, refuseBreach, type Breach } from './alter-breach.ts';
import { findUnchecked } from './alter-checks.ts';
import { forgetIndex } from './alter-tracking.ts';
import { removeCapture } from './capture-triggers.ts';
import type { AlterRun } from './alter-table.ts';
import { sqliteCodeOf } from './constraint-failure.ts';
import { findInFile } from './object-places.ts';
import type { StoreDatabase } from './store-database.ts';

export interface NativeStep {
  /** Of the table now. */
  readonly name: string;
  readonly current: TableDefinition;
  readonly action: AlterAction;
  readonly wanted: TableDefinition;
}

/** Whether an action is one that only SQLite can do: it rewrites what mentions the name. */
export const isRename = (action: AlterAction): boolean =>
  action.kind === 'renameColumn' || action.kind === 'renameTable';

/**
 * Alters a table by SQLite's own statement; false, and nothing done, where it has none or its outcome would differ.
 *
 * Views and triggers that are broken are no hindrance: SQLite refuses to alter anything beside one, so they are out of
 * the file for that time. So are those that a dropped column breaks.
 */
export function alterNatively(run: AlterRun, step: NativeStep): boolean {
  const { db } = run.admission.store;
  const { action, current, wanted } = step;
  const sql = nativeAlteration({ ...current, name: step.name }, action, { hasRows: hasRows(db, step.name) });
  if (sql === null) return false;
  const isSameAfter = (): boolean => isRename(action) || hasDefinition(db, { ...wanted, name: step.name });
  db.exec('savepoint _concord_alter');
  try {
    if (action.kind === 'dropColumn') removeCapture(db, run.table);
    const spoilt = action.kind === 'renameTable' ? takeOutSpoilt(run, step.name) : [];
    const aside = [...spoilt, ...execBesideBroken(run, sql)];
    if (isSameAfter()) {
      putBack(db, aside, step);
      db.exec('release _concord_alter');
      return true;
    }
    undo(db);
    return false;
  } catch (cause) {
    undo(db);
    return onFailure(run, step, cause);
  }
}

function undo(db: StoreDatabase): void {
  db.exec('rollback to _concord_alter; release _concord_alter');
}

/** False where a rebuild may do it. */
function onFailure(run: AlterRun, { name, current, action, wanted }: NativeStep, cause: unknown): boolean {
  const code = sqliteCodeOf(cause);
  if (code?.startsWith('SQLITE_CONSTRAINT') === true) {
    const breach =
      checkedBreach(run, { ...current, name }, action) ??
      findBreach(run, { name, current, target: wanted, sources: sameNames(wanted) });
    if (breach === null) throw cause;
    refuseBreach(name, breach);
  }
  if (code !== 'SQLITE_ERROR' || isRename(action)) throw cause;
  return false;
}

const checkedBreach = (run: AlterRun, table: TableDefinition, action: AlterAction): Breach | null =>
  action.kind === 'addConstraint' && action.constraint.kind === 'check'
    ? findUnchecked(run.admission.store.db, table, action.constraint.expression)
    : null;

const sameNames = ({
  columns,
}: TableDefinition): readonly { readonly column: string; readonly from: string }[] =>
  columns
    .filter(({ generated }) => generated === undefined)
    .map(({ name }) => ({ column: name, from: name }));

/** Whether a table has a row. */
export const hasRows = (db: StoreDatabase, name: string): boolean =>
  db.preparePluck<[]>(`select 1 from ${quoteIdentifier(name)} limit 1`).get() !== undefined;

function hasDefinition(db: StoreDatabase, wanted: TableDefinition): boolean {
  const parsed = parseDdl(findInFile(db, 'table', wanted.name)?.sql ?? '');
  return (
    parsed.ok &&
    parsed.value.kind === 'createTable' &&
    compareTables({ ...parsed.value.table, name: wanted.name }, wanted).equal
  );
}

interface AsideObject {
  readonly type: string;
  readonly name: string;
  readonly sql: string;
}

/** What stands in SQLite's way one after the other; each is taken out once. */
function execBesideBroken(run: AlterRun, sql: string): readonly AsideObject[] {
  const { db } = run.admission.store;
  const aside: AsideObject[] = [];
  for (;;) {
    try {
      db.exec(sql);
      return aside;
    } catch (cause) {
      const hindrance = sqliteCodeOf(cause) === 'SQLITE_ERROR' ? hindranceOf(run, cause) : null;
      if (hindrance === null) throw cause;
      if (hindrance.type === 'index') dropIndex(run, hindrance);
      else aside.push(...takeOut(run, hindrance));
    }
  }
}

/** The view, trigger or index that SQLite names: "error in view v: no such table: main.t". */
function hindranceOf({ admission, isLocal }: AlterRun, cause: unknown): AsideObject | null {
  const { db } = admission.store;
  const message = cause instanceof Error ? cause.message : '';
  const said = /^error in (view|trigger|index) /.exec(message);
  if (said === null) return null;
  const rest = message.slice(said[0].length);
  // Whoever writes a rename that takes names away from others is refused, as by SQLite; where it arrives, they give way.
  if (isLocal && rest.includes(' after rename: ')) return null;
  return (
    db
      .prepare<[string], AsideObject>(
        `select type, name, sql from sqlite_schema where type = ? and sql is not null order by length(name) desc`,
      )
      .all(said[1] ?? '')
      .find(({ name }) => rest.startsWith(`${name}: `) || rest.startsWith(`${name} after `)) ?? null
  );
}

/** An index on a dropped column goes along, on every replica alike (engine.md, section 3). */
function dropIndex(run: AlterRun, { name }: AsideObject): void {
  run.admission.store.db.exec(`drop index ${quoteIdentifier(name)}`);
  forgetIndex(run, name);
}

/**
 * A view takes its triggers along. What is recorded counts as parked, and is written anew from its record once it can stand;
 * the rest is handed back and has to be put back as it was.
 */
function takeOut({ admission }: AlterRun, object: AsideObject): readonly AsideObject[] {
  const { db, objects } = admission.store;
  const triggers =
    object.type === 'view'
      ? db
          .prepare<[string], AsideObject>(
            `select type, name, sql from sqlite_schema where type = 'trigger' and tbl_name = ? collate nocase order by rowid`,
          )
          .all(object.name)
      : [];
  db.exec(`drop ${object.type} ${quoteIdentifier(object.name)}`);
  return [object, ...triggers].filter(({ type, name }) => {
    const recorded = objects.get(type === 'view' ? 'view' : 'trigger', name);
    if (recorded !== null) objects.put({ ...recorded, text: null });
    return recorded === null;
  });
}

/** Triggers that SQLite would spoil while it renames a table that they name. */
function takeOutSpoilt(run: AlterRun, table: string): readonly AsideObject[] {
  const triggers = run.admission.store.db
    .prepare<[], AsideObject>(
      `select type, name, sql from sqlite_schema where type = 'trigger' and sql like '%excluded%' order by rowid`,
    )
    .all();
  return triggers
    .filter(({ name, sql }) => {
      const parsed = parseDdl(sql);
      return parsed.ok && !isBookkeepingName(name) && isSpoiltByRename(parsed.value, [foldIdentifier(table)]);
    })
    .flatMap((trigger) => takeOut(run, trigger));
}

/** As they were, but for the names that the alteration changed. */
function putBack(db: StoreDatabase, aside: readonly AsideObject[], step: NativeStep): void {
  for (const { type, sql } of aside) if (type === 'view') db.exec(withNames(sql, step));
  for (const { type, sql } of aside) if (type === 'trigger') db.exec(withNames(sql, step));
}

function nameChangesOf({ name, action }: NativeStep): NameChanges {
  const key = foldIdentifier(name);
  if (action.kind === 'renameTable') return { tables: new Map([[key, action.newName]]), columns: new Map() };
  return action.kind === 'renameColumn'
    ? columnChanges(name, new Map([[foldIdentifier(action.column), action.newName]]))
    : { tables: new Map(), columns: new Map() };
}

function withNames(sql: string, step: NativeStep): string {
  const parsed = isRename(step.action) ? parseDdl(sql) : null;
  if (parsed?.ok !== true) return sql;
  const statement = parsed.value;
  if (!mentionedNames(statement).identifiers.includes(foldIdentifier(step.name))) return sql;
  const changes = nameChangesOf(step);
  if (statement.kind === 'createView')
    return renderStatement({ ...statement, view: renameInView(statement.view, changes) });
  return statement.kind === 'createTrigger'
    ? renderStatement({ ...statement, trigger: renameInTrigger(statement.trigger, changes) })
    : sql;
}
