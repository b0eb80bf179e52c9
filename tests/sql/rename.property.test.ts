import Database from 'better-sqlite3';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';

import type { DdlStatement } from '#main/sql/ast.ts';
import { canonicalStatement } from '#main/sql/canonical-statement.ts';
import { foldIdentifier } from '#main/sql/fold-identifier.ts';
import { quoteIdentifier } from '#main/sql/quote-identifier.ts';
import { columnChanges, renameInIndex, renameInTable } from '#main/sql/rename-in-definition.ts';
import { COLUMNS, expression } from './expressions.ts';
import { aStatement } from './support.ts';

// SQLite's own RENAME is the judge of which tokens of an expression are the column.

const newName = fc.constantFrom('z', 'order', 'X Y', 'false', 'glob', 'begin', '🎶', "it's");

const list = COLUMNS.map((name) => `${quoteIdentifier(name)} text`).join(', ');

test('A renamed column is renamed in every expression of its table, as SQLite does it', () => {
  const scratch = openScratch();
  let accepted = 0;
  const expressions = fc.record({ check: expression, computed: expression });
  fc.assert(
    fc.property(expressions, fc.constantFrom(...COLUMNS), newName, ({ check, computed }, from, to) => {
      const statements = [
        `create table t (${list}, g as (${computed}), check (${check}), unique ("key", "a"))`,
        `create index i on t ("key", (${computed})) where ${check}`,
      ];
      const rename = `alter table t rename column ${quoteIdentifier(from)} to ${quoteIdentifier(to)}`;
      const judged = renamedBySqlite(scratch, statements, rename);
      fc.pre(judged !== undefined);
      accepted += 1;
      const changes = columnChanges('t', new Map([[foldIdentifier(from), to]]));
      const renamed = statements.map((sql) => canonicalStatement(renameIn(aStatement(sql), changes)));
      expect(renamed).toEqual(judged);
    }),
    { numRuns: 600 },
  );
  expect(accepted).toBeGreaterThan(100);
});

type Changes = Parameters<typeof renameInTable>[1];

function renameIn(statement: DdlStatement, changes: Changes): DdlStatement {
  if (statement.kind === 'createTable')
    return { ...statement, table: renameInTable(statement.table, changes) };
  if (statement.kind === 'createIndex')
    return { ...statement, index: renameInIndex(statement.index, changes) };
  return statement;
}

/** Canonical texts of table and index after the rename; nothing where SQLite refuses one of the statements. */
function renamedBySqlite(
  scratch: Database.Database,
  statements: readonly string[],
  rename: string,
): readonly string[] | undefined {
  scratch.exec('begin');
  try {
    for (const statement of statements) scratch.exec(statement);
    scratch.exec(rename);
    const texts = scratch
      .prepare<[], string>('select sql from sqlite_schema where sql is not null order by rowid')
      .pluck()
      .all();
    return texts.map((text) => canonicalStatement(aStatement(text)));
  } catch {
    return undefined;
  } finally {
    if (scratch.inTransaction) scratch.exec('rollback');
  }
}

function openScratch(): Database.Database {
  const scratch = new Database(':memory:');
  onTestFinished(() => {
    scratch.close();
  });
  return scratch;
}
