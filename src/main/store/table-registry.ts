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
 * The tables of a replica as plain data, each read when first asked for and kept until `invalidate`.
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
  /** Of one table, when nothing else was written: then what is known of the others stays. */
  readonly invalidate: (tbl?: number) => void;
}

/** Makes the registry of one connection; reads nothing yet. */
export function createTableRegistry(db: StoreDatabase): TableRegistry {
  let index: Index | null = null;
  let all: readonly TrackedTable[] | null = null;
  const entries = new Map<number, Entry>();
  const getIndex = (): Index => (index ??= readIndex(db));

  return {
    all: () => (all ??= readEvery()),
    byTbl: (tbl) => getEntry(tbl)?.table ?? null,
    byName: (name) => getEntry(getIndex().byName.get(foldIdentifier(name)))?.table ?? null,
    byId: (id) => getEntry(getIndex().byId.get(id))?.table ?? null,
    resolveColumn: ({ tbl }, id) => getEntry(tbl)?.places.get(id) ?? { kind: 'unknown' },
    ordinalOf: ({ tbl }, id) => getEntry(tbl)?.ordinals.get(id) ?? null,
    invalidate: (tbl) => {
      all = null;
      if (tbl === undefined) {
        index = null;
        entries.clear();
        return;
      }
      entries.delete(tbl);
      if (index !== null) refreshIndex(db, index, tbl);
    },
  };

  function getEntry(tbl: number | undefined): Entry | null {
    if (tbl === undefined || !getIndex().tables.has(tbl)) return null;
    const known = entries.get(tbl);
    if (known !== undefined) return known;
    const [entry] = readEntries(db, tbl);
    if (entry === undefined) return null;
    entries.set(tbl, entry);
    return entry;
  }

  function readEvery(): readonly TrackedTable[] {
    // One by one only where a few are missing.
    if (entries.size * 2 < getIndex().tables.size) {
      for (const entry of readEntries(db, null)) entries.set(entry.table.tbl, entry);
    }
    return [...getIndex().tables.keys()].flatMap((tbl) => getEntry(tbl)?.table ?? []);
  }
}

/** Which table has which name and which IDs. */
interface Index {
  /** By ordinal, lowest first: what each is known by here. */
  readonly tables: Map<number, KnownBy>;
  readonly byName: Map<string, number>;
  readonly byId: Map<string, number>;
}

interface KnownBy {
  /** Folded; null once dropped. */
  readonly name: string | null;
  /** Its own and those of twins. */
  readonly ids: readonly string[];
}

const TABLES = `select tbl, id, name from _concord_table`;
const TWINS = `select tbl, id from _concord_alias where kind = 't'`;

type TableRow = readonly [bigint, string, string | null];
type TwinRow = readonly [bigint, string];

function readIndex(db: StoreDatabase): Index {
  const index: Index = { tables: new Map(), byName: new Map(), byId: new Map() };
  addToIndex(index, {
    tables: db.prepareRaw<[], TableRow>(`${TABLES} order by tbl`).all(),
    twins: db.prepareRaw<[], TwinRow>(TWINS).all(),
  });
  return index;
}

function refreshIndex(db: StoreDatabase, index: Index, tbl: number): void {
  const { name = null, ids = [] } = index.tables.get(tbl) ?? {};
  // Another table may have taken the name meanwhile.
  if (name !== null && index.byName.get(name) === tbl) index.byName.delete(name);
  for (const id of ids) index.byId.delete(id);
  addToIndex(index, {
    tables: db.prepareRaw<[bigint], TableRow>(`${TABLES} where tbl = ?`).all(BigInt(tbl)),
    twins: db.prepareRaw<[bigint], TwinRow>(`${TWINS} and tbl = ?`).all(BigInt(tbl)),
  });
}

