import type { TableDefinition } from '../ast.ts';
import { renderColumn, renderConstraint } from './render-table.ts';
import type { Style } from './style.ts';

/** Writes CREATE TABLE, one column or constraint a line. */
export function layOutTable(table: TableDefinition, { nameOf }: Style, head = 'CREATE TABLE '): string {
  const lines = [
    ...table.columns.map((column) => renderColumn(column, nameOf)),
    ...table.constraints.map((constraint) => renderConstraint(constraint, nameOf)),
  ];
  const options = [table.strict ? 'STRICT' : '', table.withoutRowid ? 'WITHOUT ROWID' : ''].filter(Boolean);
  const suffix = options.length === 0 ? '' : ` ${options.join(', ')}`;
  return `${head}${nameOf(table.name)} (\n${lines.map((line) => `  ${line}`).join(',\n')}\n)${suffix}`;
}
