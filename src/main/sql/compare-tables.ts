import type { TableDefinition } from './ast.ts';
import { compareDescriptions, type Description, type Facet } from './compare/facet.ts';
import { describeTable } from './compare/describe-table.ts';
import { concludeComparison } from './compare/conclude-comparison.ts';
import type { AppliedRule, Comparison, DifferenceKind } from './comparison.ts';

/**
 * Compares two tables as structures and says what differs, or by which rules what is written differently is the same.
 *
 * Not compared: the order of columns, and the name of a constraint where one side gives none. A constraint on a column
 * equals the same on the table; NOT NULL that SQLite implies equals NOT NULL that was said. Types are compared as
 * text with case and white space evened out: INT is not INTEGER, for one of them can be the rowid.
 */
export function compareTables(left: TableDefinition, right: TableDefinition): Comparison {
  const [leftDescription, rightDescription] = [describeTable(left), describeTable(right)];
  const { differences, rules } = compareDescriptions(leftDescription, rightDescription);
  return concludeComparison(differences, [...rules, ...explainOrder(leftDescription, rightDescription)]);
}

/**
 * Writes what `compareTables` compares as one text, equal for equal tables (but for foreign keys that leave the
 * parent's columns open, and for names of constraints). Made for hashing, not for people.
 *
 * `counts` says which facets do: a fingerprint leaves out what is drift.
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

function explainOrder(left: Description, right: Description): readonly AppliedRule[] {
  const isReordered = (kinds: readonly DifferenceKind[]): boolean => {
    const [leftOrder, rightOrder] = [identities(left, kinds), identities(right, kinds)];
    return shared(leftOrder, rightOrder) !== shared(rightOrder, leftOrder);
  };
  return [
    ...(isReordered(['column']) ? [{ rule: 'columnOrder', subject: '' } as const] : []),
    ...(isReordered(['unique', 'check', 'foreignKey'])
      ? [{ rule: 'constraintOrder', subject: '' } as const]
      : []),
  ];
}

function identities({ facets }: Description, kinds: readonly DifferenceKind[]): readonly string[] {
  return facets
    .filter(({ kind }) => kinds.includes(kind))
    .map(({ kind, key, value }) => JSON.stringify([kind, key, value]));
}

function shared(order: readonly string[], other: readonly string[]): string {
  const others = new Set(other);
  return JSON.stringify(order.filter((identity) => others.has(identity)));
}