function addToIndex(
  { tables, byName, byId }: Index,
  rows: { readonly tables: readonly TableRow[]; readonly twins: readonly TwinRow[] },
): void {
  const twins = groupByTable(rows.twins.map(([tbl, id]) => ({ tbl: Number(tbl), id })));
  for (const [ordinal, id, spelled] of rows.tables) {
    const tbl = Number(ordinal);
    const name = spelled === null ? null : foldIdentifier(spelled);
    const ids = [id, ...(twins.get(tbl) ?? []).map((twin) => twin.id)];
    tables.set(tbl, { name, ids });
    if (name !== null) byName.set(name, tbl);
    for (const known of ids) byId.set(known, tbl);
  }
}

/** A table with its columns by ID. */
interface Entry {
  readonly table: TrackedTable;
  readonly places: ReadonlyMap<string, ColumnPlace>;
  readonly ordinals: ReadonlyMap<string, number>;
}

/** Reads one table, or with null all of them. */
function readEntries(db: StoreDatabase, tbl: number | null): readonly Entry[] {
  const aliases = groupByTable(readColumnAliases(db, tbl));
  return readTables(db, tbl).map((table) => {
    const places = new Map<string, ColumnPlace>();
    const ordinals = new Map<string, number>();
    const placesByOrdinal = new Map<number, ColumnPlace>();
    const add = (id: string, col: number, place: ColumnPlace): void => {
      places.set(id, place);
      ordinals.set(id, col);
      placesByOrdinal.set(col, place);
    };
    for (const column of table.columns) add(column.id, column.col, { kind: 'column', column });
    for (const { id, col } of table.formerColumns) add(id, col, { kind: 'gone' });
    for (const { id, col } of aliases.get(table.tbl) ?? []) {
      places.set(id, placesByOrdinal.get(col) ?? { kind: 'gone' });
      ordinals.set(id, col);
    }
    return { table, places, ordinals };
  });
}

interface StoredColumn {
  readonly tbl: number;
  readonly name: string | null;
  readonly generated: boolean;
  readonly column: TrackedColumn;
}

function groupByTable<Row extends { readonly tbl: number }>(
  rows: readonly Row[],
): ReadonlyMap<number, readonly Row[]> {
  const groups = new Map<number, Row[]>();
  for (const row of rows) {
    const group = groups.get(row.tbl);
    if (group === undefined) groups.set(row.tbl, [row]);
    else group.push(row);
  }
  return groups;
}

/** Reads rows of one table, or with null of all. */
function readRows(
  db: StoreDatabase,
  tbl: number | null,
  read: { readonly sql: string; readonly order: string },
): readonly (readonly StoredValue[])[] {
  if (tbl === null) return db.prepareRaw<[]>(`${read.sql} order by ${read.order}`).all();
  return db.prepareRaw<[bigint]>(`${read.sql} where tbl = ? order by ${read.order}`).all(BigInt(tbl));
}

function readColumns(db: StoreDatabase, of: number | null): readonly StoredColumn[] {
  return readRows(db, of, {
    sql: `select tbl, col, id, name, pk, collation, added_seq, default_text, generated from _concord_column`,
    order: 'tbl, col',
  }).map(([tbl, col, id, name, pk, collation, addedSeq, defaultText, generated]) => ({
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

function readTables(db: StoreDatabase, of: number | null): readonly TrackedTable[] {
  const byTbl = groupByTable(readColumns(db, of));
  return readRows(db, of, {
    sql: `select tbl, id, name, kind, definition, created, dropped from _concord_table`,
    order: 'tbl',
  }).map(([tbl, id, name, kind, definition, created, dropped]) => {
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

function readColumnAliases(
  db: StoreDatabase,
  of: number | null,
): readonly { readonly id: string; readonly tbl: number; readonly col: number }[] {
  return readRows(db, of, { sql: `select id, tbl, col from _concord_alias`, order: 'id' }).flatMap(
    ([id, tbl, col]) =>
      typeof col === 'bigint' ? [{ id: idOf(id), tbl: toNumber(tbl), col: toNumber(col) }] : [],
  );
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
