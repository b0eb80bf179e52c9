import type { ColumnDefinition } from '../sql/ast.ts';
import { captureTriggers, isSameTrigger, updateTriggerBeside } from './capture-triggers.ts';
import { findInFile } from './object-places.ts';
import type { StoreDatabase } from './store-database.ts';
import { keepsClasses, TABLE_KIND } from './table-facts.ts';
import type { TrackedTable } from './table-registry.ts';

/**
 * Lets the capture of a table know of a column before ALTER TABLE adds it: SQLite reads its whole catalog anew after that
 * statement, and finds the trigger as it is to be. To drop and make one takes a look through the catalog each.
 *
 * `col`: the ordinal that the column will have. Hands back how to undo it where the column is not added after all; null, and
 * nothing done, where the trigger has to be made anew afterwards. Runs in a transaction.
 */
export function captureAhead(
  db: StoreDatabase,
  table: TrackedTable,
  added: { readonly col: number; readonly column: ColumnDefinition },
): (() => void) | null {
  const { col, column } = added;
  if (table.kind === TABLE_KIND.noKey || column.generated !== undefined) return null;
  const found = findInFile(db, 'trigger', nameOf(table.tbl));
  const wanted = updateTriggerBeside(db, table, {
    col,
    name: column.name,
    keepsClasses: keepsClasses(column.type),
  });
  if (found === null || wanted === null) return null;
  rewrite(db, found.place, asKept(wanted));
  return () => {
    rewrite(db, found.place, found.sql);
    readAnew(db);
  };
}

/**
 * Whether a table is captured as it should be, as far as an added column can change that. Looks at one trigger, and at
 * those that watch for rows that are pushed out, where there are any: unique expressions are asked of all columns.
 */
export function isCapturedAhead(db: StoreDatabase, table: TrackedTable): boolean {
  const found = findInFile(db, 'trigger', nameOf(table.tbl));
  const all = captureTriggers(db, table);
  const wanted = all.find(({ name }) => name === nameOf(table.tbl));
  if (found === null || wanted === undefined || !isSameTrigger(found.sql, wanted.sql)) return false;
  const watches = all.filter(({ name }) => WATCH.test(name));
  return watches.every(({ name, sql }) => isSameTrigger(findInFile(db, 'trigger', name)?.sql ?? '', sql));
}

const WATCH = /^_concord_[wp]_/;

const nameOf = (tbl: number): string => `_concord_u_${String(tbl)}`;

function rewrite(db: StoreDatabase, place: bigint, sql: string): void {
  writeCatalog(db, () => {
    db.prepare<[string, bigint]>(`update sqlite_schema set sql = ? where rowid = ?`).run(sql, place);
  });
}

/** SQLite itself knows the old text still. */
function readAnew(db: StoreDatabase): void {
  writeCatalog(db, () => {
    const version = Number(db.preparePluck<[]>('pragma schema_version').get());
    db.raw.pragma(`schema_version = ${String(version + 1)}`);
  });
}

/** Writes to sqlite_schema, which SQLite allows no statement by itself. */
export function writeCatalog(db: StoreDatabase, write: () => void): void {
  const { raw } = db;
  raw.unsafeMode(true);
  try {
    raw.pragma('writable_schema = on');
    write();
  } finally {
    raw.pragma('writable_schema = off');
    raw.unsafeMode(false);
  }
}

/** SQLite keeps the text of a trigger but for the words before the name. */
export const asKept = (sql: string): string => `CREATE TRIGGER ${sql.slice(sql.indexOf('_concord_'))}`;
