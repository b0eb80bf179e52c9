import type { Migration } from '#shared/model/change-group.ts';

import type { CatalogFacts } from '../engine/migration/catalog-facts.ts';
import { knewOf } from '../engine/migration/knew-of.ts';
import type { TableDefinition } from '../sql/ast.ts';
import { canonicalTable } from '../sql/canonical-table.ts';
import { compareTables } from '../sql/compare-tables.ts';
import { addColumnFacts, alterColumnFacts, dropColumnFacts, renameColumnFacts } from './column-facts.ts';
import { addConstraintFacts, dropConstraintFacts, renameConstraintFacts } from './constraint-facts.ts';
import { currentDefinition, liveTable, tablesOfCreations } from './live-table.ts';
import { tableDefinitionOf } from './migration-definition.ts';
import { indexFacts, viewOrTriggerFacts } from './object-facts.ts';
import { livesOf } from './recorded-facts.ts';
import { targetOf } from './redefinition-target.ts';
import type { ReplicaStore } from './replica-store.ts';
import { renameTableFacts, tableStanding } from './table-standing.ts';
import type { TrackedTable } from './table-registry.ts';

/** What is asked of the unit that a migration comes in. */
export interface ArrivingFacts {
  /** Whether the table's file would change if the migration were recorded; asked of alterations alone. */
  readonly changes: () => boolean;
  /** The name that a create_table or add_column makes its element under. */
  readonly name: string;
}

/**
 * What the catalog here says of the element of an arriving migration, as gate 2 wants it.
 */
export function catalogFacts(
  store: ReplicaStore,
  migration: Migration,
  { changes, name }: ArrivingFacts,
): CatalogFacts {
  switch (migration.type) {
    case 'create_table':
      return {
        type: 'create_table',
        object: name,
        standing: tableStanding(store, migration, name),
        remote: canonicalTable(tableDefinitionOf(migration)),
      };
    case 'redefine_table':
      return redefineFacts(store, migration);
    case 'alter_primary_key':
      return {
        type: 'alter_primary_key',
        object: migration.object,
        isTablePresent: liveTable(store, migration) !== null,
        isEqual: !changes(),
        validatesRows: false,
      };
    case 'create_index':
      return indexFacts(store, migration);
    case 'create_view':
    case 'create_trigger':
      return viewOrTriggerFacts(store, migration, migration.type);
    default:
      return alterationFacts(store, migration, { changes, name });
  }
}

function alterationFacts(
  store: ReplicaStore,
  migration: Migration,
  { changes, name }: ArrivingFacts,
): CatalogFacts {
  switch (migration.type) {
    case 'rename_table':
      return renameTableFacts(store, migration);
    case 'add_column':
      return addColumnFacts(store, migration, name);
    case 'rename_column':
      return renameColumnFacts(store, migration);
    case 'alter_column':
      return alterColumnFacts(store, migration, changes);
    case 'add_constraint':
      return addConstraintFacts(store, migration, changes);
    case 'rename_constraint':
      return renameConstraintFacts(store, migration, changes);
    default:
      return dropFacts(store, migration);
  }
}

function dropFacts(store: ReplicaStore, migration: Migration): CatalogFacts {
  switch (migration.type) {
    case 'drop_table':
    case 'drop_column':
    case 'drop_constraint':
    case 'drop_index':
    case 'drop_view':
    case 'drop_trigger':
      return { type: migration.type, object: migration.object, isPresent: isPresent(store, migration) };
    default:
      throw new Error(`No facts are read for ${migration.type} here.`);
  }
}

/** Whether what a drop ends is here. */
function isPresent(store: ReplicaStore, migration: Migration): boolean {
  switch (migration.type) {
    case 'drop_table':
      return liveTable(store, migration) !== null;
    case 'drop_column':
      return dropColumnFacts(store, migration);
    case 'drop_constraint':
      return dropConstraintFacts(store, migration);
    case 'drop_index':
    case 'drop_view':
    case 'drop_trigger':
      return endsStanding(store, migration);
    default:
      throw new Error(`${migration.type} ends nothing.`);
  }
}

/** Whether what stands under the name is what a drop is about, and not another object that has the name by now. */
function endsStanding(store: ReplicaStore, drop: Migration): boolean {
  if (drop.kind === 'table') return false;
  const standing = store.objects.get(drop.kind, drop.object);
  const creation = standing === null ? null : store.migrations.byNumber(standing.migration);
  if (creation === null) return false;
  const life = livesOf(store, drop).find(({ creations }) =>
    creations.some(({ id }) => id === creation.migration.id),
  );
  return life === undefined || life.creations.some(({ stamp }) => knewOf(drop, stamp));
}

function redefineFacts(store: ReplicaStore, migration: Migration): CatalogFacts {
  const [table, ...others] = tablesOfCreations(store, migration);
  // Two tables are not one yet, whatever they look like.
  const isEqual =
    table !== undefined &&
    others.length === 0 &&
    isShaped(store, table, targetOf(store, { migration, table }).target);
  return {
    type: 'redefine_table',
    object: migration.object,
    isTablePresent: table !== undefined,
    isEqual,
    validatesRows: false,
  };
}

const isShaped = (store: ReplicaStore, table: TrackedTable, target: TableDefinition): boolean => {
  const current = currentDefinition(store, table.name ?? '');
  return current !== null && compareTables(current, { ...target, name: current.name }).equal;
};
