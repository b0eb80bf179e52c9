import type { Migration, Redefinition } from '#shared/model/change-group.ts';

import type { FoldedTable } from '../engine/shape/fold-shape.ts';
import type { TableDefinition } from '../sql/ast.ts';
import { foldIdentifier } from '../sql/fold-identifier.ts';
import { renameInTable } from '../sql/rename-in-definition.ts';
import { isAnswered } from './is-answered.ts';
import { tableDefinitionOf } from './migration-definition.ts';
import type { RecordedMigration } from './migration-records.ts';
import type { ReplicaStore } from './replica-store.ts';
import { columnKeyOf, knownIdOf, shapeOf } from './settle-table.ts';
import type { TrackedTable } from './table-registry.ts';

/** The shape that a table has here once a decision about it is recorded. */
export interface RedefinitionTarget {
  /** Under the name that the table has here. */
  readonly target: TableDefinition;
  /** What the decision unifies, with every ID of each column of the target, by the names of the target. */
  readonly redefinition: Redefinition;
  /** The add_column migrations that go on beside it. */
  readonly kept: readonly RecordedMigration[];
}

/**
 * The shape of a decision with what was done to the table without its knowledge: both were done at once, and both hold.
 * What the decision knew of and left out is gone.
 */
export function targetOf(
  store: ReplicaStore,
  decision: { readonly migration: Migration; readonly table: TrackedTable },
): RedefinitionTarget {
  const { migration, table } = decision;
  const folded = shapeOf(store, table, [migration]);
  const redefinition = redefinitionOf(migration);
  const kept = keptBeside(store, decision);
  if (folded === null) return { target: tableDefinitionOf(migration), redefinition, kept };
  const columnMap = folded.columns.map(({ key, name, addedDefault }) => ({
    name,
    ids: idsOf(store, decision, key),
    added: addedDefault ?? null,
  }));
  return { target: underNameHere(folded, table), redefinition: { ...redefinition, columnMap }, kept };
}

/** The name follows by itself, with all that refers to the table. */
const underNameHere = ({ name, definition }: FoldedTable, table: TrackedTable): TableDefinition =>
  renameInTable(definition, {
    tables: new Map([[foldIdentifier(name), table.name ?? name]]),
    columns: new Map(),
  });

function redefinitionOf({ redefine }: Migration): Redefinition {
  if (redefine === null) throw new Error('A redefine_table says nothing of what it unifies.');
  return redefine;
}

function keptBeside(
  store: ReplicaStore,
  { migration, table }: { readonly migration: Migration; readonly table: TrackedTable },
): readonly RecordedMigration[] {
  return store.migrations
    .ofTable(table.tbl)
    .filter(
      ({ migration: added, verdict }) =>
        added.type === 'add_column' &&
        (verdict === 'executed' || verdict === 'alreadyApplied') &&
        !isAnswered(migration, added),
    );
}

/** All IDs that a column of the target has: those that the decision makes one, and those of its adds. */
function idsOf(
  store: ReplicaStore,
  { migration, table }: { readonly migration: Migration; readonly table: TrackedTable },
  key: string,
) {
  const declared = (migration.redefine?.columnMap ?? [])
    .map(({ ids }) => ids)
    .filter((ids) => {
      const known = knownIdOf(store, table, ids);
      return known !== undefined && columnKeyOf(store, table, known) === key;
    });
  const added = store.migrations
    .ofTable(table.tbl)
    .filter(({ migration: { type } }) => type === 'add_column')
    .flatMap(({ migration: { columns } }) => columns.map(({ id }) => id))
    .filter((id) => columnKeyOf(store, table, id) === key);
  return [...new Set([...declared.flat(), ...added])];
}
