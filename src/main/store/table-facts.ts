import type { IndexDefinition } from '../sql/ast.ts';
import { columnAffinity } from '../sql/column-affinity.ts';
import { foldIdentifier } from '../sql/fold-identifier.ts';
import { parseDdl } from '../sql/parse-ddl.ts';
import type { StoreDatabase } from './store-database.ts';

/** How rows of a table are found and identified. Stored in `_concord_table.kind`: never renumber. */
export const TABLE_KIND = {
  /** Rows are found by rowid and identified by their key. */
  rowid: 0,
  /** INTEGER PRIMARY KEY: the rowid is the key. */
  integerKey: 1,
  /** WITHOUT ROWID, or no name of the rowid is free: rows are found by their key. */
  withoutRowid: 2,
  /** No key: rows stay local. */
  noKey: 3,
} as const;
export type TableKind = (typeof TABLE_KIND)[keyof typeof TABLE_KIND];

/** What SQLite itself says of a table that exists. */
export interface TableFacts {
  readonly name: string;
  readonly kind: TableKind;
  readonly columns: readonly ColumnFacts[];
  /** Unique keys beside the primary key. */
  readonly uniques: readonly UniqueFacts[];
}

export interface ColumnFacts {
  readonly name: string;
  readonly type: string;
  /** Whether one value can be stored as INTEGER and as REAL, equal to SQLite and yet not the same. */
  readonly keepsClasses: boolean;
  /** 1-based place in the primary key; 0 when not part of it. */
  readonly pk: number;
  /** Collation within the primary key; null for other columns. */
  readonly keyCollation: string | null;
  readonly generated: boolean;
  /** As written, or null. */
  readonly defaultText: string | null;
  /** The default of a NOT NULL column: OR REPLACE stores it in the place of a NULL. */
  readonly insteadOfNull: string | null;
}

export interface UniqueFacts {
  readonly name: string;
  /** Condition of a partial unique index, in the table's column names; null of a full one. */
  readonly where: string | null;
  readonly columns: readonly UniquePart[];
}

export interface UniquePart {
  /** Null of an expression. */
  readonly name: string | null;
  /** As written, with its COLLATE; null of a column, and of one that cannot be read. */
  readonly expression: string | null;
  readonly collation: string;
}

const ROWID_NAMES = ['rowid', '_rowid_', 'oid'] as const;

/**
 * Reads a table of the main database by its name, as it is spelled there; null when there is none. Asks SQLite about this
 * table alone, so that it costs the same whatever else is in the file.
 */
export function readTableFacts(db: StoreDatabase, name: string): TableFacts | null {
  const read = readColumns(db, name);
  if (read.length === 0) return null;
  const indexes = readIndexes(db, name);
  const primary = indexes.find(({ origin }) => origin === 'pk');
  const collations = new Map((primary?.columns ?? []).map((column) => [column.name ?? '', column.collation]));
  const columns = read.map((column) => ({
    ...column,
    keyCollation: column.pk > 0 ? (collations.get(column.name) ?? 'BINARY') : null,
  }));
  return {
    name,
    kind: kindOf(columns, {
      withoutRowid: primary !== undefined && !hasRowid(db, primary),
      hasKeyIndex: primary !== undefined,
    }),
    columns,
    uniques: indexes.filter(({ origin, unique }) => unique && origin !== 'pk'),
  };
}

/** The index of the key of a rowid table ends in the rowid; without rowids it is the table. */
const hasRowid = (db: StoreDatabase, { name }: IndexFacts): boolean =>
  db.preparePluck<[string]>(`select 1 from pragma_index_xinfo(?) where cid = -1`).get(name) !== undefined;

/** The name under which a table's rowid can be reached; null when columns have taken all three. */
export function freeRowidName(columnNames: readonly string[]): string | null {
  const taken = new Set(columnNames.map(foldIdentifier));
  return ROWID_NAMES.find((name) => !taken.has(name)) ?? null;
}

function kindOf(
  columns: readonly ColumnFacts[],
  facts: { readonly withoutRowid: boolean; readonly hasKeyIndex: boolean },
): TableKind {
  if (facts.withoutRowid) return TABLE_KIND.withoutRowid;
  if (columns.every(({ pk }) => pk === 0)) return TABLE_KIND.noKey;
  // An INTEGER PRIMARY KEY is the rowid and needs no index; every other key has one.
  if (!facts.hasKeyIndex) return TABLE_KIND.integerKey;
  const isReachable = freeRowidName(columns.map(({ name }) => name)) !== null;
  return isReachable ? TABLE_KIND.rowid : TABLE_KIND.withoutRowid;
}

function readColumns(db: StoreDatabase, table: string): readonly Omit<ColumnFacts, 'keyCollation'>[] {
  return db
    .prepareRaw<[string], [string, string, bigint, bigint, string | null, bigint]>(
      `select name, type, pk, hidden, dflt_value, "notnull" from pragma_table_xinfo(?) order by cid`,
    )
    .all(table)
    .map(([name, type, pk, hidden, defaultText, notNull]) => ({
      name,
      type,
      keepsClasses: keepsClasses(type),
      pk: Number(pk),
      generated: hidden === 2n || hidden === 3n,
      defaultText,
      insteadOfNull: notNull === 1n ? defaultText : null,
    }));
}

/** ANY of a STRICT table converts nothing; elsewhere, a word without meaning and so NUMERIC, this is too careful. */
export const keepsClasses = (type: string): boolean =>
  type.toUpperCase() === 'ANY' || columnAffinity(type) === 'blob';

interface IndexFacts extends UniqueFacts {
  readonly unique: boolean;
  readonly origin: string;
}

function readIndexes(db: StoreDatabase, table: string): readonly IndexFacts[] {
  const parts = db.prepareRaw<[string], [string | null, string]>(
    `select name, coll from pragma_index_xinfo(?) where key = 1 order by seqno`,
  );
  return db
    .prepareRaw<[string], [string, bigint, string, bigint]>(
      `select name, "unique", origin, partial from pragma_index_list(?) order by seq`,
    )
    .all(table)
    .map(([name, unique, origin, partial]) => {
      const columns = parts.all(name);
      const isPlain = partial === 0n && columns.every(([column]) => column !== null);
      const text = unique === 0n || isPlain ? null : readIndexText(db, name);
      return {
        name,
        unique: unique === 1n,
        origin,
        where: text?.where ?? null,
        columns: columns.map(([column, collation], place) => {
          const part = text?.parts[place];
          return {
            name: column,
            expression: column === null && part?.kind === 'expression' ? part.expression : null,
            collation,
          };
        }),
      };
    });
}

/** Null where it cannot be read; then a partial index counts as a full one, which watches more than it must. */
function readIndexText(db: StoreDatabase, index: string): IndexDefinition | null {
  const sql = db
    .preparePluck<[string]>(`select sql from sqlite_schema where type = 'index' and name = ?`)
    .get(index);
  const parsed = typeof sql === 'string' ? parseDdl(sql) : null;
  return parsed?.ok === true && parsed.value.kind === 'createIndex' ? parsed.value.index : null;
}
