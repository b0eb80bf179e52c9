import type { ColumnDefinition, TableDefinition } from './ast.ts';
import { canonicalType } from './canonical-type.ts';
import { columnAffinity } from './column-affinity.ts';

/**
 * What two peers must agree on for a column to be the same: in a STRICT table its type, elsewhere its affinity.
 *
 * `INT` and `INTEGER` are one in both, since STRICT treats them alike.
 */
export function logicalType(column: ColumnDefinition, table: Pick<TableDefinition, 'strict'>): string {
  if (!table.strict) return columnAffinity(column.type);
  const type = canonicalType(column.type).toLowerCase();
  return type === 'int' ? 'integer' : type;
}
