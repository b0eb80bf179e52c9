import fc from 'fast-check';
import { expect, test } from 'vitest';

import type { TableDefinition } from '#main/sql/ast.ts';
import { canonicalIndex } from '#main/sql/canonical-index.ts';
import { canonicalStatement } from '#main/sql/canonical-statement.ts';
import { canonicalTable } from '#main/sql/canonical-table.ts';
import { comparableIndex, compareIndexes } from '#main/sql/compare-indexes.ts';
import { comparableTable, compareTables } from '#main/sql/compare-tables.ts';
import type { Comparison } from '#main/sql/comparison.ts';
import { renderCreateTable } from '#main/sql/render-create-table.ts';
import { renderStatement } from '#main/sql/render-statement.ts';
import { index, table } from './arbitraries.ts';
import { CORPUS, DIALECT } from './corpus.ts';
import { anIndex, aStatement, aTable } from './support.ts';

test('the canonical text of a table is that of the table read from it, and says the same', () => {
  fc.assert(
    fc.property(table, (definition) => {
      const text = canonicalTable(definition);
      expect(canonicalTable(aTable(text))).toBe(text);
      expect(compareTables(definition, aTable(text))).toMatchObject({ equal: true });
      expect(compareTables(definition, aTable(renderCreateTable(definition)))).toMatchObject({ equal: true });
      expect(aTable(renderCreateTable(definition, { name: 'other "one"' })).name).toBe('other "one"');
    }),
  );
});

test('the canonical text of an index is that of the index read from it, and says the same', () => {
  fc.assert(
    fc.property(index, (definition) => {
      const text = canonicalIndex(definition);
      expect(canonicalIndex(anIndex(text))).toBe(text);
      expect(compareIndexes(definition, anIndex(text))).toMatchObject({ equal: true });
    }),
  );
});

test.for([...CORPUS.map(({ sql }) => sql), ...DIALECT])(
  'what is written for %s reads as the same statement',
  (sql) => {
    const statement = aStatement(sql);
    const text = canonicalStatement(statement);
    expect(canonicalStatement(aStatement(text))).toBe(text);
    expect(canonicalStatement(aStatement(renderStatement(statement)))).toBe(text);
  },
);

test('comparing is reflexive', () => {
  fc.assert(
    fc.property(table, index, (aDefinition, anotherDefinition) => {
      expect(compareTables(aDefinition, aDefinition)).toEqual({ equal: true, differences: [], rules: [] });
      expect(compareIndexes(anotherDefinition, anotherDefinition)).toEqual({
        equal: true,
        differences: [],
        rules: [],
      });
    }),
  );
});

test('comparing the other way round swaps left and right and nothing else', () => {
  fc.assert(
    fc.property(table, table, (left, right) => {
      expect(outcome(compareTables(left, right))).toEqual(outcome(mirrored(compareTables(right, left))));
    }),
    { numRuns: 500 },
  );
  fc.assert(
    fc.property(index, index, (left, right) => {
      expect(outcome(compareIndexes(left, right))).toEqual(outcome(mirrored(compareIndexes(right, left))));
    }),
  );
});

// Two draws of one table, each with a change of its own, meet far more often than two tables.
const relatives = table.chain((definition) => fc.tuple(variant(definition), variant(definition)));

test('tables are equal exactly when their comparable texts are, apart from names of constraints and open parent keys', () => {
  let equals = 0;
  fc.assert(
    fc.property(relatives, ([left, right]) => {
      const { equal, differences, rules } = compareTables(left, right);
      const isExcepted =
        differences.some(({ kind }) => kind === 'constraintName') ||
        rules.some(({ rule }) => rule === 'impliedParentKey');
      fc.pre(!isExcepted);
      equals += Number(equal);
      expect(comparableTable(left) === comparableTable(right)).toBe(equal);
    }),
    { numRuns: 500 },
  );
  expect(equals).toBeGreaterThan(20);
});

test('indexes are equal exactly when their comparable texts are', () => {
  fc.assert(
    fc.property(index, index, (left, right) => {
      expect(comparableIndex(left) === comparableIndex(right)).toBe(compareIndexes(left, right).equal);
    }),
  );
});

function variant(definition: TableDefinition): fc.Arbitrary<TableDefinition> {
  return fc.oneof(
    fc.constant(definition),
    fc.constant({ ...definition, columns: definition.columns.toReversed() }),
    fc.constant({ ...definition, constraints: definition.constraints.toReversed() }),
    fc.constant({ ...definition, constraints: definition.constraints.slice(1) }),
    fc.constant({ ...definition, strict: !definition.strict }),
    fc.constant({
      ...definition,
      columns: definition.columns.map((one) => ({ ...one, notNull: undefined })),
    }),
    fc.constant({
      ...definition,
      columns: definition.columns.map((one) => ({ ...one, name: one.name.toLowerCase() })),
    }),
  );
}

function mirrored(comparison: Comparison): Comparison {
  const differences = comparison.differences.map((one) => ({ ...one, left: one.right, right: one.left }));
  return { ...comparison, differences };
}

/** Without the names in which one side's spelling stands for both, and without an order among equals. */
function outcome({ equal, differences, rules }: Comparison): unknown {
  const difference = differences.map(({ kind, left, right }) => JSON.stringify([kind, left, right]));
  return { equal, differences: difference.toSorted(), rules: rules.map(({ rule }) => rule).toSorted() };
}
