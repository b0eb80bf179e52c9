import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';

import { applyAlteration } from '#main/sql/apply-alteration.ts';
import type { AlterAction, TableDefinition } from '#main/sql/ast.ts';
import { canonicalTable } from '#main/sql/canonical-table.ts';
import { nativeAlteration } from '#main/sql/native-alteration.ts';
import { renderCreateTable } from '#main/sql/render-create-table.ts';
import { ALTERATIONS, ODD_ALTERATIONS, ODD_TABLES, TABLES } from './alteration-tables.ts';
import { aStatement, aTable } from './support.ts';

// SQLite is the judge: what it makes of a table by its own ALTER TABLE is what the pure function must answer with.

const cases: readonly (readonly [table: string, alterations: readonly string[]])[] = [
  ...TABLES.map((table) => [table, ALTERATIONS] as const),
  ...ODD_TABLES.map((table, at) => [table, ODD_ALTERATIONS[at] ?? []] as const),
];

test.for(cases)('A07: alterations make of %s what SQLite makes of it', ([create, alterations]) => {
  for (const alteration of alterations) {
    const action = anAction(alteration);
    const { ours, judged } = bothOutcomes(create, action);
    expect.soft({ alteration, outcome: ours }).toEqual({ alteration, outcome: judged });
  }
});

/** What comes out as canonical text, or that nothing does. Where SQLite has no statement, the text that it is rebuilt with. */
function bothOutcomes(
  create: string,
  action: AlterAction,
): { readonly ours: string; readonly judged: string } {
  const table = aTable(create);
  const outcome = applyAlteration(table, action);
  const ours = outcome.ok ? canonicalTable(outcome.value) : REFUSED;
  const native = nativeAlteration(table, action, { hasRows: false });
  if (native !== null) return { ours, judged: storedAfter(create, native) };
  return { ours, judged: outcome.ok ? storedAfter(renderCreateTable(outcome.value)) : REFUSED };
}

const REFUSED = 'refused';

function anAction(sql: string): AlterAction {
  const statement = aStatement(sql);
  if (statement.kind !== 'alterTable') throw new Error(`no alteration: ${sql}`);
  return statement.action;
}

/** The only table that SQLite has after the statements, in the canonical form of what it says itself. */
function storedAfter(...statements: readonly string[]): string {
  const scratch = new Database(':memory:');
  onTestFinished(() => {
    scratch.close();
  });
  try {
    for (const statement of statements) scratch.exec(statement);
  } catch {
    return REFUSED;
  }
  return canonicalTable(readOnlyTable(scratch));
}

function readOnlyTable(scratch: Database.Database): TableDefinition {
  const sql = scratch
    .prepare(`select sql from sqlite_schema where type = 'table' and name not like 'sqlite^_%' escape '^'`)
    .pluck()
    .get();
  return aTable(String(sql));
}
