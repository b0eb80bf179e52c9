import type { ViewDefinition } from './ast.ts';
import { canonicalExpression, comparableExpression } from './canonical-expression.ts';
import { concludeComparison } from './compare/conclude-comparison.ts';
import { compareDescriptions, describeName, type Description, type Facet } from './compare/facet.ts';
import type { Comparison } from './comparison.ts';
import { foldIdentifier } from './fold-identifier.ts';
import { renderName } from './render-name.ts';

/** Compares two views by their names, columns and selects, and says what differs, or by which rules they are the same. */
export function compareViews(left: ViewDefinition, right: ViewDefinition): Comparison {
  const { differences, rules } = compareDescriptions(describeView(left), describeView(right));
  return concludeComparison(differences, rules);
}

/** Writes what `compareViews` compares as one text, equal for equal views. Made for hashing, not for people. */
export function comparableView(view: ViewDefinition): string {
  return comparableText(describeView(view));
}

/** The facets as one text, in their order. */
export function comparableText({ facets }: Description): string {
  return facets.map(({ kind, key, value }) => JSON.stringify([kind, key, value])).join('\n');
}

function describeView({ name, columns, select }: ViewDefinition): Description {
  const own: Facet = {
    kind: 'select',
    key: '',
    value: comparableExpression(select),
    subject: '',
    text: () => canonicalExpression(select),
    source: select,
  };
  return { facets: [describeName('name', name), ...describeColumns(columns ?? []), own], remarks: [] };
}

/** A list of column names of which the order counts; no facet for none. */
export function describeColumns(columns: readonly string[]): readonly Facet[] {
  if (columns.length === 0) return [];
  const value = JSON.stringify(columns.map(foldIdentifier));
  const text = columns.map(renderName).join(', ');
  return [
    {
      kind: 'columns',
      key: '',
      value,
      subject: '',
      text: () => text,
      source: text,
      spelling: 'identifierCase',
    },
  ];
}
