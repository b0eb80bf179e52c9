import type { Database } from 'better-sqlite3';

import { quoteIdentifier } from '#main/sql/quote-identifier.ts';

// What a file has in its tables, read on the host's own connection: nothing is opened, nothing is noticed by it.

export interface Content {
  readonly tables: readonly TableContent[];
}

export interface TableContent {
  readonly name: string;
  /** Concord's ID of the table; null as long as nobody took notice of it. */
  readonly id: string | null;
  readonly columns: readonly ColumnContent[];
  readonly rows: readonly RowContent[];
}

export interface ColumnContent {
  readonly name: string;
  /** Concord's ID, or the name where there is none yet. */
  readonly id: string;
  readonly type: string;
  /** 1-based place in the key; 0 when not part of it. */
  readonly pk: number;
  readonly isGenerated: boolean;
  /** Whether it refers to another row. */
  readonly isReference: boolean;
}

export interface RowContent {
  /** Values of the key as they are compared; of a table without a key the row's place. */
  readonly key: string;
  readonly values: readonly unknown[];
}

const COLUMNS = `select m.name, x.name, x.type, x.pk, x.hidden from sqlite_schema as m, pragma_table_xinfo(m.name) as x
  where m.type = 'table' and m.name not like 'sqlite\\_%' escape '\\' and m.name not like '\\_concord\\_%' escape '\\'
  order by m.name, x.cid`;
const REFERENCES = `select m.name || '.' || lower(f."from") from sqlite_schema as m, pragma_foreign_key_list(m.name) as f
  where m.type = 'table'`;
const TABLE_IDS = `select tbl, id, lower(name) from _concord_table where name is not null`;
const COLUMN_IDS = `select tbl, lower(name), id from _concord_column where name is not null`;

type ColumnRow = readonly [string, string, string, number, number];

/** Reads all tables of an application with their rows. */
export function readContent(db: Database): Content {
  const rows = db.prepare<[], ColumnRow>(COLUMNS).raw().all();
  const ids = readIds(db);
  const references = new Set(db.prepare<[], string>(REFERENCES).pluck().all());
  const names = [...new Set(rows.map(([table]) => table))];
  return {
    tables: names.map((name) => {
      const known = ids.get(name.toLowerCase());
      const columns = rows
        .filter(([table]) => table === name)
        .map(([, column, type, pk, hidden]) => ({
          ...{ name: column, type, pk, isGenerated: hidden !== 0 },
          isReference: references.has(`${name}.${column.toLowerCase()}`),
          id: known?.columns.get(column.toLowerCase()) ?? column.toLowerCase(),
        }));
      return { name, id: known?.id ?? null, columns, rows: readRows(db, name, columns) };
    }),
  };
}

function readIds(db: Database) {
  const columnRows = db.prepare<[], readonly [number, string, string]>(COLUMN_IDS).raw().all();
  return new Map(
    db
      .prepare<[], readonly [number, string, string]>(TABLE_IDS)
      .raw()
      .all()
      .map(([tbl, id, name]) => {
        const own = columnRows
          .filter(([of]) => of === tbl)
          .map(([, column, columnId]) => [column, columnId] as const);
        return [name, { id, columns: new Map(own) }] as const;
      }),
  );
}

function readRows(db: Database, name: string, columns: readonly ColumnContent[]): readonly RowContent[] {
  const rows = db
    .prepare<[], readonly unknown[]>(`select * from ${quoteIdentifier(name)}`)
    .safeIntegers()
    .raw()
    .all();
  const keyPlaces = columns.flatMap(({ pk }, place) => (pk > 0 ? [place] : []));
  return rows.map((values, index) => ({
    values,
    key:
      keyPlaces.length === 0 ? `row ${index}` : keyPlaces.map((place) => comparable(values[place])).join('|'),
  }));
}

/** A value as keys compare it, whatever the affinity and collation: too much is equal rather than too little. */
export function comparable(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (value instanceof Uint8Array) return `x${Buffer.from(value).toString('hex')}`;
  if (typeof value === 'string') {
    const number = Number(value);
    return value.trim() !== '' && Number.isFinite(number) ? String(number) : value.toLowerCase();
  }
  return typeof value === 'number' || typeof value === 'bigint'
    ? String(Number(value))
    : JSON.stringify(value);
}

/** Integers of a story begin above this, so that each is told from keys and counts. */
export const NUMBER_BASE = 1_000_000;

/** The number of the write that a value comes from, whatever type it was stored as; null for a value that is not unique. */
export function tokenOf(value: unknown): number | null {
  if (typeof value === 'string') return tokenOfText(value);
  if (value instanceof Uint8Array) return tokenOfText(Buffer.from(value).toString('latin1'));
  if (typeof value !== 'number' && typeof value !== 'bigint') return null;
  const token = Math.trunc(Number(value)) - NUMBER_BASE;
  return token > 0 && token < NUMBER_BASE ? token : null;
}

function tokenOfText(text: string): number | null {
  const [, token, number] = /^(?:v(\d+)|(1\d{6})(?:\.\d+)?)$/.exec(text) ?? [];
  if (token !== undefined) return Number(token);
  return number === undefined ? null : Number(number) - NUMBER_BASE;
}
