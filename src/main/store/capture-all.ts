import { asKept, writeCatalog } from './capture-ahead.ts';
import { captureTriggers, installCapture } from './capture-triggers.ts';
import type { StoreDatabase } from './store-database.ts';
import type { TrackedTable } from './table-registry.ts';

/** CREATE TRIGGER looks through the whole catalog each time, which only so many of them may do. */
const ONE_BY_ONE_MAX = 100;

/**
 * Installs the capture of tables that have none. Of many tables the triggers are written into the catalog as CREATE TRIGGER
 * would, and SQLite reads it anew once: the cost goes with the tables, not with their square. Runs in a transaction.
 */
export function installAllCapture(db: StoreDatabase, tables: readonly TrackedTable[]): void {
  if (tables.length <= ONE_BY_ONE_MAX) {
    for (const table of tables) installCapture(db, table);
    return;
  }
  writeCatalog(db, () => {
    const insert = db.prepare<[string, string, string]>(
      `insert into sqlite_schema (type, name, tbl_name, rootpage, sql) values ('trigger', ?, ?, 0, ?)`,
    );
    for (const table of tables) {
      for (const { name, sql } of captureTriggers(db, table)) insert.run(name, table.name ?? '', asKept(sql));
    }
    const version = Number(db.preparePluck<[]>('pragma schema_version').get());
    db.raw.pragma(`schema_version = ${String(version + 1)}`);
  });
}
