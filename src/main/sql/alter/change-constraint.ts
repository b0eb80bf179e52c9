import { ok, type Result } from '#shared/result.ts';

import type {
  AlterAction,
  ColumnDefinition,
  ColumnReference,
  ColumnUnique,
  KeyColumn,
  TableConstraint,
  TableDefinition,
} from '../ast.ts';
import { renderConstraint } from '../canonical/render-table.ts';
import { primaryKeyOf } from '../compare/table-keys.ts';
import { identityOfConstraint } from '../constraint-identity.ts';
import { isSameName } from '../fold-identifier.ts';
import { isSameKey } from '../is-same-key.ts';
import { renderName } from '../render-name.ts';
import { noSuchColumn, refuseAlteration, type AlterationError } from './alteration-error.ts';
import { findColumn } from './table-columns.ts';

type Outcome = Result<TableDefinition, AlterationError>;
type Adding = Extract<AlterAction, { readonly kind: 'addConstraint' }>;
type Renaming = Extract<AlterAction, { readonly kind: 'renameConstraint' }>;

type ConstraintAction = Extract<
  AlterAction,
  { kind: 'addConstraint' | 'dropConstraint' | 'dropUnnamedConstraint' | 'renameConstraint' }
>;

/** Whether an action is about a UNIQUE, CHECK or foreign key. */
export const isConstraintAction = (action: AlterAction): action is ConstraintAction =>
  action.kind.endsWith('Constraint');

/** Adds, drops or renames a constraint. */
export function changeConstraint(table: TableDefinition, action: ConstraintAction): Outcome {
  switch (action.kind) {
    case 'addConstraint':
      return addConstraint(table, action);
    case 'dropConstraint':
      return dropConstraint(table, action.name);
    case 'dropUnnamedConstraint':
      return dropUnnamed(table, action.constraint);
    case 'renameConstraint':
      return renameConstraint(table, action);
  }
}

/** Adds a constraint after the last of the table. */
function addConstraint(table: TableDefinition, { constraint }: Adding): Outcome {
  const { name } = constraint;
  if (name !== undefined && constraintNames(table).some((other) => isSameName(other, name))) {
    return refuseTaken(name);
  }
  const missing = columnsOf(constraint).find((column) => findColumn(table, column) === undefined);
  if (missing !== undefined) return noSuchColumn(missing);
  if (constraint.kind === 'foreignKey' && !hasFittingTarget(constraint)) {
    const message =
      'number of columns in foreign key does not match the number of columns in the referenced table';
    return refuseAlteration('unfit-key', name ?? '', message);
  }
  return ok({ ...table, constraints: [...table.constraints, constraint] });
}

/** Takes out every constraint of this name, wherever it was written. The primary key is not dropped, but altered. */
function dropConstraint(table: TableDefinition, name: string): Outcome {
  if (!constraintNames(table).some((other) => isSameName(other, name))) return noSuchConstraint(name);
  const isIt = (one: Named): boolean => one.name !== undefined && isSameName(one.name, name);
  const key = primaryKeyOf(table);
  if (key !== undefined && isIt(key)) {
    return refuseAlteration('unfit-key', name, `cannot drop constraint "${name}": it is the PRIMARY KEY`);
  }
  const without = <T extends Named>(list: readonly T[]): readonly T[] => list.filter((one) => !isIt(one));
  return ok({
    ...table,
    columns: table.columns.map((column) => ({
      ...column,
      notNull: column.notNull !== undefined && isIt(column.notNull) ? undefined : column.notNull,
      uniques: without(column.uniques),
      checks: without(column.checks),
      references: without(column.references),
    })),
    constraints: without(table.constraints),
  });
}

/** Takes out the first constraint without a name that says this, wherever it was written. */
function dropUnnamed(table: TableDefinition, constraint: Adding['constraint']): Outcome {
  const said = identityOfConstraint(constraint, table);
  const out: unknown[] = [];
  const without = <T extends Named>(list: readonly T[], formOf: (one: T) => TableConstraint): readonly T[] =>
    list.filter((one) => {
      if (out.length > 0 || one.name !== undefined) return true;
      const form = formOf(one);
      if (form.kind === 'primaryKey' || identityOfConstraint(form, table) !== said) return true;
      out.push(one);
      return false;
    });
  const changed = {
    ...table,
    columns: table.columns.map((column) => ({
      ...column,
      uniques: without(column.uniques, (unique) => uniqueOf(column, unique)),
      checks: without(column.checks, (check) => ({ kind: 'check', ...check })),
      references: without(column.references, (target) => referenceOf(column, target)),
    })),
    constraints: without(table.constraints, (one) => one),
  };
  return out.length > 0 ? ok(changed) : noSuchConstraint(renderConstraint(constraint, renderName));
}

