import { ok, type Result } from '#shared/result.ts';

import type { TableDefinition } from '../ast.ts';
import { canonicalType } from '../canonical-type.ts';
import { primaryKeyOf } from '../compare/table-keys.ts';
import { isSameName } from '../fold-identifier.ts';
import { isStrictType } from '../strict-type.ts';
import { refuseAlteration, type AlterationError } from './alteration-error.ts';
import { findColumn } from './table-columns.ts';

/** Hands the table back if the type of one of its columns can stand there: in a STRICT table few can. */
export function checkType(table: TableDefinition, name: string): Result<TableDefinition, AlterationError> {
  const { type } = findColumn(table, name) ?? { type: '' };
  if (table.strict && canonicalType(type) === '') {
    return refuseAlteration('unfit-type', name, `missing datatype for ${table.name}.${name}`);
  }
  if (table.strict && !isStrictType(type)) {
    return refuseAlteration('unfit-type', name, `unknown datatype for ${table.name}.${name}: "${type}"`);
  }
  if (isCounted(table, name) && canonicalType(type) !== 'INTEGER') {
    return refuseAlteration('unfit-type', name, 'AUTOINCREMENT is only allowed on an INTEGER PRIMARY KEY');
  }
  return ok(table);
}

function isCounted(table: TableDefinition, name: string): boolean {
  const key = primaryKeyOf(table);
  return key?.autoincrement === true && key.columns.some(({ column }) => isSameName(column, name));
}
