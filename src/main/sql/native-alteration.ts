import type { AlterAction, ColumnDefinition, TableDefinition } from './ast.ts';
import { constraintNames } from './alter/change-constraint.ts';
import { findColumn } from './alter/table-columns.ts';
import { comparableDefault } from './comparable-default.ts';
import { isSameName } from './fold-identifier.ts';
import { renderStatement } from './render-statement.ts';

/**
 * The statement that brings an alteration about in SQLite 3.54 without a rebuild; null where there is none, or where it
 * would not do the same.
 *
 * `hasRows` says whether the table may have rows: an empty one gets columns that SQLite could not fill. Indexes, triggers
 * and views that name a dropped column are in its way and not known here; SQLite refuses then, before it changes anything.
 */
export function nativeAlteration(
  table: TableDefinition,
  action: AlterAction,
  { hasRows }: { readonly hasRows: boolean },
): string | null {
  if (!isNative(table, action, hasRows)) return null;
  return renderStatement({ kind: 'alterTable', table: table.name, action });
}

function isNative(table: TableDefinition, action: AlterAction, hasRows: boolean): boolean {
  switch (action.kind) {
    case 'renameColumn':
    case 'renameTable':
      return true;
    case 'addColumn':
      return canAddColumn(action.column, hasRows);
    case 'dropColumn':
      return canDropColumn(table, action.column);
    case 'setNotNull':
    case 'dropNotNull':
      return true;
    case 'addConstraint':
      return action.constraint.kind === 'check';
    case 'dropConstraint':
      return isCheckOrNotNull(table, action.name);
    default:
      return false;
  }
}

function canAddColumn(column: ColumnDefinition, hasRows: boolean): boolean {
  const { generated, primaryKey, uniques } = column;
  if (primaryKey !== undefined || uniques.length > 0 || generated?.stored === true) return false;
  return generated !== undefined || !hasRows || canFillColumn(column);
}

function canFillColumn({ notNull, defaultText, references }: ColumnDefinition): boolean {
  const value = comparableDefault(defaultText);
  // SQLite forbids it where foreign keys are enforced; whether they are is not known here.
  if (references.length > 0 && value !== undefined) return false;
  return isConstant(defaultText) && (notNull === undefined || value !== undefined);
}

function isConstant(defaultText: string | undefined): boolean {
  return defaultText === undefined || !/^\(|^current_(?:date|time|timestamp)$/i.test(defaultText);
}

function canDropColumn(table: TableDefinition, name: string): boolean {
  const column = findColumn(table, name);
  if (column === undefined || column.uniques.length > 0 || column.references.length > 0) return false;
  return !table.constraints.some(
    (constraint) =>
      (constraint.kind === 'unique' && constraint.columns.some((part) => isSameName(part.column, name))) ||
      (constraint.kind === 'foreignKey' && namesColumn(table, constraint, name)),
  );
}

type ForeignKey = Extract<TableDefinition['constraints'][number], { readonly kind: 'foreignKey' }>;

function namesColumn(table: TableDefinition, { columns, target }: ForeignKey, name: string): boolean {
  const isSelf = isSameName(target.table, table.name);
  return [...columns, ...(isSelf ? target.columns : [])].some((column) => isSameName(column, name));
}

/** SQLite drops CHECKs and NOT NULLs by their names, one at a time. */
function isCheckOrNotNull(table: TableDefinition, name: string): boolean {
  const isIt = (one: { readonly name?: string | undefined } | undefined): boolean =>
    one?.name !== undefined && isSameName(one.name, name);
  if (constraintNames(table).filter((other) => isSameName(other, name)).length !== 1) return false;
  return (
    table.columns.some(({ notNull, checks }) => isIt(notNull) || checks.some(isIt)) ||
    table.constraints.some((constraint) => constraint.kind === 'check' && isIt(constraint))
  );
}
