import type { TableDefinition } from './ast.ts';
import { renderColumn, renderConstraint, type NameRenderer } from './canonical/render-table.ts';
import { renderName } from './render-name.ts';

/**
 * Writes the table as CREATE TABLE for people: one column or constraint a line, keywords in capitals, names quoted
 * only where they must be, in the order of the definition. SQLite reads it as the same table.
 *
 * The text of what is parsed from it is the text itself.
 */
export function canonicalTable(table: TableDefinition): string {
  return layOutTable(table, renderName);
}

/** Lays a table out with names written by `nameOf`. */
export function layOutTable(table: TableDefinition, nameOf: NameRenderer): string {
  const lines = [
    ...table.columns.map((column) => renderColumn(column, nameOf)),
    ...table.constraints.map((constraint) => renderConstraint(constraint, nameOf)),
  ];
  const options = [table.strict ? 'STRICT' : '', table.withoutRowid ? 'WITHOUT ROWID' : ''].filter(Boolean);
  const suffix = options.length === 0 ? '' : ` ${options.join(', ')}`;
  return `CREATE TABLE ${nameOf(table.name)} (\n${lines.map((line) => `  ${line}`).join(',\n')}\n)${suffix}`;
}
