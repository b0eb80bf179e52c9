import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import Database from 'better-sqlite3';
import { expect, onTestFinished, test, type TestContext } from 'vitest';

import { canonicalStatement } from '#main/sql/canonical-statement.ts';
import { compareStatements } from '#main/sql/compare-statements.ts';
import { parseDdl } from '#main/sql/parse-ddl.ts';
import { renderStatement } from '#main/sql/render-statement.ts';
import { aStatement } from './support.ts';

// Files of other people's software. They are read into memory, and never opened in place; a clone does not have them.
const folder = resolve(import.meta.dirname, '../../../shared/data');
const isThere = existsSync(folder);
const files = isThere
  ? readdirSync(folder).filter((file) => /\.(?:sqlite|db|gpkg|mbtiles)$/.test(file))
  : ['no files'];

test.for(files)('every object of %s is read, written and run again as the same', (file, context) => {
  const schema = readSchemaOf(file, context);
  const copy = openScratch();
  const again = openScratch();
  for (const sql of schema) {
    expect(parseDdl(sql), sql).toMatchObject({ ok: true });
    const statement = aStatement(sql);
    const canonical = canonicalStatement(statement);
    expect(canonicalStatement(aStatement(canonical))).toBe(canonical);
    copy.exec(canonical);
    again.exec(renderStatement(statement));
    if (statement.kind === 'createVirtualTable') continue;
    expectEqual(sql, canonical);
    expectEqual(sql, renderStatement(statement));
  }
  expect(canonicalCatalog(copy)).toEqual(canonicalCatalog(again));
});

test.for(files)('the canonical catalog of %s makes a database with that catalog', (file, context) => {
  const catalog = readSchemaOf(file, context).map((sql) => canonicalStatement(aStatement(sql)));
  const copy = openScratch();
  for (const sql of catalog) copy.exec(sql);
  expect(canonicalCatalog(copy)).toEqual(catalog);
});

function canonicalCatalog(source: Database.Database): readonly string[] {
  return storedSchema(source).map((sql) => canonicalStatement(aStatement(sql)));
}

function readSchemaOf(file: string, context: TestContext): readonly string[] {
  context.skip(!isThere, 'the shared data files are not beside the repository');
  const schema = readSchema(join(folder, file));
  context.skip(schema === undefined, 'SQLite cannot read the schema of the file either');
  return schema ?? [];
}

function expectEqual(left: string, right: string): void {
  expect(compareStatements(left, right)).toMatchObject({ ok: true, value: { equal: true } });
}

function openScratch(): Database.Database {
  const scratch = new Database(':memory:');
  onTestFinished(() => {
    scratch.close();
  });
  return scratch;
}

function readSchema(path: string): readonly string[] | undefined {
  try {
    const source = new Database(readFileSync(path));
    try {
      return storedSchema(source);
    } finally {
      source.close();
    }
  } catch {
    return undefined;
  }
}

/** Without the tables that SQLite or a virtual table makes by itself. */
function storedSchema(source: Database.Database): readonly string[] {
  return source
    .prepare<[], string>(
      `select sql from sqlite_schema where sql is not null and name not like 'sqlite^_%' escape '^'
        and name not in (select name from pragma_table_list where type = 'shadow')
        order by type = 'trigger', type = 'view', rowid`,
    )
    .pluck()
    .all();
}
