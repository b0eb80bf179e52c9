import Database from 'better-sqlite3';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';

import { canonicalExpression } from '#main/sql/canonical-expression.ts';
import { quoteIdentifier } from '#main/sql/quote-identifier.ts';
import { COLUMNS, expression } from './expressions.ts';

test('The canonical text of an expression is worth what the expression is worth, in every row', () => {
  const scratch = openScratch();
  let accepted = 0;
  fc.assert(
    fc.property(expression, (text) => {
      const worth = evaluate(scratch, text);
      fc.pre(!(worth instanceof Error));
      accepted += 1;
      expect(evaluate(scratch, canonicalExpression(text))).toEqual(worth);
    }),
    { numRuns: 1000 },
  );
  expect(accepted).toBeGreaterThan(500);
});

/** A table with rows in which no two columns are alike, and in which some are NULL. */
function openScratch(): Database.Database {
  const scratch = new Database(':memory:');
  onTestFinished(() => {
    scratch.close();
  });
  scratch.exec(`create table t (${COLUMNS.map((name) => quoteIdentifier(name)).join(', ')})`);
  const insert = scratch.prepare(`insert into t values (${COLUMNS.map(() => '?').join(', ')})`);
  for (let row = 0; row < 12; row += 1) {
    insert.run(
      COLUMNS.map((name, at) => [null, 0, 1, row - at, `${name}${row}`, 'a', -0.5][(row * 5 + at * 3) % 7]),
    );
  }
  return scratch;
}

function evaluate(scratch: Database.Database, text: string): unknown {
  try {
    return scratch.prepare(`select quote(${text}\n) from t order by rowid`).pluck().all();
  } catch (cause) {
    return cause instanceof Error ? cause : new Error(String(cause));
  }
}
