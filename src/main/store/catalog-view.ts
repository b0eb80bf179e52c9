import { formatStamp } from '#shared/model/hlc.ts';
import type { CatalogObject, CatalogView, ColumnView, FindingView } from '#shared/model/views.ts';

import type { ColumnDefinition, TableDefinition } from '../sql/ast.ts';
import { isSameName } from '../sql/fold-identifier.ts';
import { canonicalIndex } from '../sql/canonical-index.ts';
import { canonicalTable } from '../sql/canonical-table.ts';
import { canonicalTrigger } from '../sql/canonical-trigger.ts';
import { canonicalView } from '../sql/canonical-view.ts';
import { quoteIdentifier } from '../sql/quote-identifier.ts';
import { readFingerprint } from './catalog-fingerprint.ts';
import type { FileObject } from './catalog-read.ts';
import { creationOf } from './recorded-facts.ts';
import type { ReplicaStore } from './replica-store.ts';
import { toNumber } from './store-database.ts';
import { TABLE_KIND } from './table-registry.ts';

/** The schema objects of a replica with their canonical DDL, in the order of kinds and names. */
export function readCatalogView(store: ReplicaStore): CatalogView {
  const catalog = store.catalog.read();
  const objects = [
    ...[...catalog.tables.values()].map((object) => tableView(store, object)),
    ...[...catalog.indexes.values()].map((object) =>
      plainView(object, object.definition === null ? object.sql : canonicalIndex(object.definition)),
    ),
    ...[...catalog.views.values()].map((object) =>
      plainView(object, object.definition === null ? object.sql : canonicalView(object.definition)),
    ),
    ...[...catalog.triggers.values()].map((object) =>
      plainView(object, object.definition === null ? object.sql : canonicalTrigger(object.definition)),
    ),
  ];
  return { fingerprint: readFingerprint(store), objects };
}

function plainView(object: FileObject<unknown>, ddl: string): CatalogObject {
  return {
    kind: object.kind,
    name: object.name,
    table: object.table,
    ddl,
    columns: [],
    rows: null,
    rowsSync: false,
    createdBy: null,
    createdHlc: null,
  };
}

function tableView(store: ReplicaStore, object: FileObject<TableDefinition>): CatalogObject {
  const table = store.registry.byName(object.name);
  const creation = table === null ? null : creationOf(store, table.tbl);
  return {
    ...plainView(object, object.definition === null ? object.sql : canonicalTable(object.definition)),
    columns: object.definition === null ? [] : columnViews(object.definition),
    rows: toNumber(store.db.preparePluck<[]>(`select count(*) from ${quoteIdentifier(object.name)}`).get()),
    rowsSync: table !== null && table.kind !== TABLE_KIND.noKey,
    createdBy: creation?.migration.stamp.site ?? null,
    createdHlc: creation === null ? null : formatStamp(creation.migration.stamp),
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

interface FindingRow {
  readonly kind: FindingView['kind'];
  readonly tbl: string;
  readonly detail: string;
  readonly advice: string;
  readonly since_ms: bigint;
}

/** What a person should know and that blocks nothing. */
export const listFindings = (store: Pick<ReplicaStore, 'db'>): readonly FindingView[] =>
  store.db
    .prepare<[], FindingRow>(
      'select kind, tbl, detail, advice, since_ms from _concord_finding order by since_ms, kind, tbl',
    )
    .all()
    .map((row) => ({
      kind: row.kind,
      table: row.tbl,
      detail: row.detail,
      advice: row.advice,
      sinceMs: toNumber(row.since_ms),
    }));
