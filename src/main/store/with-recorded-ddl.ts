import type { DdlStatement } from '../sql/ast.ts';
import { foldIdentifier } from '../sql/fold-identifier.ts';
import { parseDdl } from '../sql/parse-ddl.ts';
import { hasBroken } from './broken-objects.ts';
import { recordDrop, recordMade } from './catalog-objects.ts';
import type { CatalogChange, Followed } from './catalog-read.ts';
import { recordNewTables, takeUpLostTable, trackNewTables } from './catalog-tables.ts';
import { takeUpSchema } from './catalog-take-up.ts';
import { settleParked } from './parked-objects.ts';
import type { RecordedKind } from './recorded-objects.ts';
import type { ReplicaStore } from './replica-store.ts';
import { isTakenUp, noteTakenUp } from './taken-catalog.ts';

// What Concord itself does to the schema is known, and need not be found by comparing the catalog with the record.

/**
 * Runs DDL whose record the caller writes, and the registry with it: where it says what it touched, the take-up finds
 * nothing to do, at a cost that does not depend on the number of tables.
 */
export function withRecordedDdl<T>(store: ReplicaStore, run: () => Followed<T>): T {
  const isTaken = isTakenUp(store);
  const { value, change } = store.catalog.follow(run);
  if (isTaken && change !== null) markTaken(store, change);
  return value;
}

/**
 * Runs a statement of DDL and records what it did to the schema. CREATE and DROP of an object cost what they touch; all
 * else is found by comparing the catalog with the record.
 */
export function takeUpStatement<T>(store: ReplicaStore, text: string, run: () => T): T {
  const isTaken = isTakenUp(store) && !hasBroken(store);
  const parsed = parseDdl(text);
  const touched = parsed.ok && !dropsLocal(store, parsed.value) ? touchedBy(parsed.value) : null;
  const { value, change } = store.catalog.follow(() => ({ value: run(), touched, isDropped: true }));
  if (!isTaken || change === null) {
    takeUpSchema(store);
    return value;
  }
  if (change.added.length + change.removed.length === 0) {
    store.taken.version = store.catalog.schemaVersion();
    return value;
  }
  // Capture that is installed is none of the catalog's.
  store.catalog.follow(() => {
    takeUpChange(store, change);
    return { value: null, touched: [] };
  });
  settleParked(store, namesOf(change));
  markTaken(store, change);
  return value;
}

const namesOf = ({ added, removed }: CatalogChange): readonly string[] =>
  [...added, ...removed].flatMap(({ name, table }) => [name, table]);

/** What stays on this replica may still be what triggers write to. */
const dropsLocal = (store: ReplicaStore, statement: DdlStatement): boolean =>
  statement.kind === 'dropTable' && store.catalog.read().localOnly.has(foldIdentifier(statement.name));

function markTaken(store: ReplicaStore, { added }: CatalogChange): void {
  for (const { kind, name, sql } of added) {
    const table = kind === 'table' ? store.registry.byName(name) : null;
    if (table !== null) store.taken.textByTable.set(table.tbl, sql);
  }
  noteTakenUp(store);
}

/** What a statement can alter or take away; null of those that reach further. */
function touchedBy(statement: DdlStatement): readonly string[] | null {
  switch (statement.kind) {
    case 'createTable':
    case 'createTableAs':
    case 'createIndex':
    case 'createView':
    case 'createTrigger':
      return [];
    case 'dropTable':
    case 'dropIndex':
    case 'dropView':
    case 'dropTrigger':
      return [statement.name];
    default:
      return null;
  }
}

function takeUpChange(store: ReplicaStore, { added, removed }: CatalogChange): void {
  for (const { kind, name } of removed) {
    const table = kind === 'table' ? store.registry.byName(name) : null;
    if (table !== null) takeUpLostTable(store, table, name);
  }
  const { tables } = store.catalog.read();
  const made = added.flatMap(({ kind, name }) =>
    kind === 'table' ? (tables.get(foldIdentifier(name)) ?? []) : [],
  );
  const tracked = trackNewTables(store, made);
  recordNewTables(store, tracked);
  for (const kind of ['trigger', 'view', 'index'] as const) {
    for (const { name } of removed.filter((object) => object.kind === kind)) dropRecorded(store, kind, name);
  }
  for (const object of added) if (object.kind !== 'table') recordMade(store, object.kind, object);
}

/** One that is parked was not in the file. */
function dropRecorded(store: ReplicaStore, kind: RecordedKind, name: string): void {
  const object = store.objects.get(kind, foldIdentifier(name));
  if (object !== null && object.text !== null) recordDrop(store, object);
}
