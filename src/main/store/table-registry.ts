import type { ColumnId, TableId } from '#shared/model/ids.ts';

import { foldIdentifier } from '../sql/fold-identifier.ts';
import { quoteIdentifier } from '../sql/quote-identifier.ts';
import { keyExpression } from './key-expression.ts';
import { toNumber } from './store-database.ts';
import type { StoreDatabase, StoredValue } from './store-database.ts';
import { freeRowidName, TABLE_KIND } from './table-facts.ts';
import type { TableKind } from './table-facts.ts';

export { TABLE_KIND };

/** A table that the replica keeps track of, dropped ones included. */
export interface TrackedTable {
  readonly tbl: number;
  readonly id: TableId;
  /** Current name; null once dropped. */
  readonly name: string | null;
  readonly kind: TableKind;
  /** Columns whose values are recorded, in order of their ordinals: neither dropped nor generated. */
  readonly columns: readonly TrackedColumn[];
  /** Key columns in key order; empty where the table has no key. */
  readonly key: readonly TrackedColumn[];
  /** What is no value of its own any more, or never was. */
  readonly formerColumns: readonly FormerColumn[];
  /** Every column that stands in the table, generated ones too, in order of their ordinals. */
  readonly liveColumns: readonly LiveColumn[];
  /**
   * SQL of a row's place without a table prefix: its rowid by a name that no column hides, or its key's identity.
   * Looking a row up by the latter reads the whole table where the key is composite or folded: use the key columns.
   */
  readonly ridExpression: string;
  /** As the catalog wrote it. */
  readonly definition: string;
  /** Numbers in `_concord_migration`. */
  readonly created: number | null;
  readonly dropped: number | null;
}

export interface TrackedColumn {
  readonly col: number;
  readonly id: ColumnId;
  readonly name: string;
  /** 1-based place in the key; 0 when not part of it. */
  readonly pk: number;
  /** Within the key; null for other columns. */
  readonly collation: string | null;
  /** Entries with a lower seq do not speak of the column. */
  readonly addedSeq: number;
  /** The default with which it was added or created, as SQL; null when there is none. */
  readonly defaultText: string | null;
}

export interface LiveColumn {
  readonly col: number;
  readonly id: ColumnId;
  readonly name: string;
}

export interface FormerColumn {
  readonly col: number;
  readonly id: ColumnId;
  readonly reason: 'dropped' | 'generated';
}

export type ColumnPlace =
  | { readonly kind: 'column'; readonly column: TrackedColumn }
  /** Dropped or generated here. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'unknown' };

/**
 * The tables of a replica as plain data, read when first asked for and kept until `invalidate`.
 *
 * Whoever writes `_concord_table`, `_concord_column` or `_concord_alias`, or rolls such a write back, calls `invalidate`.
 */
export interface TableRegistry {
  readonly all: () => readonly TrackedTable[];
  readonly byTbl: (tbl: number) => TrackedTable | null;
  /** By its name now; dropped tables have none. */
  readonly byName: (name: string) => TrackedTable | null;
  /** By its own ID or that of a twin; dropped tables too. */
  readonly byId: (id: string) => TrackedTable | null;
  /** By the column's own ID or that of a twin. */
  readonly resolveColumn: (table: TrackedTable, id: string) => ColumnPlace;
  /** Ordinal of a column by its own ID or that of a twin, dropped and generated ones too; null where the ID is unknown. */
  readonly ordinalOf: (table: TrackedTable, id: string) => number | null;
  readonly invalidate: () => void;
}

/** Makes the registry of one connection; reads nothing yet. */
export function createTableRegistry(db: StoreDatabase): TableRegistry {
  let known: Known | null = null;
  const get = (): Known => (known ??= readKnown(db));
  return {
    all: () => get().tables,
    byTbl: (tbl) => get().byTbl.get(tbl) ?? null,
    byName: (name) => get().byName.get(foldIdentifier(name)) ?? null,
    byId: (id) => get().byId.get(id) ?? null,
    resolveColumn: (table, id) => get().columnsById.get(columnKey(table.tbl, id)) ?? { kind: 'unknown' },
    ordinalOf: (table, id) => get().ordinals.get(columnKey(table.tbl, id)) ?? null,
    invalidate: () => {
      known = null;
    },
  };
}

interface Known {
  readonly tables: readonly TrackedTable[];
  readonly byTbl: ReadonlyMap<number, TrackedTable>;
  readonly byName: ReadonlyMap<string, TrackedTable>;
  readonly byId: ReadonlyMap<string, TrackedTable>;
  readonly columnsById: ReadonlyMap<string, ColumnPlace>;
  readonly ordinals: ReadonlyMap<string, number>;
}

const columnKey = (tbl: number, id: string): string => `${tbl} ${id}`;

