import type { Migration } from '#shared/model/change-group.ts';

import type { AlterAction, TableDefinition } from '../sql/ast.ts';
import { compareDefinitions } from '../sql/compare-statements.ts';
import { compareTables } from '../sql/compare-tables.ts';
import { isSameName } from '../sql/fold-identifier.ts';
import { logicalType } from '../sql/logical-type.ts';
import { parseDdl } from '../sql/parse-ddl.ts';

/** Whether two migrations bring the same into being: then, if neither knew of the other, they are twins. */
export function isEqualCreation(
  left: Pick<Migration, 'ddl'>,
  right: Pick<Migration, 'ddl'>,
  options: { readonly laterTypeHolds: boolean },
): boolean {
  if (left.ddl === right.ddl) return true;
  const one = parseDdl(left.ddl);
  const other = parseDdl(right.ddl);
  if (!one.ok || !other.ok) return false;
  if (one.value.kind === 'alterTable' && other.value.kind === 'alterTable')
    return isEqualAddition(one.value.action, other.value.action, options);
  return compareDefinitions(one.value, other.value)?.equal === true;
}

/** Whether two CREATE statements define the same. */
export const isEqualText = (left: string, right: string): boolean =>
  isEqualCreation({ ddl: left }, { ddl: right }, { laterTypeHolds: false });

function isEqualAddition(
  one: AlterAction,
  other: AlterAction,
  { laterTypeHolds }: { readonly laterTypeHolds: boolean },
): boolean {
  if (one.kind === 'addColumn' && other.kind === 'addColumn') {
    return (
      isSameName(one.column.name, other.column.name) &&
      (laterTypeHolds || logicalType(one.column, NOT_STRICT) === logicalType(other.column, NOT_STRICT))
    );
  }
  if (one.kind !== 'addConstraint' || other.kind !== 'addConstraint') return false;
  const [left, right] = [one.constraint, other.constraint];
  if (left.name !== undefined && right.name !== undefined) return isSameName(left.name, right.name);
  return compareTables(around(one), around(other)).equal;
}

// Types of STRICT tables differ where their affinities do.
const NOT_STRICT: Pick<TableDefinition, 'strict'> = { strict: false };

/** A table with nothing but a constraint, to compare two of them by the rules for tables. */
function around({ constraint }: Extract<AlterAction, { kind: 'addConstraint' }>): TableDefinition {
  return {
    name: 't',
    columns: [],
    constraints: [{ ...constraint, name: undefined }],
    strict: false,
    withoutRowid: false,
  };
}
