import type { IndexDefinition, IndexPart } from './ast.ts';
import { canonicalExpression, comparableExpression } from './canonical-expression.ts';
import { renderIndexPart } from './canonical/lay-out-index.ts';
import { concludeComparison } from './compare/conclude-comparison.ts';
import { compareDescriptions, describeName, type Description, type Facet } from './compare/facet.ts';
import type { AppliedRule, Comparison } from './comparison.ts';
import { foldIdentifier } from './fold-identifier.ts';
import { renderName } from './render-name.ts';

/**
 * Compares two indexes part by part and says what differs, or by which rules they are the same.
 *
 * The order of the parts counts. COLLATE BINARY counts as no COLLATE, since the column's own collation is not known here.
 */
export function compareIndexes(left: IndexDefinition, right: IndexDefinition): Comparison {
  const { differences, rules } = compareDescriptions(describeIndex(left), describeIndex(right));
  return concludeComparison(differences, rules);
}

/** Writes what `compareIndexes` compares as one text, equal for equal indexes. Made for hashing, not for people. */
export function comparableIndex(index: IndexDefinition): string {
  return describeIndex(index)
    .facets.map(({ kind, key, value }) => JSON.stringify([kind, key, value]))
    .join('\n');
}

function describeIndex(index: IndexDefinition): Description {
  const parts = index.parts.map(describePart);
  return {
    facets: [
      describeName('name', index.name),
      describeName('table', index.table),
      ...(index.unique
        ? [{ kind: 'unique', key: '', value: '', subject: '', text: () => 'UNIQUE' } as const]
        : []),
      ...parts.map(({ facet }) => facet),
      ...(index.where === undefined ? [] : [describeWhere(index.where)]),
    ],
    remarks: parts.flatMap(({ remarks }) => remarks),
  };
}

interface DescribedPart {
  readonly facet: Facet;
  readonly remarks: readonly AppliedRule[];
}

function describePart(part: IndexPart, at: number): DescribedPart {
  const own = { kind: 'part', key: String(at), subject: String(at + 1) } as const;
  if (part.kind === 'expression') {
    const text = (): string => renderIndexPart(part, renderName);
    const value = JSON.stringify([comparableExpression(part.expression), part.descending]);
    return { facet: { ...own, value, text, source: part.expression }, remarks: [] };
  }
  const isBinary = part.collation !== undefined && foldIdentifier(part.collation) === 'binary';
  const collation = part.collation === undefined || isBinary ? '' : foldIdentifier(part.collation);
  const value = JSON.stringify([foldIdentifier(part.column), collation, part.descending, 'column']);
  const text = (): string => renderIndexPart(part, renderName);
  const remarks = isBinary ? [{ rule: 'impliedCollation', subject: own.subject } as const] : [];
  return { facet: { ...own, value, text, source: part.column, spelling: 'identifierCase' }, remarks };
}

function describeWhere(where: string): Facet {
  const text = (): string => canonicalExpression(where);
  return { kind: 'where', key: '', value: comparableExpression(where), subject: '', text, source: where };
}
