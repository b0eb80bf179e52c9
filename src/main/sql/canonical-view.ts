import type { ViewDefinition } from './ast.ts';
import { canonicalExpression } from './canonical-expression.ts';
import { renderName } from './render-name.ts';

/**
 * Writes the view as CREATE VIEW for people. Not to be run: SQLite names a column without AS after the very text of
 * its expression, so a view is created from its own select.
 */
export function canonicalView(view: ViewDefinition): string {
  const columns = view.columns === undefined ? '' : ` (${view.columns.map(renderName).join(', ')})`;
  return `CREATE VIEW ${renderName(view.name)}${columns} AS\n  ${canonicalExpression(view.select)}`;
}
