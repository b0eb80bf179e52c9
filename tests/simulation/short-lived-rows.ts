import Database, { type Database as Connection } from 'better-sqlite3';

import { quoteIdentifier } from '#main/sql/quote-identifier.ts';
import { splitStatements } from '#main/sql/split-statements.ts';

import { comparable, type Content, type TableContent } from './content.ts';

// What is there before and after somebody's own SQL does not tell that a row came and went in it. Its deletion beats what
// did not know of it all the same.

/** A row that went: its values by the ID of their column, as keys compare them. */
export interface GoneRow {
  readonly table: TableContent;
  readonly values: ReadonlyMap<string, string>;
}

/** Whether SQL can make a row come and go: in several statements, or where one row of a statement pushes out another. */
export const mayPassBy = (sql: string): boolean =>
  /\breplace\b/i.test(sql) || (/\b(?:delete|update)\b/i.test(sql) && splitStatements(sql).length > 1);

/** Rows that SQL deletes, or whose key it changes, on its way: seen on a copy of the file in memory. */
export function goneOnTheWay(
  db: Connection,
  { content, sql, by }: { readonly content: Content; readonly sql: string; readonly by: 'concord' | 'other' },
): readonly GoneRow[] {
  const copy = new Database(withoutWal(db.serialize()));
  try {
    copy.pragma(`foreign_keys = ${by === 'concord' ? 'on' : 'off'}`);
    // Otherwise no trigger fires for a row that REPLACE pushes out.
    copy.exec(
      'pragma recursive_triggers = on; create temp table gone (n integer, tbl integer, col integer, value)',
    );
    content.tables.forEach((table, tbl) => copy.exec(watchOf(table, tbl)));
    runOnCopy(copy, sql);
    return readGone(copy, content);
  } finally {
    copy.close();
  }
}

function watchOf(table: TableContent, tbl: number): string {
  const rows = table.columns.map(
    ({ name }, col) => `select ${col} as col, old.${quoteIdentifier(name)} as value`,
  );
  const note = `begin insert into gone select (select coalesce(max(n), 0) + 1 from gone), ${tbl}, col, value
    from (${rows.join(' union all ')}); end`;
  const on = `on main.${quoteIdentifier(table.name)}`;
  const key = table.columns.filter(({ pk }) => pk > 0).map(({ name }) => quoteIdentifier(name));
  const isMoved = key.map((name) => `old.${name} is not new.${name}`).join(' or ');
  const moved =
    key.length === 0 ? '' : `create temp trigger moved_${tbl} before update ${on} when ${isMoved} ${note};`;
  return `create temp trigger gone_${tbl} before delete ${on} ${note}; ${moved}`;
}

/** As far as it goes: what a statement that is refused did on its way is undone. */
function runOnCopy(copy: Connection, sql: string): void {
  try {
    for (const { text } of splitStatements(sql)) copy.exec(text);
  } catch {
    // Concord's own DDL, or a statement that fails in the file too.
  }
}

function readGone(copy: Connection, { tables }: Content): readonly GoneRow[] {
  const cells = copy
    .prepare<[], readonly [bigint, bigint, bigint, unknown]>('select n, tbl, col, value from gone order by n')
    .safeIntegers()
    .raw()
    .all();
  const rows = new Map<bigint, { readonly table: TableContent; readonly values: Map<string, string> }>();
  for (const [n, tbl, col, value] of cells) {
    const table = tables[Number(tbl)];
    const column = table?.columns[Number(col)];
    if (table === undefined || column === undefined) continue;
    const row = rows.get(n) ?? { table, values: new Map<string, string>() };
    row.values.set(column.id, comparable(value));
    rows.set(n, row);
  }
  return [...rows.values()];
}

/** A file in memory has no write-ahead log beside it: bytes 18 and 19 of its header say whether it needs one. */
function withoutWal(file: Buffer): Buffer {
  file.fill(1, 18, 20);
  return file;
}
