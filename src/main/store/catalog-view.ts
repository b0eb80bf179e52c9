import { formatStamp } from '#shared/model/hlc.ts';
import type { CatalogObject, CatalogView, ColumnView } from '#shared/model/views.ts';

import type { ColumnDefinition, TableDefinition, ViewDefinition } from '../sql/ast.ts';
import { isSameName } from '../sql/fold-identifier.ts';
import { canonicalIndex } from '../sql/canonical-index.ts';
import { canonicalStatement } from '../sql/canonical-statement.ts';
import { canonicalTable } from '../sql/canonical-table.ts';
import { canonicalTrigger } from '../sql/canonical-trigger.ts';
import { canonicalView } from '../sql/canonical-view.ts';
import { quoteIdentifier } from '../sql/quote-identifier.ts';
import { readFingerprint } from './catalog-fingerprint.ts';
import type { FileObject } from './catalog-read.ts';
import { columnsOf } from './file-objects.ts';
import type { RecordedMigration } from './migration-records.ts';
import { creationOf } from './recorded-facts.ts';
import type { BodyObject } from './recorded-objects.ts';
import { renderHere } from './render-migration.ts';
import type { ReplicaStore } from './replica-store.ts';
import { toNumber } from './store-database.ts';
import { TABLE_KIND } from './table-registry.ts';

/** The schema objects of a replica with their canonical DDL, in the order of kinds and names; parked ones too. */
export function readCatalogView(store: ReplicaStore): CatalogView {
  const catalog = store.catalog.read();
  const fingerprint = readFingerprint(store);
  const objects = [
    ...[...catalog.tables.values()].map((object) => tableView(store, object)),
    ...[...catalog.indexes.values()].map((object) =>
      plainView(store, object, object.definition === null ? object.sql : canonicalIndex(object.definition)),
    ),
    ...[...catalog.views.values()].map((object) => viewView(store, object)),
    ...[...catalog.triggers.values()].map((object) =>
      plainView(store, object, object.definition === null ? object.sql : canonicalTrigger(object.definition)),
    ),
    ...parkedObjects(store).flatMap((object) => parkedView(store, object)),
  ];
  return { fingerprint, objects };
}

/** Those that wait outside of the file. Where something else has the name there, that is listed and a finding tells of this one. */
function parkedObjects(store: ReplicaStore): readonly BodyObject[] {
  const { views, triggers } = store.catalog.read();
  return store.objects
    .bodies()
    .filter(({ kind, name, text }) => text === null && !(kind === 'view' ? views : triggers).has(name));
}

/** A view or trigger that waits outside of the file, as it was created, with the names that hold here. */
function parkedView(store: ReplicaStore, object: BodyObject): readonly CatalogObject[] {
  const created = store.migrations.byNumber(object.migration);
  if (created === null) return [];
  const statement = renderHere(store, created.migration);
  if (statement.kind !== 'createView' && statement.kind !== 'createTrigger') return [];
  const { name } = statement.kind === 'createView' ? statement.view : statement.trigger;
  return [
    {
      kind: object.kind,
      name,
      table: statement.kind === 'createView' ? name : statement.trigger.table,
      ddl: canonicalStatement(statement),
      columns: [],
      rows: null,
      rowsSync: false,
      isParked: true,
      ...madeBy(created),
    },
  ];
}

function plainView(store: ReplicaStore, object: FileObject<unknown>, ddl: string): CatalogObject {
  return {
    kind: object.kind,
    name: object.name,
    table: object.table,
    ddl,
    columns: [],
    rows: null,
    rowsSync: false,
    isParked: false,
    ...madeBy(recordedCreation(store, object)),
  };
}

const madeBy = (created: RecordedMigration | null): Pick<CatalogObject, 'createdBy' | 'createdHlc'> => ({
  createdBy: created?.migration.stamp.site ?? null,
  createdHlc: created === null ? null : formatStamp(created.migration.stamp),
});

function recordedCreation(
  store: ReplicaStore,
  { kind, name }: FileObject<unknown>,
): RecordedMigration | null {
  if (kind === 'table') {
    const table = store.registry.byName(name);
    return table === null ? null : creationOf(store, table.tbl);
  }
  const object = store.objects.get(kind, name);
  return object === null ? null : store.migrations.byNumber(object.migration);
}

/** SQLite tells the columns of a view, unless it lacks a function that the view calls. */
function viewView(store: ReplicaStore, object: FileObject<ViewDefinition>): CatalogObject {
  const columns = columnsOf(store, object.name) ?? [];
  return {
    ...plainView(store, object, object.definition === null ? object.sql : canonicalView(object.definition)),
    columns: columns.map((name) => ({
      name,
      type: '',
      notNull: false,
      defaultText: null,
      collation: null,
      primaryKey: 0,
      generated: false,
    })),
  };
}

function tableView(store: ReplicaStore, object: FileObject<TableDefinition>): CatalogObject {
  const table = store.registry.byName(object.name);
  return {
    ...plainView(store, object, object.definition === null ? object.sql : canonicalTable(object.definition)),
    columns: object.definition === null ? [] : columnViews(object.definition),
    rows: toNumber(store.db.preparePluck<[]>(`select count(*) from ${quoteIdentifier(object.name)}`).get()),
    rowsSync: table !== null && table.kind !== TABLE_KIND.noKey,
  };
}

function columnViews(definition: TableDefinition): ColumnView[] {
  const key = definition.constraints.find((constraint) => constraint.kind === 'primaryKey');
  const placeOf = (column: ColumnDefinition): number => {
    if (column.primaryKey !== undefined) return 1;
    return key?.kind === 'primaryKey'
      ? key.columns.findIndex((part) => isSameName(part.column, column.name)) + 1
      : 0;
  };
  return definition.columns.map((column) => ({
    name: column.name,
    type: column.type,
    notNull: column.notNull !== undefined,
    defaultText: column.defaultText ?? null,
    collation: column.collation ?? null,
    primaryKey: placeOf(column),
    generated: column.generated !== undefined,
  }));
}
