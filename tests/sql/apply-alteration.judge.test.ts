import { expect, test } from 'vitest';

import { applyAlteration } from '#main/sql/apply-alteration.ts';
import type { AlterAction } from '#main/sql/ast.ts';
import { canonicalTable } from '#main/sql/canonical-table.ts';
import { nativeAlteration } from '#main/sql/native-alteration.ts';
import { renderCreateTable } from '#main/sql/render-create-table.ts';
import { ALTERATIONS, ODD_ALTERATIONS, ODD_TABLES, TABLES } from './alteration-tables.ts';
import { aStatement, aTable } from './support.ts';
import { openTableScratch, type TableScratch } from './table-scratch.ts';

// SQLite is the judge: what it makes of a table by its own ALTER TABLE is what the pure function must answer with.

const cases: readonly (readonly [table: string, alterations: readonly string[]])[] = [
  ...TABLES.map((table) => [table, ALTERATIONS] as const),
  ...ODD_TABLES.map((table, at) => [table, ODD_ALTERATIONS[at] ?? []] as const),
];

test.for(cases)('A07: alterations make of %s what SQLite makes of it', ([create, alterations]) => {
  const scratch = openTableScratch();
  for (const alteration of alterations) {
    const { ours, judged } = bothOutcomes(scratch, create, anAction(alteration));
    expect.soft({ alteration, outcome: ours }).toEqual({ alteration, outcome: judged });
  }
});

/** What comes out as canonical text, or that nothing does. Where SQLite has no statement, the text that it is rebuilt with. */
function bothOutcomes(scratch: TableScratch, create: string, action: AlterAction): Outcomes {
  const table = aTable(create);
  const outcome = applyAlteration(table, action);
  const ours = outcome.ok ? canonicalTable(outcome.value) : undefined;
  const native = nativeAlteration(table, action, { hasRows: false });
  if (native !== null) return { ours, judged: scratch.storedAfter(create, native) };
  return { ours, judged: outcome.ok ? scratch.storedAfter(renderCreateTable(outcome.value)) : undefined };
}

interface Outcomes {
  readonly ours: string | undefined;
  readonly judged: string | undefined;
}

function anAction(sql: string): AlterAction {
  const statement = aStatement(sql);
  if (statement.kind !== 'alterTable') throw new Error(`no alteration: ${sql}`);
  return statement.action;
}
