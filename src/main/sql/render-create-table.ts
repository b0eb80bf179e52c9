import type { TableDefinition } from './ast.ts';
import { layOutTable } from './canonical/lay-out-table.ts';
import { EXECUTABLE } from './canonical/style.ts';

/**
 * Writes CREATE TABLE for SQLite to run, under another name if one is given. Every name of the frame is quoted, so
 * that a later SQLite with a new keyword still reads it.
 */
export function renderCreateTable(table: TableDefinition, options: { readonly name?: string } = {}): string {
  return layOutTable({ ...table, name: options.name ?? table.name }, EXECUTABLE);
}
