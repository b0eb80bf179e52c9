import type { TableDefinition } from '../sql/ast.ts';
import { foldIdentifier } from '../sql/fold-identifier.ts';
import { takeUpColumns } from './catalog-columns.ts';
import { takeUpIndexes } from './catalog-objects.ts';
import type { FileObject } from './catalog-read.ts';
import { findLostCapture, recaptureTable } from './catalog-recapture.ts';
import { recordCreation, takeUpLostTable, takeUpNewTable } from './catalog-tables.ts';
import type { ReplicaStore } from './replica-store.ts';

/**
 * Brings the record up to the catalog: what SQLite has and the record lacks becomes a migration of this replica.
 *
 * This is how DDL is captured, whoever ran it: Concord calls it right after its own statements, and at each notice for
 * what other programs did. Runs in a write transaction. Costs a look at schema_version when nothing has changed.
 */
export function takeUpSchema(store: ReplicaStore): void {
  const version = store.catalog.schemaVersion();
  if (store.taken.version === version) return;
  const catalog = store.catalog.read();
  const lost = findLostCapture(store);
  for (const table of store.registry.all()) {
    if (table.name !== null && !catalog.tables.has(foldIdentifier(table.name)))
      takeUpLostTable(store, table, table.name);
  }
  for (const [key, object] of catalog.tables) {
    const isKnown = store.registry.byName(object.name) !== null;
    if (object.definition === null || (isKnown && store.taken.textByTable.get(key) === object.sql)) continue;
    takeUpTable(store, object, object.definition);
    store.taken.textByTable.set(key, object.sql);
  }
  for (const entry of lost) recaptureTable(store, entry);
  takeUpIndexes(store, catalog);
  store.taken.schemaChanged = true;
  // Installing capture has moved it on.
  store.taken.version = store.catalog.schemaVersion();
}

function takeUpTable(
  store: ReplicaStore,
  object: FileObject<TableDefinition>,
  definition: TableDefinition,
): void {
  const table = store.registry.byName(object.name);
  if (table === null) takeUpNewTable(store, object.name, definition);
  else takeUpColumns(store, table, definition);
}

/** Records the schema that an application's file had before it was attached. Runs in the attaching transaction. */
export function recordAttachedSchema(store: ReplicaStore): void {
  const catalog = store.catalog.read();
  for (const table of store.registry.all()) {
    if (table.name === null) continue;
    const object = catalog.tables.get(foldIdentifier(table.name));
    if (object === undefined || object.definition === null) continue;
    recordCreation(store, table, object.definition);
    store.taken.textByTable.set(foldIdentifier(table.name), object.sql);
  }
  takeUpIndexes(store, catalog);
}
