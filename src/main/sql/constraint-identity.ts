import { present } from '#shared/assert.ts';

import type { TableConstraint, TableDefinition } from './ast.ts';
import { describeConstraints } from './compare/describe-constraints.ts';

/**
 * What a constraint of a table says, wherever it was written and whatever it is called: equal exactly for those that
 * `compareTables` takes as equal. That the primary key says it too is no reason to leave it out, for the key may change.
 */
export function identityOfConstraint(
  constraint: Exclude<TableConstraint, { readonly kind: 'primaryKey' }>,
  table: TableDefinition,
): string {
  const columns = table.columns.map(({ name, type, collation }) => ({
    name,
    type,
    collation,
    uniques: [],
    checks: [],
    references: [],
  }));
  const { facets } = describeConstraints({ ...table, columns, constraints: [constraint] });
  const { kind, key, value, parentKey = '' } = present(facets[0], 'a constraint says something');
  return JSON.stringify([kind, key, value, parentKey]);
}
