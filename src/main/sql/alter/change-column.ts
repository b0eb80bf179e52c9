import { ok, type Result } from '#shared/result.ts';

import type { AlterAction, ColumnDefinition, TableDefinition } from '../ast.ts';
import { foldIdentifier, isSameName } from '../fold-identifier.ts';
import { columnChanges, renameInTable } from '../rename-in-definition.ts';
import { noSuchColumn, refuseAlteration, type AlterationError } from './alteration-error.ts';
import { checkType } from './check-type.ts';
import { findColumn, replaceColumn } from './table-columns.ts';

/** Adds a column after the last. */
export function addColumn(
  table: TableDefinition,
  column: ColumnDefinition,
): Result<TableDefinition, AlterationError> {
  const { name, generated, defaultText, primaryKey } = column;
  if (findColumn(table, name) !== undefined) {
    return refuseAlteration('duplicate-column', name, `duplicate column name: ${name}`);
  }
  if (primaryKey !== undefined) {
    return refuseAlteration('key-column', name, 'Cannot add a PRIMARY KEY column');
  }
  if (generated !== undefined && defaultText !== undefined) return refuseDefault(name);
  return checkType({ ...table, columns: [...table.columns, column] }, name);
}

/** Renames a column, also where CHECKs, generated columns, keys and foreign keys of the table name it. */
export function renameColumn(
  table: TableDefinition,
  { column, newName }: Extract<AlterAction, { readonly kind: 'renameColumn' }>,
): Result<TableDefinition, AlterationError> {
  if (findColumn(table, column) === undefined) return noSuchColumn(column);
  const other = findColumn(table, newName);
  if (other !== undefined && !isSameName(column, newName)) {
    return refuseAlteration('duplicate-column', newName, `duplicate column name: ${newName}`);
  }
  return ok(renameInTable(table, columnChanges(table.name, new Map([[foldIdentifier(column), newName]]))));
}

export type ColumnAlteration = Extract<
  AlterAction,
  { kind: 'setDataType' | 'setNotNull' | 'dropNotNull' | 'setDefault' | 'dropDefault' | 'setCollation' }
>;

/** Changes what a column is, but for its name. */
export function changeColumn(
  table: TableDefinition,
  action: ColumnAlteration,
): Result<TableDefinition, AlterationError> {
  const column = findColumn(table, action.column);
  if (column === undefined) return noSuchColumn(action.column);
  if (action.kind === 'setDefault' && column.generated !== undefined) return refuseDefault(column.name);
  const changed = replaceColumn(table, column.name, (one) => ({ ...one, ...changeOf(action) }));
  return action.kind === 'setDataType' ? checkType(changed, column.name) : ok(changed);
}

function changeOf(action: ColumnAlteration): Partial<ColumnDefinition> {
  switch (action.kind) {
    case 'setDataType':
      return { type: action.type };
    case 'setNotNull':
      return { notNull: { conflict: action.conflict } };
    case 'dropNotNull':
      return { notNull: undefined };
    case 'setDefault':
      return { defaultText: action.defaultText };
    case 'dropDefault':
      return { defaultText: undefined };
    case 'setCollation':
      return { collation: action.collation };
  }
}

function refuseDefault(column: string): Result<TableDefinition, AlterationError> {
  return refuseAlteration('unfit-default', column, 'cannot use DEFAULT on a generated column');
}
