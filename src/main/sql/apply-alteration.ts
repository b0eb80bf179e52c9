import { ok, type Result } from '#shared/result.ts';

import { refuseAlteration, type AlterationError } from './alter/alteration-error.ts';
import { addColumn, changeColumn, renameColumn } from './alter/change-column.ts';
import { alterPrimaryKey, changeConstraint, isConstraintAction } from './alter/change-constraint.ts';
import { dropColumn } from './alter/drop-column.ts';
import type { AlterAction, TableDefinition } from './ast.ts';
import { foldIdentifier, isSameName } from './fold-identifier.ts';
import { isBookkeepingName } from './is-bookkeeping-name.ts';
import { isInternalName } from './is-internal-name.ts';
import { renameInTable } from './rename-in-definition.ts';

export type { AlterationError, AlterationErrorCode } from './alter/alteration-error.ts';

/**
 * Answers with what a table is after an alteration, of SQLite's own or of Concord's dialect, without touching anything.
 *
 * Where SQLite has a statement for it, the outcome is the definition that SQLite would store. What depends on rows or on
 * other objects is not judged, nor what the names in an expression mean.
 *
 * Errors: an `AlterationError` with a sentence for people; see its codes.
 */
export function applyAlteration(
  table: TableDefinition,
  action: AlterAction,
): Result<TableDefinition, AlterationError> {
  if (isConstraintAction(action)) return changeConstraint(table, action);
  switch (action.kind) {
    case 'addColumn':
      return addColumn(table, action.column);
    case 'dropColumn':
      return dropColumn(table, action.column);
    case 'renameColumn':
      return renameColumn(table, action);
    case 'renameTable':
      return renameTable(table, action.newName);
    case 'alterPrimaryKey':
      return alterPrimaryKey(table, action);
    default:
      return changeColumn(table, action);
  }
}

function renameTable(table: TableDefinition, newName: string): Result<TableDefinition, AlterationError> {
  if (isInternalName(newName) || isBookkeepingName(newName)) {
    return refuseAlteration('taken-name', newName, `object name reserved for internal use: ${newName}`);
  }
  if (isSameName(table.name, newName)) {
    const message = `there is already another table or index with this name: ${newName}`;
    return refuseAlteration('taken-name', newName, message);
  }
  const tables = new Map([[foldIdentifier(table.name), newName]]);
  return ok(renameInTable(table, { tables, columns: new Map() }));
}
