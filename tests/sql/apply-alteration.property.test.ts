import fc from 'fast-check';
import { expect, test } from 'vitest';

import { applyAlteration } from '#main/sql/apply-alteration.ts';
import type { AlterAction, TableDefinition } from '#main/sql/ast.ts';
import { canonicalTable } from '#main/sql/canonical-table.ts';
import { nativeAlteration } from '#main/sql/native-alteration.ts';
import { renderCreateTable } from '#main/sql/render-create-table.ts';
import { alteration } from './alteration-arbitrary.ts';
import { table } from './arbitraries.ts';
import { openTableScratch, type TableScratch } from './table-scratch.ts';

const tableAndActions = table.chain((definition) =>
  fc.tuple(fc.constant(definition), fc.array(alteration(definition), { minLength: 1, maxLength: 3 })),
);

test('A07: any table that SQLite has becomes by an alteration what SQLite makes of it', () => {
  const scratch = openTableScratch();
  const seen = { native: 0, rebuilt: 0, refused: 0 };
  fc.assert(
    fc.property(tableAndActions, ([definition, actions]) => {
      let current: TableDefinition = definition;
      fc.pre(scratch.storedAfter(renderCreateTable(current)) !== undefined);
      for (const action of actions) {
        if (stumbles(current, action)) return;
        const { outcome, path } = judge(scratch, current, action);
        seen[path] += 1;
        if (outcome.ok) current = outcome.value;
      }
    }),
    { numRuns: 300 },
  );
  expect(seen.native).toBeGreaterThan(30);
  expect(seen.rebuilt).toBeGreaterThan(30);
  expect(seen.refused).toBeGreaterThan(10);
});

interface Judged {
  readonly outcome: ReturnType<typeof applyAlteration>;
  readonly path: 'native' | 'rebuilt' | 'refused';
}

function judge(scratch: TableScratch, current: TableDefinition, action: AlterAction): Judged {
  const outcome = applyAlteration(current, action);
  const native = nativeAlteration(current, action, { hasRows: false });
  const judged = native === null ? undefined : scratch.storedAfter(renderCreateTable(current), native);
  if (!outcome.ok) {
    expect(judged).toBeUndefined();
    return { outcome, path: 'refused' };
  }
  const rebuilt = scratch.storedAfter(renderCreateTable(outcome.value));
  // What the names in an expression mean is left to SQLite, which refuses it either way.
  if (rebuilt === undefined) expect(judged).toBeUndefined();
  else
    expect({ rebuilt, judged: native === null ? rebuilt : judged }).toEqual(
      same(canonicalTable(outcome.value)),
    );
  return { outcome, path: native === null ? 'rebuilt' : 'native' };
}

function same(text: string): { readonly rebuilt: string; readonly judged: string } {
  return { rebuilt: text, judged: text };
}

/** SQLite 3.54 does not rename a column for which two keys of the table say the same: it takes one for an expression. */
function stumbles({ constraints }: TableDefinition, { kind }: AlterAction): boolean {
  const keys = constraints.filter((one) => one.kind === 'primaryKey' || one.kind === 'unique');
  return kind === 'renameColumn' && keys.length > 1;
}

test('no alteration changes the table that it is given, nor throws', () => {
  fc.assert(
    fc.property(tableAndActions, ([definition, actions]) => {
      const before = JSON.stringify(definition);
      for (const action of actions) applyAlteration(definition, action);
      expect(JSON.stringify(definition)).toBe(before);
    }),
  );
});
