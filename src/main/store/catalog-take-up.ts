import type { Migration } from '#shared/model/change-group.ts';

import type { IndexDefinition, TableDefinition } from '../sql/ast.ts';
import { canonicalIndex } from '../sql/canonical-index.ts';
import { canonicalStatement } from '../sql/canonical-statement.ts';
import { canonicalTable } from '../sql/canonical-table.ts';
import { foldIdentifier, isSameName } from '../sql/fold-identifier.ts';
import { quoteIdentifier } from '../sql/quote-identifier.ts';
import { installCapture } from './capture-triggers.ts';
import { findLostCapture, recaptureTable } from './catalog-recapture.ts';
import type { FileCatalog, FileObject } from './catalog-read.ts';
import { elementOf } from './element-clocks.ts';
import { findKeyGaps } from './key-gaps.ts';
import { appendBaseline } from './log-baseline.ts';
import { LOG_KIND, MASK_COLUMNS } from './metadata-schema.ts';
import { isEqualText } from './recorded-facts.ts';
import { OVERTAKEN_BY_DROP } from './redefinition-lineage.ts';
import type { ReplicaStore } from './replica-store.ts';
import { toNumber } from './store-database.ts';
import type { TrackedTable } from './table-registry.ts';
import {
  dropTrackedColumn,
  dropTrackedTable,
  refreshTrackedTable,
  trackColumn,
  trackTable,
} from './track-table.ts';
import { writeFinding } from './write-finding.ts';

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
      recordDrop(store, table, table.name);
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
  if (table === null) recordCreate(store, object.name, definition);
  else takeUpColumns(store, table, definition);
}

/** Records the schema that an application's file had before it was attached. Runs in the attaching transaction. */
export function recordAttachedSchema(store: ReplicaStore): void {
  const catalog = store.catalog.read();
  for (const table of store.registry.all()) {
    const definition =
      table.name === null ? null : (catalog.tables.get(foldIdentifier(table.name))?.definition ?? null);
    if (definition === null || table.name === null) continue;
    recordCreation(store, table, definition);
    store.taken.textByTable.set(
      foldIdentifier(table.name),
      catalog.tables.get(foldIdentifier(table.name))?.sql ?? '',
    );
  }
  takeUpIndexes(store, catalog);
}

type Change = Omit<Migration, 'id' | 'stamp' | 'version' | 'knew'>;

/** Records a migration of this replica's own. */
function recordOwn(
  store: ReplicaStore,
  change: Change & { readonly knew?: Migration['knew'] },
  tbl: number | null,
): { readonly n: number; readonly seq: number; readonly migration: Migration } {
  const { knew, ...rest } = change;
  const migration = store.newMigration(rest, knew);
  const entry = store.migrations.record({
    migration,
    verdict: 'executed',
    reason: 'written here',
    tbl,
    via: null,
    nowMs: store.ports.clock.nowMs(),
  });
  store.elements.raise(elementOf(migration), {
    hlc: migration.stamp.hlc,
    site: store.sites.ordinalOf(migration.stamp.site),
    version: migration.version,
    life: 1,
    migration: entry.n,
  });
  return { ...entry, migration };
}

function recordCreate(store: ReplicaStore, name: string, definition: TableDefinition): void {
  const { db } = store;
  const tbl = trackTable(db, {
    name,
    id: store.newTableId(),
    columnId: store.newColumnId,
    definition: canonicalTable(definition),
    created: null,
    addedSeq: 0,
  });
  store.registry.invalidate();
  const table = store.trackedTable(tbl);
  installCapture(db, table);
  recordCreation(store, table, definition);
  findKeyGaps(db, table, store.ports.clock.nowMs());
  appendBaseline(db, table, store.clock.tick());
}

function recordCreation(store: ReplicaStore, table: TrackedTable, definition: TableDefinition): void {
  recordOwn(
    store,
    {
      type: 'create_table',
      kind: 'table',
      object: table.name ?? definition.name,
      element: null,
      tableId: table.id,
      columns: table.columns.map(({ id, name }) => ({ id, name })),
      ddl: canonicalTable(definition),
      mentions: [],
      redefine: null,
    },
    table.tbl,
  );
}

function recordDrop(store: ReplicaStore, table: TrackedTable, name: string): void {
  store.migrations.retire({ types: OVERTAKEN_BY_DROP, tbl: table.tbl });
  const { n } = recordOwn(
    store,
    {
      type: 'drop_table',
      kind: 'table',
      object: name,
      element: null,
      tableId: table.id,
      columns: [],
      ddl: canonicalStatement({ kind: 'dropTable', ifExists: false, name }),
      mentions: [],
      redefine: null,
      knew: knownOfTable(store, table),
    },
    table.tbl,
  );
  dropTrackedTable(store.db, table.tbl, n);
  store.taken.textByTable.delete(foldIdentifier(name));
  store.registry.invalidate();
}

/**
 * What a drop knows of its table's rows: those that are in the log here. The version vector says more than that, since
 * migrations can come ahead of rows that their author wrote before.
 */
function knownOfTable(store: ReplicaStore, { tbl }: TrackedTable): Migration['knew'] {
  const newest = store.db
    .prepareRaw<[bigint], [bigint, bigint]>(
      `select site, max(hlc) from _concord_log where tbl = ? and site is not null and hlc is not null group by site`,
    )
    .all(BigInt(tbl))
    .map(([site, hlc]) => [store.sites.siteOf(toNumber(site)), hlc] as const);
  return { ...Object.fromEntries(newest), [store.site]: store.clock.last() };
}

