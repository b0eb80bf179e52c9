import Database from 'better-sqlite3';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';

import type { DdlStatement } from '#main/sql/ast.ts';
import { canonicalStatement } from '#main/sql/canonical-statement.ts';
import { comparableIndex } from '#main/sql/compare-indexes.ts';
import { comparableTable } from '#main/sql/compare-tables.ts';
import { comparableTrigger } from '#main/sql/compare-triggers.ts';
import { comparableView } from '#main/sql/compare-views.ts';
import { parseDdl } from '#main/sql/parse-ddl.ts';
import { renderStatement } from '#main/sql/render-statement.ts';
import { splitStatements } from '#main/sql/split-statements.ts';
import { CORPUS_SETUP } from './corpus.ts';
import { mutatedDdl } from './mutated-ddl.ts';
import { aStatement } from './support.ts';

test('whatever SQLite takes as DDL is read, has one canonical text, and is written so that it does the same', () => {
  const scratch = openScratch();
  let accepted = 0;
  fc.assert(
    fc.property(mutatedDdl, (sql) => {
      const [only, ...others] = splitStatements(sql);
      if (only === undefined || others.length > 0 || !isDdl(only.text)) return;
      const catalog = catalogAfter(scratch, only.text);
      if (catalog === undefined) return;
      accepted += 1;
      expect(parseDdl(only.text)).toMatchObject({ ok: true });
      const statement = aStatement(only.text);
      const canonical = canonicalStatement(statement);
      expect(canonicalStatement(aStatement(canonical))).toBe(canonical);
      expect(canonicalStatement(aStatement(renderStatement(statement)))).toBe(canonical);
      for (const text of [renderStatement(statement), canonical])
        expect(catalogAfter(scratch, text)).toEqual(catalog);
    }),
    { numRuns: 600 },
  );
  // About 110 of 600: enough that the test means something, far from chance.
  expect(accepted).toBeGreaterThan(30);
});

/** To SQLite a text ends at U+0000; to the reader it is none. */
function isDdl(text: string): boolean {
  return /^(?:create|alter|drop)\b/i.test(text) && !text.includes('\0');
}

/** Comparable texts of all objects after the statement, which is taken back; nothing where SQLite refuses it. */
function catalogAfter(scratch: Database.Database, sql: string): readonly string[] | undefined {
  scratch.exec('begin');
  try {
    scratch.prepare(sql).run();
    return scratch
      .prepare<[], string>(
        `select sql from (select sql from sqlite_schema union all select sql from sqlite_temp_schema)
          where sql is not null and sql not like 'create table sqlite%' order by sql`,
      )
      .pluck()
      .all()
      .map((text) => comparableStatement(aStatement(text)))
      .toSorted();
  } catch (cause) {
    if (cause instanceof Error && !cause.message.includes('ddl-syntax')) return undefined;
    throw cause;
  } finally {
    if (scratch.inTransaction) scratch.exec('rollback');
  }
}

function comparableStatement(statement: DdlStatement): string {
  switch (statement.kind) {
    case 'createTable':
      return comparableTable(statement.table);
    case 'createIndex':
      return comparableIndex(statement.index);
    case 'createView':
      return comparableView(statement.view);
    case 'createTrigger':
      return comparableTrigger(statement.trigger);
    default:
      return canonicalStatement(statement);
  }
}

function openScratch(): Database.Database {
  const scratch = new Database(':memory:');
  onTestFinished(() => {
    scratch.close();
  });
  scratch.exec(CORPUS_SETUP);
  return scratch;
}
