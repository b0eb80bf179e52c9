import type { Migration } from '#shared/model/change-group.ts';

import { knewOf } from '../engine/migration/knew-of.ts';
import type { TableDefinition } from '../sql/ast.ts';
import { isSameName } from '../sql/fold-identifier.ts';
import { columnDefinitionOf, tableDefinitionOf } from './migration-definition.ts';
import type { RecordedMigration } from './migration-records.ts';
import type { ReplicaStore } from './replica-store.ts';
import type { TrackedTable } from './table-registry.ts';

/** The shape that a decision gives a table here. */
export interface RedefinitionTarget {
  readonly target: TableDefinition;
  /** The add_column migrations that go on beside it. */
  readonly kept: readonly RecordedMigration[];
}

/**
 * The shape of a decision with the columns that were added without its knowledge: both changes were made at once, and
 * both hold. What the decision knew of and left out is gone.
 */
export function targetOf(
  store: ReplicaStore,
  { migration, table }: { readonly migration: Migration; readonly table: TrackedTable },
): RedefinitionTarget {
  const chosen = tableDefinitionOf(migration);
  const kept = store.migrations
    .ofTable(table.tbl)
    .filter(
      ({ migration: added, verdict }) =>
        added.type === 'add_column' &&
        (verdict === 'executed' || verdict === 'alreadyApplied') &&
        !isAnswered(migration, added),
    );
  const columns = kept.map(({ migration: added }) => columnDefinitionOf(added));
  const distinct = columns.filter(
    (column, place) =>
      !hasColumn(chosen, column.name) &&
      columns.findIndex(({ name }) => isSameName(name, column.name)) === place,
  );
  return { target: { ...chosen, columns: [...chosen.columns, ...distinct] }, kept };
}

/** Whether a decision about a table's shape speaks of a column that was added: it knew of it, or chose between it and another. */
export const isAnswered = (decision: Migration, added: Migration): boolean =>
  knewOf(decision, added.stamp) ||
  (decision.redefine?.creations ?? []).some((creation) => creation.migration === added.id);

/** Whether a table has a column of this name. */
const hasColumn = (definition: TableDefinition, name: string | null): boolean =>
  name !== null && definition.columns.some((column) => isSameName(column.name, name));
