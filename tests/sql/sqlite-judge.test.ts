import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';

import type { DdlStatement } from '#main/sql/ast.ts';
import { compareStatements } from '#main/sql/compare-statements.ts';
import { canonicalStatement } from '#main/sql/canonical-statement.ts';
import { classifyStatement } from '#main/sql/classify-statement.ts';
import { quoteIdentifier } from '#main/sql/quote-identifier.ts';
import { renderStatement } from '#main/sql/render-statement.ts';
import { BROKEN, CORPUS, CORPUS_SETUP } from './corpus.ts';
import { aStatement } from './support.ts';

// SQLite is the judge of what our reader reads and our writer writes.

const definitions = CORPUS.filter(
  ({ sql }) =>
    /^(?:create|\/\*)/i.test(sql) && !/ (?:AS (?:SELECT|VALUES)|VIRTUAL)/.test(sql.split('(')[0] ?? ''),
);

test.for(CORPUS)('SQLite accepts $title', ({ sql }) => {
  openScratch().exec(sql);
});

test.for(
  BROKEN.filter(([sql]) => sql.trim() !== '' && !/^(?:SELECT|INSERT|EXPLAIN)|;.*SELECT 1$| -- /.test(sql)),
)('SQLite refuses %s', ([sql]) => {
  const scratch = openScratch();
  expect(() => scratch.exec(sql)).toThrow();
});

test.for(definitions)('the text that SQLite stores is an equal definition: $title', ({ sql }) => {
  const scratch = openScratch();
  scratch.exec(sql);
  expect(comparisonOf(sql, storedText(scratch, aStatement(sql)))).toEqual({ differences: [] });
});

test.for(definitions)('SQLite runs the canonical text, which is an equal definition: $title', ({ sql }) => {
  const statement = aStatement(sql);
  for (const text of [canonicalStatement(statement), renderStatement(statement)]) {
    const scratch = openScratch();
    scratch.exec(text);
    expect(comparisonOf(sql, storedText(scratch, statement))).toEqual({ differences: [] });
    expect(shapeOf(scratch)).toEqual(shapeAfter(sql));
  }
});

test.for(CORPUS)('SQLite runs what is written for $title', ({ sql }) => {
  const scratch = openScratch();
  const statement = aStatement(sql);
  scratch.exec(renderStatement(statement));
  expect(shapeOf(scratch)).toEqual(shapeAfter(sql));
  expect(classifyStatement(sql).kind).toBe(
    statement.kind === 'createTableAs' ? 'createTable' : statement.kind,
  );
});

function openScratch(): Database.Database {
  const scratch = new Database(':memory:');
  onTestFinished(() => {
    scratch.close();
  });
  scratch.exec(CORPUS_SETUP);
  return scratch;
}

function storedText(scratch: Database.Database, statement: DdlStatement): string {
  const sql =
    'select sql from (select name, sql from sqlite_schema union all select name, sql from sqlite_temp_schema) where name = ?';
  const row = scratch.prepare<[string], { sql: string }>(sql).get(nameOf(statement));
  if (row === undefined) throw new Error(`SQLite did not create ${nameOf(statement)}`);
  return row.sql;
}

function nameOf(statement: DdlStatement): string {
  switch (statement.kind) {
    case 'createTable':
      return statement.table.name;
    case 'createIndex':
      return statement.index.name;
    case 'createView':
      return statement.view.name;
    case 'createTrigger':
      return statement.trigger.name;
    default:
      throw new Error(`no definition: ${statement.kind}`);
  }
}

function comparisonOf(left: string, right: string): unknown {
  const comparison = compareStatements(left, right);
  return comparison.ok ? { differences: comparison.value.differences } : comparison;
}

function shapeAfter(sql: string): unknown {
  const scratch = openScratch();
  scratch.exec(sql);
  return shapeOf(scratch);
}

/** All that SQLite's pragmas tell of every object; columns of views by name, so texts of expressions count. */
function shapeOf(scratch: Database.Database): unknown {
  const objects = scratch
    .prepare<[], { type: string; name: string; tbl_name: string }>(
      'select type, name, tbl_name from sqlite_schema union all select type, name, tbl_name from sqlite_temp_schema',
    )
    .all();
  return objects.map((object) => {
    const { type, name } = object;
    if (type === 'trigger') return object;
    if (type === 'index') return { ...object, columns: pragma(scratch, 'index_xinfo', name) };
    return {
      ...object,
      columns: pragma(scratch, 'table_xinfo', name).map(withoutSpelling),
      defaults: type === 'table' ? storedDefaults(scratch, name) : undefined,
      indexes: pragma(scratch, 'index_list', name),
      foreignKeys: pragma(scratch, 'foreign_key_list', name),
      flags: pragma(scratch, 'table_list', name),
    };
  });
}

type Row = Readonly<Record<string, unknown>>;

function pragma(scratch: Database.Database, name: string, object: string): readonly Row[] {
  try {
    return scratch.prepare<[string], Row>(`select * from pragma_${name}(?)`).all(object);
  } catch (cause) {
    // A view whose table was dropped has no columns any more.
    return [{ cause: String(cause) }];
  }
}

function withoutSpelling({ type, dflt_value: defaultText, ...row }: Row): Row {
  return { ...row, type: String(type).replaceAll(/\s/g, '').toUpperCase(), hasDefault: defaultText !== null };
}

/** What a row of nothing but defaults holds, where such a row is allowed; of a moment only its type. */
function storedDefaults(scratch: Database.Database, name: string): unknown {
  const table = quoteIdentifier(name);
  const columns = pragma(scratch, 'table_xinfo', name).map((row) => quoteIdentifier(String(row['name'])));
  const values = columns.map((column) => `iif(${column} like '20__-%', 'moment', quote(${column}))`);
  try {
    scratch.exec(`begin; insert into ${table} default values`);
    return scratch
      .prepare(`select ${values.join(', ')} from ${table} order by rowid desc limit 1`)
      .raw()
      .get();
  } catch {
    return undefined;
  } finally {
    if (scratch.inTransaction) scratch.exec('rollback');
  }
}
