import type { ColumnDefinition, TableDefinition } from '../ast.ts';
import { isSameName } from '../fold-identifier.ts';

/** Finds a column as SQLite does: A to Z in any case. */
export function findColumn(table: TableDefinition, name: string): ColumnDefinition | undefined {
  return table.columns.find((column) => isSameName(column.name, name));
}

/** Puts a changed column in the place of the one of this name, and leaves the rest. */
export function replaceColumn(
  table: TableDefinition,
  name: string,
  change: (column: ColumnDefinition) => ColumnDefinition,
): TableDefinition {
  const columns = table.columns.map((column) => (isSameName(column.name, name) ? change(column) : column));
  return { ...table, columns };
}