function takeUpColumns(store: ReplicaStore, table: TrackedTable, definition: TableDefinition): void {
  const known = [...table.columns.map((column) => column.name), ...generatedNames(definition)];
  const added = definition.columns.filter((column) => !known.some((name) => isSameName(name, column.name)));
  const lost = table.columns.filter(
    (column) => !definition.columns.some((candidate) => isSameName(candidate.name, column.name)),
  );
  if (added.length === 0 && lost.length === 0) return;
  for (const column of lost) loseColumn(store, table, column);
  const seqs = added.map((column) => ({ column, seq: addColumn(store, table, column) }));
  refreshTrackedTable(store.db, table.tbl, canonicalTable(definition));
  store.registry.invalidate();
  const fresh = store.trackedTable(table.tbl);
  installCapture(store.db, fresh);
  for (const { column } of seqs) recordFilledCells(store, fresh, column.name);
}

const generatedNames = (definition: TableDefinition): readonly string[] =>
  definition.columns.filter((column) => column.generated !== undefined).map((column) => column.name);

function addColumn(
  store: ReplicaStore,
  table: TrackedTable,
  column: TableDefinition['columns'][number],
): number {
  const id = store.newColumnId();
  const { seq } = recordOwn(
    store,
    {
      type: 'add_column',
      kind: 'table',
      object: table.name ?? '',
      element: column.name,
      tableId: table.id,
      columns: [{ id, name: column.name }],
      ddl: canonicalStatement({
        kind: 'alterTable',
        table: table.name ?? '',
        action: { kind: 'addColumn', column },
      }),
      mentions: [],
      redefine: null,
    },
    table.tbl,
  );
  trackColumn(store.db, { tbl: table.tbl, name: column.name, id, addedSeq: seq });
  return seq;
}

/** Another program took a column away or renamed it: its values are here no more, and a person should know. */
function loseColumn(store: ReplicaStore, table: TrackedTable, column: TrackedTable['columns'][number]): void {
  dropTrackedColumn(store.db, table.tbl, column.col);
  writeFinding(store, {
    kind: 'drift',
    table: table.name ?? '',
    subject: column.name,
    detail: `Another program renamed or removed the column ${column.name} of ${table.name ?? ''} here; peers still have it.`,
    advice: 'Change columns through Concord, so that the change travels as what it is.',
  });
}

/** Cells of a column that was added and filled before it was noticed, as far as they differ from its default. */
function recordFilledCells(store: ReplicaStore, table: TrackedTable, name: string): void {
  const column = table.columns.find((candidate) => isSameName(candidate.name, name));
  if (column === undefined || table.key.length === 0) return;
  const base = Math.floor(column.col / MASK_COLUMNS) * MASK_COLUMNS;
  const mask = 1n << BigInt(column.col - base);
  store.db
    .prepare<unknown[]>(
      `insert into _concord_log (kind, tbl, rid, mask, hi, hlc) select ?, ?, ${table.ridExpression}, ?, ?, ?
       from ${quoteIdentifier(table.name ?? '')} where ${quoteIdentifier(column.name)} is not ${column.defaultText ?? 'null'}`,
    )
    .run(LOG_KIND.update, table.tbl, mask, BigInt(base), store.clock.tick());
}

function takeUpIndexes(store: ReplicaStore, catalog: FileCatalog): void {
  const inForce = new Map(
    store.migrations
      .indexesInForce()
      .map((entry) => [foldIdentifier(entry.migration.object), entry.migration]),
  );
  for (const [key, migration] of inForce) {
    const definition = catalog.indexes.get(key)?.definition ?? null;
    if (definition !== null && isEqualText(canonicalIndex(definition), migration.ddl)) continue;
    store.migrations.retire({ types: ['create_index'], object: migration.object });
    recordIndexDrop(store, migration);
    inForce.delete(key);
  }
  for (const [key, object] of catalog.indexes) {
    if (object.definition !== null && !inForce.has(key))
      recordIndexCreate(store, object.name, object.definition);
  }
}

function recordIndexDrop(store: ReplicaStore, created: Migration): void {
  const table = created.tableId === null ? null : store.registry.byId(created.tableId);
  // An index that went with its table needs no word of its own.
  if (typeof table?.name !== 'string') return;
  recordOwn(
    store,
    {
      type: 'drop_index',
      kind: 'index',
      object: created.object,
      element: null,
      tableId: created.tableId,
      columns: [],
      ddl: canonicalStatement({ kind: 'dropIndex', ifExists: false, name: created.object }),
      mentions: [],
      redefine: null,
    },
    null,
  );
}

function recordIndexCreate(store: ReplicaStore, name: string, definition: IndexDefinition): void {
  const table = store.registry.byName(definition.table);
  if (table === null) return;
  recordOwn(
    store,
    {
      type: 'create_index',
      kind: 'index',
      object: name,
      element: null,
      tableId: table.id,
      columns: [],
      ddl: canonicalIndex(definition),
      mentions: [],
      redefine: null,
    },
    table.tbl,
  );
  if (definition.unique) installCapture(store.db, table);
}
