import type { Migration } from '#shared/model/change-group.ts';

import type { CatalogFacts } from '../engine/migration/catalog-facts.ts';
import { constraintNames } from '../sql/alter/change-constraint.ts';
import { isSameName } from '../sql/fold-identifier.ts';
import { currentDefinition, liveTable } from './live-table.ts';
import { actionOf } from './migration-definition.ts';
import type { ReplicaStore } from './replica-store.ts';

/** Whether the constraint that is added is there by what the record says. */
export function addConstraintFacts(
  store: ReplicaStore,
  migration: Migration,
  changes: () => boolean,
): CatalogFacts {
  const table = liveTable(store, migration);
  return {
    type: 'add_constraint',
    object: table?.name ?? migration.object,
    isTablePresent: table !== null,
    isPresent: table !== null && !changes(),
  };
}

/** Whether the table has a constraint of the name that is dropped. */
export function dropConstraintFacts(store: ReplicaStore, migration: Migration): boolean {
  return namesHere(store, migration).some((name) => isSameName(name, migration.element ?? ''));
}

/**
 * What stands of the constraint that is renamed, and in its way. Constraints have no IDs. Which one is meant, under whatever name it has here, the record says: it is the one that had the
 * name where the rename was written. `changes`: whether the file would change by it.
 */
export function renameConstraintFacts(
  store: ReplicaStore,
  migration: Migration,
  changes: () => boolean,
): CatalogFacts {
  const action = actionOf(migration);
  const from = action.kind === 'renameConstraint' ? action.name : '';
  const newName = migration.element ?? '';
  const isThere = namesHere(store, migration).some((name) => isSameName(name, newName));
  const isToBeRenamed = changes();
  return {
    type: 'rename_constraint',
    object: liveTable(store, migration)?.name ?? migration.object,
    element: isToBeRenamed || isThere ? { kind: 'here', name: from } : { kind: 'absent' },
    newName,
    isRenamed: !isToBeRenamed && isThere,
    occupant: isThere ? newName : null,
    isByName: true,
  };
}

function namesHere(store: ReplicaStore, migration: Migration): readonly string[] {
  const table = liveTable(store, migration);
  const definition = table === null ? null : currentDefinition(store, table.name ?? '');
  return definition === null ? [] : constraintNames(definition);
}
