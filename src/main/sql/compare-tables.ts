import type { TableDefinition } from './ast.ts';
import { compareDescriptions, type Facet } from './compare/facet.ts';
import { describeTable } from './compare/describe-table.ts';
import { concludeComparison } from './compare/conclude-comparison.ts';
import type { AppliedRule, Comparison } from './comparison.ts';
import { foldIdentifier } from './fold-identifier.ts';

/**
 * Compares two tables as structures and says what differs, or by which rules what is written differently is the same.
 *
 * Not compared: the order of columns, and the name of a constraint where one side gives none. A constraint on a column
 * equals the same on the table; NOT NULL that SQLite implies equals NOT NULL that was said. Types are compared as
 * text with case and white space evened out: INT is not INTEGER, for one of them can be the rowid.
 */
export function compareTables(left: TableDefinition, right: TableDefinition): Comparison {
  const { differences, rules } = compareDescriptions(describeTable(left), describeTable(right));
  return concludeComparison(differences, [...rules, ...explainColumnOrder(left, right)]);
}

/**
 * Writes what `compareTables` compares as one text, equal for equal tables (but for foreign keys that leave the
 * parent's columns open, and for names of constraints). Made for hashing, not for people.
 *
 * `kinds` says which facets count: a fingerprint leaves out what is drift.
 */
export function comparableTable(
  table: TableDefinition,
  counts: (facet: Facet) => boolean = () => true,
): string {
  const lines = describeTable(table)
    .facets.filter(counts)
    .map(({ kind, key, value, parentKey = '' }) => JSON.stringify([kind, key, value, parentKey]));
  return lines.toSorted().join('\n');
}

function explainColumnOrder(left: TableDefinition, right: TableDefinition): readonly AppliedRule[] {
  const names = (table: TableDefinition): readonly string[] =>
    table.columns.map(({ name }) => foldIdentifier(name));
  const [leftNames, rightNames] = [names(left), names(right)];
  const shared = (from: readonly string[], other: readonly string[]): string =>
    JSON.stringify(from.filter((name) => other.includes(name)));
  if (shared(leftNames, rightNames) === shared(rightNames, leftNames)) return [];
  return [{ rule: 'columnOrder', subject: '' }];
}
