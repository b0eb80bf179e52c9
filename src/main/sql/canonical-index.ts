import type { IndexDefinition, IndexPart } from './ast.ts';
import { canonicalExpression } from './canonical-expression.ts';
import { renderKeyColumn } from './canonical/render-table.ts';
import { renderName } from './render-name.ts';

/** Writes the index as CREATE INDEX for people, on one line. The text of what is parsed from it is the text itself. */
export function canonicalIndex(index: IndexDefinition): string {
  const unique = index.unique ? 'UNIQUE ' : '';
  const parts = index.parts.map(renderPart).join(', ');
  const where = index.where === undefined ? '' : ` WHERE ${canonicalExpression(index.where)}`;
  return `CREATE ${unique}INDEX ${renderName(index.name)} ON ${renderName(index.table)} (${parts})${where}`;
}

function renderPart(part: IndexPart): string {
  if (part.kind === 'column') return renderKeyColumn(part, renderName);
  return `${canonicalExpression(part.expression)}${part.descending ? ' DESC' : ''}`;
}