function readKnown(db: StoreDatabase): Known {
  const columns = readColumns(db);
  const tables = readTables(db, columns);
  const byTbl = new Map(tables.map((table) => [table.tbl, table]));
  const byName = new Map(
    tables.flatMap((table) => (table.name === null ? [] : [[foldIdentifier(table.name), table] as const])),
  );
  const byId = new Map<string, TrackedTable>(tables.map((table) => [table.id, table]));
  const places = new Map<string, ColumnPlace>();
  const placesByOrdinal = new Map<string, ColumnPlace>();
  const ordinals = new Map<string, number>();
  for (const table of tables) {
    for (const { id, col } of [...table.liveColumns, ...table.formerColumns]) {
      ordinals.set(columnKey(table.tbl, id), col);
    }
    for (const column of table.columns) {
      const place: ColumnPlace = { kind: 'column', column };
      places.set(columnKey(table.tbl, column.id), place);
      placesByOrdinal.set(columnKey(table.tbl, String(column.col)), place);
    }
    for (const former of table.formerColumns) {
      places.set(columnKey(table.tbl, former.id), { kind: 'gone' });
      placesByOrdinal.set(columnKey(table.tbl, String(former.col)), { kind: 'gone' });
    }
  }
  for (const alias of readAliases(db)) {
    const table = byTbl.get(alias.tbl);
    if (table === undefined) continue;
    if (alias.col === null) {
      byId.set(alias.id, table);
      continue;
    }
    ordinals.set(columnKey(alias.tbl, alias.id), alias.col);
    places.set(
      columnKey(alias.tbl, alias.id),
      placesByOrdinal.get(columnKey(alias.tbl, String(alias.col))) ?? { kind: 'gone' },
    );
  }
  return { tables, byTbl, byName, byId, columnsById: places, ordinals };
}

interface StoredColumn {
  readonly tbl: number;
  readonly name: string | null;
  readonly generated: boolean;
  readonly column: TrackedColumn;
}

function readColumns(db: StoreDatabase): readonly StoredColumn[] {
  return db
    .prepareRaw<[]>(
      `select tbl, col, id, name, pk, collation, added_seq, default_text, generated from _concord_column order by tbl, col`,
    )
    .all()
    .map(([tbl, col, id, name, pk, collation, addedSeq, defaultText, generated]) => ({
      tbl: toNumber(tbl),
      name: textOrNull(name),
      generated: generated === 1n,
      column: {
        col: toNumber(col),
        id: idOf(id) as ColumnId,
        name: textOrNull(name) ?? '',
        pk: toNumber(pk),
        collation: textOrNull(collation),
        addedSeq: toNumber(addedSeq),
        defaultText: textOrNull(defaultText),
      },
    }));
}

function readTables(db: StoreDatabase, columns: readonly StoredColumn[]): readonly TrackedTable[] {
  const byTbl = new Map<number, StoredColumn[]>();
  for (const column of columns) {
    const list = byTbl.get(column.tbl);
    if (list === undefined) byTbl.set(column.tbl, [column]);
    else list.push(column);
  }
  return db
    .prepareRaw<[]>(
      `select tbl, id, name, kind, definition, created, dropped from _concord_table order by tbl`,
    )
    .all()
    .map(([tbl, id, name, kind, definition, created, dropped]) => {
      const ordinal = toNumber(tbl);
      const stored = byTbl.get(ordinal) ?? [];
      const tableKind = kindOf(toNumber(kind));
      const live = stored.filter((entry) => entry.name !== null);
      const recorded = live.filter(({ generated }) => !generated).map(({ column }) => column);
      const key = recorded.filter(({ pk }) => pk > 0).sort((left, right) => left.pk - right.pk);
      return {
        tbl: ordinal,
        id: idOf(id) as TableId,
        name: textOrNull(name),
        kind: tableKind,
        columns: recorded,
        key,
        liveColumns: live.map(({ column }) => ({ col: column.col, id: column.id, name: column.name })),
        formerColumns: stored.filter((entry) => entry.name === null || entry.generated).map(formerColumn),
        ridExpression: ridExpression(tableKind, { key, names: live.map(({ column }) => column.name) }),
        definition: textOrNull(definition) ?? '',
        created: created === null ? null : toNumber(created),
        dropped: dropped === null ? null : toNumber(dropped),
      };
    });
}

const formerColumn = ({ name, column }: StoredColumn): FormerColumn => ({
  col: column.col,
  id: column.id,
  reason: name === null ? 'dropped' : 'generated',
});

function ridExpression(
  kind: TableKind,
  table: { readonly key: readonly TrackedColumn[]; readonly names: readonly string[] },
): string {
  if (kind === TABLE_KIND.withoutRowid) return keyExpression(table.key, '');
  const [first] = table.key;
  if (kind === TABLE_KIND.integerKey && first !== undefined) return quoteIdentifier(first.name);
  return freeRowidName(table.names) ?? 'rowid';
}

function readAliases(
  db: StoreDatabase,
): readonly { readonly id: string; readonly tbl: number; readonly col: number | null }[] {
  return db
    .prepareRaw<[]>(`select id, tbl, col from _concord_alias`)
    .all()
    .map(([id, tbl, col]) => ({
      id: idOf(id),
      tbl: toNumber(tbl),
      col: col === null ? null : toNumber(col),
    }));
}

function kindOf(kind: number): TableKind {
  const known = Object.values(TABLE_KIND).find((value) => value === kind);
  if (known === undefined) throw new Error(`_concord_table holds an unknown kind: ${kind}`);
  return known;
}

const textOrNull = (value: StoredValue | undefined): string | null =>
  typeof value === 'string' ? value : null;

/** IDs were parsed where they came in; the bookkeeping holds no others. */
const idOf = (value: StoredValue | undefined): string => String(value);
