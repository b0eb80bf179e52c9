import { canonicalType } from './canonical-type.ts';
import { columnAffinity, type ColumnAffinity } from './column-affinity.ts';

const STRICT_TYPES: ReadonlySet<string> = new Set(['INT', 'INTEGER', 'REAL', 'TEXT', 'BLOB', 'ANY']);

// INT rather than INTEGER: INTEGER alone makes a key the rowid, and what was written did not.
const TYPE_BY_AFFINITY: Readonly<Record<ColumnAffinity, string>> = {
  integer: 'INT',
  text: 'TEXT',
  real: 'REAL',
  blob: 'BLOB',
  numeric: 'ANY',
};

/** Whether a STRICT table takes a type. */
export const isStrictType = (type: string): boolean => STRICT_TYPES.has(canonicalType(type));

/**
 * The type that a column has in a STRICT table which was written for one that is not: its own where STRICT knows it, ANY
 * where it has none or a numeric one, else the one of its affinity.
 */
export function strictType(type: string): string {
  if (isStrictType(type)) return type;
  return canonicalType(type) === '' ? 'ANY' : TYPE_BY_AFFINITY[columnAffinity(type)];
}
