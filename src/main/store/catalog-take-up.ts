import { foldIdentifier } from '../sql/fold-identifier.ts';
import { alteredTables, takeUpAltered } from './catalog-altered.ts';
import { readCaptured } from './catalog-captured.ts';
import { nameChanges } from './catalog-names.ts';
import { recordAttachedObjects, takeUpObjects } from './catalog-objects.ts';
import { findStandings } from './catalog-standing.ts';
import { takeUpTableNames } from './catalog-table-names.ts';
import {
  findMadeAnew,
  recordCreation,
  recordNewTables,
  takeUpLostTable,
  trackNewTables,
} from './catalog-tables.ts';
import { settleParked } from './parked-objects.ts';
import type { ReplicaStore } from './replica-store.ts';
import { isTakenUp, noteTakenUp } from './taken-catalog.ts';

/**
 * Brings the record up to the catalog: what SQLite has and the record lacks becomes a migration of this replica.
 *
 * This is how DDL of other programs is captured, at each notice, whatever they did between two of them; what Concord runs
 * itself leaves nothing to find. Runs in a write transaction. Costs a look at schema_version when nothing has changed.
 */
export function takeUpSchema(store: ReplicaStore): void {
  if (isTakenUp(store)) return;
  const hlc = store.clock.last() + 1n;
  const catalog = store.catalog.read();
  const { standing, lost, fresh } = findStandings(store.registry.all(), catalog, readCaptured(store.db));
  const altered = alteredTables(store, standing);
  const changes = nameChanges(altered);

  // Names become free before they are taken, and have their IDs before they are mentioned.
  for (const table of lost) takeUpLostTable(store, table, table.name);
  takeUpTableNames(store, altered, catalog);
  const tracked = trackNewTables(store, fresh);
  for (const table of altered) takeUpAltered(store, table, { changes, hlc });
  recordNewTables(store, tracked);
  findMadeAnew(store, lost, fresh);
  takeUpObjects(store, catalog, changes);
  settleParked(store);

  // Installing capture has moved the version on.
  noteTakenUp(store);
}

/** Records the schema that an application's file had before it was attached. Runs in the attaching transaction. */
export function recordAttachedSchema(store: ReplicaStore): void {
  const catalog = store.catalog.read();
  for (const table of store.registry.all()) {
    if (table.name === null) continue;
    const object = catalog.tables.get(foldIdentifier(table.name));
    if (object === undefined || object.definition === null) continue;
    recordCreation(store, table, object.definition);
    store.taken.textByTable.set(table.tbl, object.sql);
  }
  recordAttachedObjects(store, catalog);
}
