import type { ViewDefinition } from '../ast.ts';
import type { Style } from './style.ts';

/** Writes CREATE VIEW, the select on a line of its own. */
export function layOutView(view: ViewDefinition, { nameOf, selectOf }: Style, head = 'CREATE VIEW '): string {
  const columns = view.columns === undefined ? '' : ` (${view.columns.map(nameOf).join(', ')})`;
  return `${head}${nameOf(view.name)}${columns} AS\n  ${selectOf(view.select)}`;
}
