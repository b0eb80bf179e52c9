import type { TableDefinition } from './ast.ts';
import { layOutTable } from './canonical/lay-out-table.ts';
import { READABLE } from './canonical/style.ts';

/**
 * Writes the table as CREATE TABLE for people: one column or constraint a line, keywords in capitals, names quoted
 * only where they must be, in the order of the definition. SQLite reads it as the same table.
 *
 * The text of what is parsed from it is the text itself.
 */
export function canonicalTable(table: TableDefinition): string {
  return layOutTable(table, READABLE);
}