const uniqueOf = ({ name }: ColumnDefinition, unique: ColumnUnique): TableConstraint => ({
  kind: 'unique',
  ...unique,
  columns: [{ column: name, descending: false }],
});

const referenceOf = ({ name }: ColumnDefinition, target: ColumnReference): TableConstraint => ({
  kind: 'foreignKey',
  columns: [name],
  target,
});

/** Gives every constraint of this name another. */
function renameConstraint(table: TableDefinition, { name, newName }: Renaming): Outcome {
  const names = constraintNames(table);
  if (!names.some((other) => isSameName(other, name))) return noSuchConstraint(name);
  const isTaken = names.some((other) => isSameName(other, newName));
  if (isTaken && !isSameName(name, newName)) return refuseTaken(newName);

  const rename = <T extends Named>(one: T): T =>
    one.name !== undefined && isSameName(one.name, name) ? { ...one, name: newName } : one;
  return ok({
    ...table,
    columns: table.columns.map((column): ColumnDefinition => ({
      ...column,
      notNull: column.notNull === undefined ? undefined : rename(column.notNull),
      primaryKey: column.primaryKey === undefined ? undefined : rename(column.primaryKey),
      uniques: column.uniques.map(rename),
      checks: column.checks.map(rename),
      references: column.references.map(rename),
    })),
    constraints: table.constraints.map(rename),
  });
}

/**
 * Gives the table another primary key, which keeps the name and ON CONFLICT of the old one and stands where it stood.
 * AUTOINCREMENT goes, unless it is asked for. The key that is there already changes nothing.
 */
export function alterPrimaryKey(
  table: TableDefinition,
  { columns, autoincrement = false }: Extract<AlterAction, { kind: 'alterPrimaryKey' }>,
): Outcome {
  const problem = findKeyProblem(table, columns);
  if (problem !== undefined) return problem;
  const old = primaryKeyOf(table);
  const isThere = old !== undefined && isSameKey(old.columns, columns);
  if (isThere && (old.autoincrement || !autoincrement)) return ok(table);

  const key = {
    kind: 'primaryKey',
    columns,
    autoincrement,
    name: old?.name,
    conflict: old?.conflict,
  } as const;
  const at = table.constraints.findIndex(({ kind }) => kind === 'primaryKey');
  return ok({
    ...table,
    columns: table.columns.map((column) => ({ ...column, primaryKey: undefined })),
    constraints: at < 0 ? [key, ...table.constraints] : table.constraints.with(at, key),
  });
}

interface Named {
  readonly name?: string | undefined;
}

/** The names of all constraints of a table and its columns. */
export function constraintNames(table: TableDefinition): readonly string[] {
  const named: readonly (Named | undefined)[] = [
    ...table.columns.flatMap((column) => [
      column.notNull,
      column.primaryKey,
      ...column.uniques,
      ...column.checks,
      ...column.references,
    ]),
    ...table.constraints,
  ];
  return named.flatMap((one) => (one?.name === undefined ? [] : [one.name]));
}

function findKeyProblem(table: TableDefinition, columns: readonly KeyColumn[]): Outcome | undefined {
  for (const [at, { column: name }] of columns.entries()) {
    const column = findColumn(table, name);
    if (column === undefined) return noSuchColumn(name);
    if (column.generated !== undefined) {
      return refuseAlteration('unfit-key', name, 'generated columns cannot be part of the PRIMARY KEY');
    }
    if (columns.slice(0, at).some((earlier) => isSameName(earlier.column, name))) {
      return refuseAlteration('duplicate-column', name, `column "${name}" is twice in the PRIMARY KEY`);
    }
  }
  return undefined;
}

function columnsOf(constraint: Adding['constraint']): readonly string[] {
  if (constraint.kind === 'unique') return constraint.columns.map(({ column }) => column);
  return constraint.kind === 'foreignKey' ? constraint.columns : [];
}

function hasFittingTarget({
  columns,
  target,
}: Extract<Adding['constraint'], { readonly kind: 'foreignKey' }>): boolean {
  return target.columns.length === 0 || target.columns.length === columns.length;
}

function noSuchConstraint(name: string): Outcome {
  return refuseAlteration('no-such-constraint', name, `no such constraint: ${name}`);
}

function refuseTaken(name: string): Outcome {
  return refuseAlteration('duplicate-constraint', name, `constraint ${name} already exists`);
}
