import type { ColumnDefinition, TableDefinition } from './ast.ts';
import { canonicalType } from './canonical-type.ts';
import { columnAffinity } from './column-affinity.ts';
import { strictType } from './strict-type.ts';

/**
 * What two peers must agree on for a column to be the same: in a STRICT table its type, elsewhere its affinity.
 *
 * `INT` and `INTEGER` are one in both, since STRICT treats them alike. What was written for a table that is not STRICT counts
 * as what it becomes in one.
 */
export function logicalType(column: ColumnDefinition, table: Pick<TableDefinition, 'strict'>): string {
  if (!table.strict) return columnAffinity(column.type);
  const type = canonicalType(strictType(column.type)).toLowerCase();
  return type === 'int' ? 'integer' : type;
}
