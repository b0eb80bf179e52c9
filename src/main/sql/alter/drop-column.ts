import { ok, type Result } from '#shared/result.ts';

import type { ColumnDefinition, ForeignKeyTarget, TableConstraint, TableDefinition } from '../ast.ts';
import { primaryKeyOf } from '../compare/table-keys.ts';
import { columnsNamed } from '../expression-names.ts';
import { foldIdentifier, isSameName } from '../fold-identifier.ts';
import { noSuchColumn, refuseAlteration, type AlterationError } from './alteration-error.ts';
import { findColumn } from './table-columns.ts';

/**
 * Takes a column out of a table, with the constraints that were written on it, and with the UNIQUEs and foreign keys
 * without a name that are made of it. What else needs the column must go before.
 */
export function dropColumn(table: TableDefinition, name: string): Result<TableDefinition, AlterationError> {
  const column = findColumn(table, name);
  if (column === undefined) return noSuchColumn(name);
  if (primaryKeyOf(table)?.columns.some((part) => isSameName(part.column, name)) === true) {
    return refuseAlteration('key-column', name, `cannot drop PRIMARY KEY column: "${name}"`);
  }
  const others = table.columns.filter((other) => other !== column);
  if (others.every(({ generated }) => generated !== undefined)) {
    return refuseAlteration('last-column', name, `cannot drop column "${name}": no other columns exist`);
  }
  const user = findUser(table, name);
  if (user !== undefined) {
    return refuseAlteration('column-in-use', name, `cannot drop column "${name}": ${user} needs it`);
  }
  return ok({
    ...table,
    columns: others.map((other) => ({
      ...other,
      references: other.references.filter((target) => !isParentColumn(table, target, name)),
    })),
    constraints: table.constraints.filter((constraint) => !isMadeOf(table, constraint, name)),
  });
}

/** What would be broken without the column, in words. */
function findUser(table: TableDefinition, name: string): string | undefined {
  const others = table.columns.filter((other) => !isSameName(other.name, name));
  const users: readonly (string | undefined)[] = [
    ...others.map((other) => findUserInColumn(table, other, name)),
    ...table.constraints.map((constraint) => describeUser(table, constraint, name)),
  ];
  return users.find((user) => user !== undefined);
}

function findUserInColumn(table: TableDefinition, other: ColumnDefinition, name: string): string | undefined {
  if (needs(other.generated?.expression, name)) return `generated column "${other.name}"`;
  const check = other.checks.find(({ expression }) => needs(expression, name));
  if (check !== undefined) return describeCheck(check);
  const reference = other.references.find((target) => isParentColumn(table, target, name));
  return reference?.name === undefined ? undefined : `constraint "${reference.name}"`;
}

function describeUser(table: TableDefinition, constraint: TableConstraint, name: string): string | undefined {
  if (constraint.kind === 'check') {
    return needs(constraint.expression, name) ? describeCheck(constraint) : undefined;
  }
  if (constraint.name === undefined || !isMadeOf(table, constraint, name)) return undefined;
  return `constraint "${constraint.name}"`;
}

function describeCheck(check: { readonly name?: string | undefined; readonly expression: string }): string {
  return check.name === undefined ? `CHECK (${check.expression})` : `constraint "${check.name}"`;
}

function needs(expression: string | undefined, name: string): boolean {
  return expression !== undefined && columnsNamed(expression).has(foldIdentifier(name));
}

function isMadeOf(table: TableDefinition, constraint: TableConstraint, name: string): boolean {
  switch (constraint.kind) {
    case 'primaryKey':
    case 'unique':
      return constraint.columns.some(({ column }) => isSameName(column, name));
    case 'foreignKey':
      return (
        constraint.columns.some((column) => isSameName(column, name)) ||
        isParentColumn(table, constraint.target, name)
      );
    case 'check':
      return false;
  }
}

function isParentColumn(table: TableDefinition, target: ForeignKeyTarget, name: string): boolean {
  return isSameName(target.table, table.name) && target.columns.some((column) => isSameName(column, name));
}
