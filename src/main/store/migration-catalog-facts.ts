import type { Migration } from '#shared/model/change-group.ts';

import type { CatalogFacts, ColumnStanding, Standing } from '../engine/migration/catalog-facts.ts';
import type { ColumnDefinition, IndexDefinition, TableDefinition } from '../sql/ast.ts';
import { canonicalIndex } from '../sql/canonical-index.ts';
import { canonicalTable } from '../sql/canonical-table.ts';
import { compareIndexes } from '../sql/compare-indexes.ts';
import { compareTables } from '../sql/compare-tables.ts';
import { foldIdentifier, isSameName } from '../sql/fold-identifier.ts';
import { logicalType } from '../sql/logical-type.ts';
import { parseDdl } from '../sql/parse-ddl.ts';
import { AdmissionRefused } from './admission-refused.ts';
import { creationOf, isEqualText } from './migration-history.ts';
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
        remote: canonicalTable(tableOf(migration)),
      };
    case 'create_index':
      return indexFacts(store, migration);
    case 'add_column':
      return columnFacts(store, migration);
    case 'redefine_table': {
      const table = tableOfCreations(store, migration);
      const isEqual = table !== null && isShaped(store, table, tableOf(migration));
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
  (migration.redefine?.creations ?? []).every((creation) => store.registry.byId(creation.table) === null) &&
  !store.catalog.read().tables.has(foldIdentifier(migration.object));

/** The definition that a create_table or redefine_table carries. */
export function tableOf(migration: Migration): TableDefinition {
  const parsed = parseDdl(migration.ddl);
  if (parsed.ok && parsed.value.kind === 'createTable') return parsed.value.table;
  throw unreadable(migration);
}

/** The definition that a create_index carries. */
export function indexOf(migration: Migration): IndexDefinition {
  const parsed = parseDdl(migration.ddl);
  if (parsed.ok && parsed.value.kind === 'createIndex') return parsed.value.index;
  throw unreadable(migration);
}

/** The column that an add_column carries. */
export function columnOf(migration: Migration): ColumnDefinition {
  const parsed = parseDdl(migration.ddl);
  if (parsed.ok && parsed.value.kind === 'alterTable' && parsed.value.action.kind === 'addColumn')
    return parsed.value.action.column;
  throw unreadable(migration);
}

const unreadable = (migration: Migration): AdmissionRefused =>
  new AdmissionRefused({
    cause: 'refusedStatement',
    object: migration.object,
    kind: migration.kind,
    message: `The ${migration.type} of ${migration.object} carries a statement that cannot be read: ${migration.ddl.slice(0, 200)}`,
  });

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
  const created = table === null ? null : creationOf(store, table.tbl);
  const wanted = tableOf(migration);
  const isEqual =
    (created !== null && isEqualText(created.migration.ddl, migration.ddl)) ||
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
  const wanted = indexOf(migration);
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
  const wanted = columnOf(migration);
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
  const typedBy = added ?? creationOf(store, table.tbl);
  return {
    kind: 'present',
    hasSameLogicalType: logicalType(here, definition) === logicalType(wanted, definition),
    localType: here.type,
    remoteType: wanted.type,
    typedBy: typedBy?.migration.id ?? migration.id,
    isLater: typedBy === null || migration.stamp.hlc > typedBy.migration.stamp.hlc,
    laterRegisters: [],
  };
}
