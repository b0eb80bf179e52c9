import type { IndexDefinition } from './ast.ts';
import { layOutIndex } from './canonical/lay-out-index.ts';
import { READABLE } from './canonical/style.ts';

/** Writes the index as CREATE INDEX for people, on one line. The text of what is parsed from it is the text itself. */
export function canonicalIndex(index: IndexDefinition): string {
  return layOutIndex(index, READABLE);
}
