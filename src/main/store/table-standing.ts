import type { Migration } from '#shared/model/change-group.ts';

import type { CatalogFacts, RenamedElement, Standing } from '../engine/migration/catalog-facts.ts';
import { canonicalTable } from '../sql/canonical-table.ts';
import { compareTables } from '../sql/compare-tables.ts';
import { foldIdentifier, isSameName } from '../sql/fold-identifier.ts';
import { parseDdl } from '../sql/parse-ddl.ts';
import { isEqualText } from './equal-creations.ts';
import { tableDefinitionOf } from './migration-definition.ts';
import { isRenamed } from './naming-migration.ts';
import { readLineage } from './redefinition-lineage.ts';
import type { ReplicaStore } from './replica-store.ts';
import type { TrackedTable } from './table-registry.ts';

/** What stands under the name that a create_table's table is to have, which is another one where it is renamed in its unit. */
export function tableStanding(store: ReplicaStore, migration: Migration, name: string): Standing {
  const catalog = store.catalog.read();
  const here = catalog.tables.get(foldIdentifier(name));
  if (here === undefined) {
    const other = otherObject(store, name);
    return other === null ? { kind: 'absent' } : { kind: 'otherObject', object: other };
  }
  const table = store.registry.byName(name);
  // Whichever of the two came to the name by a rename, they are no twins.
  const isMoved = !isSameName(name, migration.object) || (table !== null && isRenamed(store, table));
  if (isMoved) return { kind: 'otherObject', object: 'table' };
  const created = table === null ? [] : readLineage(store, table.tbl).creations;
  const wanted = tableDefinitionOf(migration);
  const isEqual =
    created.some((creation) => isEqualText(creation.migration.ddl, migration.ddl)) ||
    (here.definition !== null && compareTables(here.definition, wanted).equal);
  return {
    kind: 'sameObject',
    isEqual,
    local: here.definition === null ? here.sql : canonicalTable(here.definition),
  };
}

/** An index or view of a name. */
function otherObject(store: ReplicaStore, name: string): 'index' | 'view' | null {
  const catalog = store.catalog.read();
  const key = foldIdentifier(name);
  if (catalog.indexes.has(key)) return 'index';
  return catalog.views.has(key) ? 'view' : null;
}

/** What stands of the table that is renamed, and in its way. */
export function renameTableFacts(store: ReplicaStore, migration: Migration): CatalogFacts {
  const found = findRenamed(store, migration);
  const newName = migration.object;
  const table = found.table;
  return {
    type: 'rename_table',
    object: newName,
    element: found.element,
    newName,
    isRenamed: table?.name === newName,
    occupant: occupantOf(store, { name: newName, table }),
    isByName: migration.tableId === null,
  };
}

/** The table that is renamed: by its ID, under whatever name it has here; by its old name where the producer gave no ID. */
function findRenamed(
  store: ReplicaStore,
  migration: Migration,
): { readonly element: RenamedElement; readonly table: TrackedTable | null } {
  if (migration.tableId !== null) {
    const table = store.registry.byId(migration.tableId);
    return typeof table?.name === 'string'
      ? { element: { kind: 'here', name: table.name }, table }
      : { element: { kind: 'absent' }, table: null };
  }
  const from = oldNameOf(migration);
  if (from === null) return { element: { kind: 'unnamed' }, table: null };
  const table = store.registry.byName(from);
  return table === null
    ? { element: { kind: 'absent' }, table }
    : { element: { kind: 'here', name: table.name ?? from }, table };
}

/** The name before, as the statement says it; null where the producer gave the new one alone. */
function oldNameOf({ ddl }: Migration): string | null {
  const parsed = parseDdl(ddl);
  if (!parsed.ok || parsed.value.kind !== 'alterTable') return null;
  return parsed.value.action.kind === 'renameTable' ? parsed.value.table : null;
}

/** Another table, view or index that has a name. */
export function occupantOf(
  store: ReplicaStore,
  wanted: { readonly name: string; readonly table: TrackedTable | null },
): string | null {
  const { name, table } = wanted;
  const here = store.catalog.read().tables.get(foldIdentifier(name));
  if (here !== undefined && !isSameName(here.name, table?.name ?? '')) return `the table ${here.name}`;
  const other = otherObject(store, name);
  return other === null ? null : `the ${other} ${name}`;
}
