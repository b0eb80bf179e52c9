import Database from 'better-sqlite3';

import { METADATA_DDL } from './metadata-schema.ts';

const COLUMNS = `select m.name || '.' || c.name from sqlite_schema m, pragma_table_info(m.name) c
  where m.type = 'table' and m.name like '\\_concord\\_%' escape '\\'`;

/** Tables and columns of this version's bookkeeping that a file lacks, as `table.column`; empty where it is whole. */
export function missingBookkeeping(db: Database.Database): readonly string[] {
  const here = new Set(columnsOf(db));
  return wholeBookkeeping().filter((name) => !here.has(name));
}

function wholeBookkeeping(): readonly string[] {
  const empty = new Database(':memory:');
  try {
    empty.exec(METADATA_DDL.join(';'));
    return columnsOf(empty);
  } finally {
    empty.close();
  }
}

const columnsOf = (db: Database.Database): readonly string[] => db.prepare<[], string>(COLUMNS).pluck().all();
