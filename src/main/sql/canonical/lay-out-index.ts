import type { IndexDefinition, IndexPart } from '../ast.ts';
import { canonicalExpression } from '../canonical-expression.ts';
import { renderKeyColumn } from './render-table.ts';
import type { Style } from './style.ts';

/** Writes CREATE INDEX on one line. */
export function layOutIndex(index: IndexDefinition, { nameOf }: Style, qualifier = ''): string {
  const unique = index.unique ? 'UNIQUE ' : '';
  const parts = index.parts.map((part) => renderIndexPart(part, nameOf)).join(', ');
  const where = index.where === undefined ? '' : ` WHERE ${canonicalExpression(index.where)}`;
  return `CREATE ${unique}INDEX ${qualifier}${nameOf(index.name)} ON ${nameOf(index.table)} (${parts})${where}`;
}

/** Writes one column or expression of an index, with its collation and direction. */
export function renderIndexPart(part: IndexPart, nameOf: Style['nameOf']): string {
  if (part.kind === 'column') return renderKeyColumn(part, nameOf);
  return `${canonicalExpression(part.expression)}${part.descending ? ' DESC' : ''}`;
}
