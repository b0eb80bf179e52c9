import type { Migration } from '#shared/model/change-group.ts';
import { compareStamps } from '#shared/model/hlc.ts';

import type { CatalogFacts, ColumnStanding, Standing } from '../engine/migration/catalog-facts.ts';
import type { ColumnDefinition, IndexDefinition, TableDefinition } from '../sql/ast.ts';
import { canonicalIndex } from '../sql/canonical-index.ts';
import { canonicalTable } from '../sql/canonical-table.ts';
import { compareIndexes } from '../sql/compare-indexes.ts';
import { compareTables } from '../sql/compare-tables.ts';
import { foldIdentifier, isSameName } from '../sql/fold-identifier.ts';
import { logicalType } from '../sql/logical-type.ts';
import { columnDefinitionOf, indexDefinitionOf, tableDefinitionOf } from './migration-definition.ts';
import { isEqualText } from './recorded-facts.ts';
import { definingMigration, readLineage } from './redefinition-lineage.ts';
import { targetOf } from './redefinition-target.ts';
import type { ReplicaStore } from './replica-store.ts';
import type { TrackedTable } from './table-registry.ts';

/** What the catalog here says of the element of an arriving migration, as gate 2 wants it. */
export function catalogFacts(store: ReplicaStore, migration: Migration): CatalogFacts {
  switch (migration.type) {
    case 'create_table':
      return {
        type: 'create_table',
        object: migration.object,
        standing: tableStanding(store, migration),
        remote: canonicalTable(tableDefinitionOf(migration)),
      };
    case 'create_index':
      return indexFacts(store, migration);
    case 'add_column':
      return columnFacts(store, migration);
    case 'redefine_table': {
      const table = tableOfCreations(store, migration);
      const isEqual = table !== null && isShaped(store, table, targetOf(store, { migration, table }).target);
      return {
        type: 'redefine_table',
        object: migration.object,
        isTablePresent: table !== null,
        isEqual,
        validatesRows: false,
      };
    }
    case 'drop_table':
      return {
        type: 'drop_table',
        object: migration.object,
        isPresent: liveTable(store, migration) !== null,
      };
    case 'drop_index':
      return {
        type: 'drop_index',
        object: migration.object,
        isPresent: store.catalog.read().indexes.has(foldIdentifier(migration.object)),
      };
    default:
      throw new Error(`No facts are read for ${migration.type}.`);
  }
}

/** The live table that a migration is about, by ID. */
export function liveTable(store: ReplicaStore, migration: Migration): TrackedTable | null {
  const table = migration.tableId === null ? null : store.registry.byId(migration.tableId);
  return table?.name === null ? null : table;
}

/** The live table that one of the creations of a redefine_table made here. */
export function tableOfCreations(store: ReplicaStore, migration: Migration): TrackedTable | null {
  for (const creation of migration.redefine?.creations ?? []) {
    const table = store.registry.byId(creation.table);
    if (table !== null && table.name !== null) return table;
  }
  return null;
}

/** Whether this replica never had any of the creations of a redefine_table, not even a dropped one. */
export const isOfUnknownCreations = (store: ReplicaStore, migration: Migration): boolean =>
  (migration.redefine?.creations ?? []).every((creation) => store.registry.byId(creation.table) === null);

/** The definition that a table has now. */
export function currentDefinition(store: ReplicaStore, name: string): TableDefinition | null {
  return store.catalog.read().tables.get(foldIdentifier(name))?.definition ?? null;
}

function tableStanding(store: ReplicaStore, migration: Migration): Standing {
  const catalog = store.catalog.read();
  const key = foldIdentifier(migration.object);
  const here = catalog.tables.get(key);
  if (here === undefined) {
    if (catalog.indexes.has(key)) return { kind: 'otherObject', object: 'index' };
    return catalog.views.has(key) ? { kind: 'otherObject', object: 'view' } : { kind: 'absent' };
  }
  const table = store.registry.byName(migration.object);
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

const isShaped = (store: ReplicaStore, table: TrackedTable, target: TableDefinition): boolean => {
  const current = currentDefinition(store, table.name ?? '');
  return current !== null && compareTables(current, { ...target, name: current.name }).equal;
};

function indexFacts(store: ReplicaStore, migration: Migration): CatalogFacts {
  const wanted = indexDefinitionOf(migration);
  const catalog = store.catalog.read();
  const key = foldIdentifier(migration.object);
  const table = liveTable(store, migration);
  const missing = table === null ? 'table' : hasColumns(table, wanted) ? null : 'column';
  const base = {
    type: 'create_index',
    object: migration.object,
    remote: canonicalIndex(wanted),
    missing,
    isUnique: wanted.unique,
  } as const;
  const here = catalog.indexes.get(key);
  if (here !== undefined) {
    const isEqual = here.definition !== null && compareIndexes(here.definition, wanted).equal;
    return {
      ...base,
      standing: {
        kind: 'sameObject',
        isEqual,
        local: here.definition === null ? here.sql : canonicalIndex(here.definition),
      },
    };
  }
  if (catalog.tables.has(key)) return { ...base, standing: { kind: 'otherObject', object: 'table' } };
  if (catalog.views.has(key)) return { ...base, standing: { kind: 'otherObject', object: 'view' } };
  return { ...base, standing: { kind: 'absent' } };
}

const hasColumns = (table: TrackedTable, index: IndexDefinition): boolean =>
  index.parts.every(
    (part) =>
      part.kind === 'expression' || table.columns.some((column) => isSameName(column.name, part.column)),
  );

function columnFacts(store: ReplicaStore, migration: Migration): CatalogFacts {
  const table = liveTable(store, migration);
  const wanted = columnDefinitionOf(migration);
  const base = {
    type: 'add_column',
    object: table?.name ?? migration.object,
    column: wanted.name,
    isTablePresent: table !== null,
  } as const;
  if (table === null) return { ...base, standing: { kind: 'absent' } };
  return { ...base, standing: columnStanding(store, { table, migration, wanted }) };
}

function columnStanding(
  store: ReplicaStore,
  input: { readonly table: TrackedTable; readonly migration: Migration; readonly wanted: ColumnDefinition },
): ColumnStanding {
  const { table, migration, wanted } = input;
  const definition = currentDefinition(store, table.name ?? '');
  const here = definition?.columns.find((column) => isSameName(column.name, wanted.name));
  if (definition === null || here === undefined) return { kind: 'absent' };
  const added = store.migrations
    .ofElement({ kind: 'table', object: migration.object, element: wanted.name, tbl: table.tbl })
    .at(-1);
  const typedBy = added?.migration ?? definingMigration(store, table.tbl);
  return {
    kind: 'present',
    hasSameLogicalType: logicalType(here, definition) === logicalType(wanted, definition),
    localType: here.type,
    remoteType: wanted.type,
    typedBy: typedBy?.id ?? migration.id,
    isLater: typedBy === null || compareStamps(migration.stamp, typedBy.stamp) > 0,
    laterRegisters: [],
  };
}
