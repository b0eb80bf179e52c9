import type { Mention, Migration } from '#shared/model/change-group.ts';
import { compareStamps } from '#shared/model/hlc.ts';

import { knewOf } from '../engine/migration/knew-of.ts';
import type { AlterAction, DdlStatement } from '../sql/ast.ts';
import { isSameName } from '../sql/fold-identifier.ts';
import { foreignKeysOf } from '../sql/foreign-keys-of.ts';
import { nameAtDrop } from './name-at-drop.ts';
import type { ReplicaStore } from './replica-store.ts';
import type { TrackedTable } from './table-registry.ts';

/**
 * The parents that a statement refers to by a name that no table had at its author, in the form of mentions.
 *
 * SQLite lets such a reference mean whatever table gets the name, and rewrites it when that one is renamed. So here it
 * means the table that was the first to get the name without the author's knowledge, whatever it is called by now: a
 * function of the record, however far the file had come where the table was renamed. One that was dropped under that name
 * left it to the next; one that was dropped under another left that other one in the reference.
 */
export function namedParents(
  store: ReplicaStore,
  migration: Migration,
  statement: DdlStatement,
): readonly Mention[] {
  return namelessIn(migration, statement).flatMap((name) => {
    const table = parentNamed(store, migration, name);
    return table === null ? [] : [{ table: table.id, name, columns: columnsEverNamed(store, table) }];
  });
}

/** Names of parents for which the migration has no ID. */
export function namelessIn({ mentions }: Migration, statement: DdlStatement): readonly string[] {
  const own = statement.kind === 'alterTable' ? statement.table : '';
  const names = parentsIn(statement).filter(
    (name) => !isSameName(name, own) && !mentions.some((mention) => isSameName(mention.name, name)),
  );
  return names.filter((name, at) => names.findIndex((other) => isSameName(other, name)) === at);
}

function parentsIn(statement: DdlStatement): readonly string[] {
  if (statement.kind === 'alterTable') return parentsInAction(statement.action);
  if (statement.kind !== 'createTable') return [];
  const { table } = statement;
  return foreignKeysOf(table)
    .map(({ target }) => target.table)
    .filter((name) => !isSameName(name, table.name));
}

function parentsInAction(action: AlterAction): readonly string[] {
  if (action.kind === 'addColumn') return action.column.references.map(({ table }) => table);
  const isOfConstraint = action.kind === 'addConstraint' || action.kind === 'dropUnnamedConstraint';
  return isOfConstraint && action.constraint.kind === 'foreignKey' ? [action.constraint.target.table] : [];
}

function parentNamed(store: ReplicaStore, migration: Migration, name: string): TrackedTable | null {
  const candidates = store.migrations
    .namings(name)
    .filter((naming) => !knewOf(migration, naming.migration.stamp))
    .sort((left, right) => compareStamps(left.migration.stamp, right.migration.stamp));
  for (const { tbl } of candidates) {
    const table = tbl === null ? null : store.registry.byTbl(tbl);
    if (table !== null && !leavesName(store, table, name)) return table;
  }
  return null;
}

/** Whether a table was dropped under the name: then the next one that gets it is meant. */
const leavesName = (store: ReplicaStore, table: TrackedTable, name: string): boolean =>
  table.name === null && isSameName(nameAtDrop(store, table) ?? name, name);

/** Columns by every name that they came with; of two of one name the first is meant. */
function columnsEverNamed(store: ReplicaStore, table: TrackedTable): Mention['columns'] {
  const named = store.migrations
    .ofTable(table.tbl)
    .map(({ migration }) => migration)
    .sort((left, right) => compareStamps(left.stamp, right.stamp))
    .flatMap(({ type, columns, redefine }) => [
      ...(type === 'create_table' || type === 'add_column' ? columns : []),
      ...(redefine?.columnMap ?? []).flatMap(({ name, ids: [id] }) =>
        id === undefined ? [] : [{ id, name }],
      ),
    ]);
  return named.filter(({ name }, at) => named.findIndex((other) => isSameName(other.name, name)) === at);
}
