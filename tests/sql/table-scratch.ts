import Database from 'better-sqlite3';
import { onTestFinished } from 'vitest';

import { canonicalTable } from '#main/sql/canonical-table.ts';
import { aTable } from './support.ts';

export interface TableScratch {
  /**
   * Canonical text of the only table that SQLite has after the statements, which are taken back at once; nothing where
   * it refuses one of them.
   */
  readonly storedAfter: (...statements: readonly string[]) => string | undefined;
}

/** Opens an empty database that judges tables until the test is over. */
export function openTableScratch(): TableScratch {
  const scratch = new Database(':memory:');
  onTestFinished(() => {
    scratch.close();
  });
  return {
    storedAfter: (...statements) => {
      scratch.exec('begin');
      try {
        for (const statement of statements) scratch.exec(statement);
        return canonicalTable(aTable(textOfOnlyTable(scratch)));
      } catch (cause) {
        if (cause instanceof Database.SqliteError) return undefined;
        throw cause;
      } finally {
        if (scratch.inTransaction) scratch.exec('rollback');
      }
    },
  };
}

function textOfOnlyTable(scratch: Database.Database): string {
  const tables = `select sql from sqlite_schema where type = 'table' and name not like 'sqlite^_%' escape '^'`;
  return String(scratch.prepare(tables).pluck().get());
}
