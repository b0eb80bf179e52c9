import type { SqlValue } from '#shared/model/sql-value.ts';

// The kinds of tables that capture has to do with, narrow on purpose: few keys and few values, so that they meet.

export interface CaptureTable {
  readonly name: string;
  readonly ddl: string;
  readonly keys: readonly string[];
  /** Columns beside the key that statements write. */
  readonly others: readonly string[];
  /** How the table's keys compare: 'a' and 'A' are one row under NOCASE. */
  readonly identityOf: (key: readonly SqlValue[]) => string | null;
}

const identity =
  (...folds: readonly boolean[]) =>
  (key: readonly SqlValue[]): string | null => {
    if (key.some((value) => value === null)) return null;
    return key
      .map((value, place) =>
        describe(folds[place] === true && typeof value === 'string' ? value.toLowerCase() : value),
      )
      .join('|');
  };

/** Values of these pools hold no text that is not UTF-8. */
export const plainText = (value: SqlValue): string =>
  typeof value === 'object' && value !== null ? '?' : String(value);

/** Exact but for 1 and 1.0, which SQLite takes for one key. */
function describe(value: SqlValue): string {
  if (value instanceof Uint8Array) return `b${Buffer.from(value).toString('hex')}`;
  if (typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < 2 ** 63)
    return `bigint ${value}`;
  return `${typeof value} ${plainText(value)}`;
}

export const CAPTURE_TABLES: readonly CaptureTable[] = [
  {
    name: 'by_integer',
    ddl: `create table by_integer (id integer primary key, x text collate nocase, y, u text unique)`,
    keys: ['id'],
    others: ['x', 'y', 'u'],
    identityOf: identity(),
  },
  {
    name: 'by_text',
    ddl: `create table by_text (x, k text primary key, y any)`,
    keys: ['k'],
    others: ['x', 'y'],
    identityOf: identity(),
  },
  {
    name: 'by_folded',
    ddl: `create table by_folded (k text primary key collate nocase, x, y, u text, g as (x || 'g'));
      create unique index by_folded_u on by_folded (u collate nocase) where x is not null`,
    keys: ['k'],
    others: ['x', 'y', 'u'],
    identityOf: identity(true),
  },
  {
    name: 'by_pair',
    ddl: `create table by_pair (rowid text, a, b text collate nocase, y, primary key (b, a))`,
    keys: ['b', 'a'],
    others: ['rowid', 'y'],
    identityOf: identity(true, false),
  },
  {
    name: 'bare_text',
    ddl: `create table bare_text (k text primary key, x, y, u unique) without rowid`,
    keys: ['k'],
    others: ['x', 'y', 'u'],
    identityOf: identity(),
  },
  {
    name: 'bare_pair',
    ddl: `create table bare_pair (a any not null, x text, b any not null, primary key (a desc, b)) strict, without rowid`,
    keys: ['a', 'b'],
    others: ['x'],
    identityOf: identity(),
  },
  {
    name: 'by_expression',
    ddl: `create table by_expression (id integer primary key autoincrement, x, u text, y);
      create unique index by_expression_u on by_expression (lower(u) || 'e');
      create unique index by_expression_y on by_expression (abs(y)) where typeof(y) = 'integer'`,
    keys: ['id'],
    others: ['x', 'u', 'y'],
    identityOf: identity(),
  },
  {
    name: 'by_many',
    ddl: `create table by_many (k text primary key, x, u text unique, y text collate rtrim unique, g as (lower(u)) stored unique)`,
    keys: ['k'],
    others: ['x', 'u', 'y'],
    identityOf: identity(),
  },
  {
    name: 'by_replacing',
    ddl: `create table by_replacing (id integer primary key, u text not null default 'p' unique on conflict replace, y)`,
    keys: ['id'],
    others: ['u', 'y'],
    identityOf: identity(),
  },
  {
    name: 'parent',
    ddl: `create table parent (id integer primary key, x, y);
      create trigger parent_x after update of x on parent begin update child set y = new.x where p = new.id; end;
      create trigger parent_gone before delete on parent when old.y is null begin delete from child where p is null; end`,
    keys: ['id'],
    others: ['x', 'y'],
    identityOf: identity(),
  },
  {
    name: 'child',
    ddl: `create table child (k text primary key, p integer references parent on delete cascade on update cascade,
      q integer references parent on delete set null on update set default deferrable initially deferred, y)`,
    keys: ['k'],
    others: ['p', 'q', 'y'],
    identityOf: identity(),
  },
];

/** Tables that write to each other. */
export const LINKED_TABLES: readonly CaptureTable[] = CAPTURE_TABLES.filter(
  ({ name }) => name === 'parent' || name === 'child',
);

const KEYS: Readonly<Record<string, readonly SqlValue[]>> = {
  by_integer: [1n, 2n, 3n, 5n, 6n, 9n, -4n],
  by_text: ['a', 'A', 'b', 'c', 'r1', null],
  by_folded: ['a', 'A', 'b', 'B', 'c', null],
  by_pair: ['a', 'A', 'b', null, 1n, 2.5],
  bare_text: ['a', 'A', 'b', 'c', 'd'],
  by_expression: [1n, 2n, 3n, 5n, 6n, 9n, -4n],
  by_many: ['a', 'A', 'b', 'c', 'd', null],
  by_replacing: [1n, 2n, 3n, 5n, 6n, 9n, -4n],
  parent: [1n, 2n, 3n, 4n],
  child: ['a', 'b', 'c', 'd', 'e'],
  bare_pair: ['a', 1n, 2.5, Buffer.from([0, 255]), -7.25e300, 'r,i1'],
};

const VALUES: readonly SqlValue[] = [null, 1n, 1, 'a', 'A', '', Buffer.from('a'), 2.5, 9223372036854775807n];
const TEXTS: readonly SqlValue[] = [null, 'p', 'P', 'q', 'r'];
const SPACED: readonly SqlValue[] = [null, 'p', 'p ', 'q', 'r'];
const PARENTS: readonly SqlValue[] = [null, 1n, 2n, 3n, 4n];

/** Key values by a number, any number. */
export function keyAt(table: CaptureTable, number: number): readonly SqlValue[] {
  const pool = KEYS[table.name] ?? [];
  return table.keys.map((_key, place) => {
    const value = pool[Math.floor(number / (place === 0 ? 1 : 7)) % pool.length] ?? null;
    // What a text column would convert has another identity once it is stored.
    return table.name === 'by_pair' && place === 0 && value !== null ? plainText(value) : value;
  });
}

/** Values of columns that are no good for any. */
const POOLS: Readonly<Record<string, readonly SqlValue[]>> = {
  'child p': PARENTS,
  'child q': PARENTS,
  'by_many y': SPACED,
  'bare_pair x': TEXTS,
};

/** A value for a column by a number, any number. */
export function valueAt(table: CaptureTable, column: string, number: number): SqlValue {
  const isText = column === 'u' || column === 'rowid';
  const pool = POOLS[`${table.name} ${column}`] ?? (isText ? TEXTS : VALUES);
  return pool[number % pool.length] ?? null;
}
