import type { ViewDefinition } from './ast.ts';
import { layOutView } from './canonical/lay-out-view.ts';
import { READABLE } from './canonical/style.ts';

/**
 * Writes the view as CREATE VIEW for people. Not to be run: SQLite names a column without AS after the very text of
 * its expression, and here that is the canonical one.
 */
export function canonicalView(view: ViewDefinition): string {
  return layOutView(view, READABLE);
}
