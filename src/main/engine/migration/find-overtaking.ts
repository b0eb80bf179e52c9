import type { Migration } from '#shared/model/change-group.ts';
import type { ColumnId } from '#shared/model/ids.ts';

import type { AlterAction } from '../../sql/ast.ts';
import { isSameName } from '../../sql/fold-identifier.ts';
import { parseDdl } from '../../sql/parse-ddl.ts';
import { knewOf } from './knew-of.ts';
import { registerOf, type ColumnAlteration } from './register.ts';

/**
 * Finds the migration that takes all of the effect of an earlier one of its unit: a drop of what it made or changed, or a
 * later value of the same register. Null where it has an effect once the unit is in. `later`: what was written after it.
 */
export function findOvertaking(migration: Migration, later: readonly Migration[]): Migration | null {
  const takesAway = OVERTAKERS[migration.type];
  return (
    later.find((other) => isDropOfTable(other, migration) || takesAway?.(migration, other, later) === true) ??
    null
  );
}

type Overtakes = (migration: Migration, other: Migration, later: readonly Migration[]) => boolean;

const OVERTAKERS: Partial<Record<Migration['type'], Overtakes>> = {
  create_index: (migration, other) =>
    (other.type === 'drop_index' &&
      isSameName(other.object, migration.object) &&
      knewOf(other, migration.stamp)) ||
    dropsOneOf(other, columnsNamed(migration)),
  alter_column: (migration, other) =>
    dropsOneOf(
      other,
      migration.columns.map(({ id }) => id),
    ) || setsSameRegister(migration, other),
  alter_primary_key: (migration, other) =>
    other.type === 'alter_primary_key' && other.tableId === migration.tableId,
  add_constraint: (migration, other, later) =>
    dropsConstraint(migration, other, later) || dropsOneOf(other, columnsNamed(migration)),
};

const isDropOfTable = (other: Migration, { tableId }: Migration): boolean =>
  other.type === 'drop_table' && tableId !== null && other.tableId === tableId;

/** The columns of its own table that a migration names. */
const columnsNamed = ({ columns, mentions, tableId }: Migration): readonly ColumnId[] => [
  ...columns.map(({ id }) => id),
  ...mentions
    .filter(({ table }) => table === tableId)
    .flatMap((mention) => mention.columns.map(({ id }) => id)),
];

const dropsOneOf = ({ type, columns }: Migration, ids: readonly ColumnId[]): boolean =>
  type === 'drop_column' && columns.some(({ id }) => ids.includes(id));

function setsSameRegister(migration: Migration, other: Migration): boolean {
  const [own, its] = [actionOf(migration), actionOf(other)];
  if (other.type !== 'alter_column' || own === null || its === null) return false;
  return (
    other.columns[0]?.id === migration.columns[0]?.id &&
    registerOf({ alteration: own.kind as ColumnAlteration }) ===
      registerOf({ alteration: its.kind as ColumnAlteration })
  );
}

/** A drop by the name that the constraint has by then. */
function dropsConstraint(migration: Migration, other: Migration, later: readonly Migration[]): boolean {
  const { element, tableId, stamp } = migration;
  if (other.type !== 'drop_constraint' || element === null || other.tableId !== tableId) return false;
  const renames = later.slice(0, later.indexOf(other)).map(actionOf);
  const name = renames.reduce<string>(
    (called, action) =>
      action?.kind === 'renameConstraint' && isSameName(action.name, called) ? action.newName : called,
    element,
  );
  return isSameName(other.element ?? '', name) && knewOf(other, stamp);
}

function actionOf({ ddl }: Migration): AlterAction | null {
  const parsed = parseDdl(ddl);
  return parsed.ok && parsed.value.kind === 'alterTable' ? parsed.value.action : null;
}
