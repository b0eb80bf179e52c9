import { present } from '#shared/assert.ts';
import type { SqlValue } from '#shared/model/sql-value.ts';

import { keyAt, valueAt } from './capture-tables.ts';
import type { CaptureTable } from './capture-tables.ts';

/** One random statement as plain numbers, so that fast-check can shrink it. */
export interface RandomStatement {
  readonly form: number;
  readonly table: number;
  readonly key: number;
  readonly other: number;
  readonly value: number;
}

export interface CaptureStatement {
  readonly table: CaptureTable;
  readonly sql: string;
  readonly bound: readonly SqlValue[];
  /** Keys that a REPLACE writes as whole rows, whatever was there. */
  readonly replaces: readonly (readonly SqlValue[])[];
  /** The key of the row that takes the place of the replaced ones: nothing is replaced when it is not there, or is itself. */
  readonly mover: readonly SqlValue[] | null;
  /** Whether every row gets another key, and whether those in the way are pushed out. */
  readonly moves: 'none' | 'all' | 'allReplacing';
  /** The key that comes out as itself where all others move: its row is not touched. */
  readonly stays: readonly SqlValue[] | null;
}

type Maker = (table: CaptureTable, random: RandomStatement) => Omit<CaptureStatement, 'table'>;

const plain = (sql: string, bound: readonly SqlValue[]): Omit<CaptureStatement, 'table'> => ({
  sql,
  bound,
  replaces: [],
  mover: null,
  moves: 'none',
  stays: null,
});

const whereKey = (table: CaptureTable): string => table.keys.map((key) => `${key} = ?`).join(' and ');
const places = (count: number): string => Array.from({ length: count }, () => '?').join(', ');

function insert(verb: string): Maker {
  return (table, random) => {
    const key = keyAt(table, random.key);
    const others = table.others.map((column, place) =>
      valueAt(table, column, random.value + place * random.other),
    );
    const columns = [...table.keys, ...table.others];
    return {
      ...plain(`${verb} into ${table.name} (${columns.join(', ')}) values (${places(columns.length)})`, [
        ...key,
        ...others,
      ]),
      replaces: verb.includes('replace') ? [key] : [],
    };
  };
}

function update(verb: string): Maker {
  return (table, random) => {
    const column = present(table.others[random.other % table.others.length], 'a column');
    return plain(`${verb} ${table.name} set ${column} = ? where ${whereKey(table)}`, [
      valueAt(table, column, random.value),
      ...keyAt(table, random.key),
    ]);
  };
}

function move(verb: string): Maker {
  return (table, random) => {
    const column = present(table.others[0], 'a column');
    const sets = [...table.keys.map((key) => `${key} = ?`), `${column} = ?`].join(', ');
    const [from, to] = [keyAt(table, random.key), keyAt(table, random.value)];
    const isReplace = verb.includes('replace');
    return {
      ...plain(`${verb} ${table.name} set ${sets} where ${whereKey(table)}`, [
        ...to,
        valueAt(table, column, random.other),
        ...from,
      ]),
      replaces: isReplace ? [to] : [],
      mover: isReplace ? from : null,
    };
  };
}

/** Whether the key is a number that can be reckoned with. */
const isNumbered = (table: CaptureTable): boolean => table.keys.join() === 'id';

const isBare = (table: CaptureTable): boolean => table.name.startsWith('bare');

/** A name of the rowid that no column hides. */
export const rowidOf = (table: CaptureTable): string => (table.name === 'by_pair' ? '_rowid_' : 'rowid');

const MAKERS: readonly Maker[] = [
  insert('insert'),
  insert('insert'),
  insert('insert or ignore'),
  insert('insert or replace'),
  insert('replace'),
  update('update'),
  update('update'),
  update('update or ignore'),
  update('update or abort'),
  move('update'),
  move('update or ignore'),
  move('update or replace'),
  // What has the value in a unique key is pushed out, of one row or of row after row.
  update('update or replace'),
  (table, random) => {
    const column = present(table.others[random.other % table.others.length], 'a column');
    return plain(`update or replace ${table.name} set ${column} = ?`, [valueAt(table, column, random.value)]);
  },
  (table, random) => plain(`delete from ${table.name} where ${whereKey(table)}`, keyAt(table, random.key)),
  (table, random) => plain(`delete from ${table.name} where ${whereKey(table)}`, keyAt(table, random.key)),
  // The row on top, and its rowid anew with the next insert.
  (table) =>
    plain(
      isBare(table)
        ? `delete from ${table.name} where ${table.keys[0]} = (select max(${table.keys[0]}) from ${table.name})`
        : `delete from ${table.name} where ${rowidOf(table)} = (select max(${rowidOf(table)}) from ${table.name})`,
      [],
    ),
  (table, random) => plain(`delete from ${table.name} where ${random.other % 4 === 0 ? 1 : 0}`, []),
  // A rowid of the statement's own choice, below or beyond the mark.
  (table, random) => {
    if (isBare(table) || isNumbered(table)) return insert('insert')(table, random);
    const key = keyAt(table, random.key);
    const columns = [rowidOf(table), ...table.keys, ...table.others];
    const others = table.others.map((column) => valueAt(table, column, random.value));
    return plain(`insert into ${table.name} (${columns.join(', ')}) values (${places(columns.length)})`, [
      BigInt((random.other % 20) - 3),
      ...key,
      ...others,
    ]);
  },
  // SQLite gives the integer key.
  (table, random) =>
    isNumbered(table)
      ? plain(
          `insert into ${table.name} (${table.others.join(', ')}) values (${places(table.others.length)})`,
          [
            ...table.others.map((column, place) =>
              valueAt(table, column, random.value + place * random.other),
            ),
          ],
        )
      : insert('insert')(table, random),
  // An upsert changes what it names, or inserts.
  (table, random) => {
    const made = insert('insert')(table, random);
    const column = present(table.others[0], 'a column');
    return plain(
      `${made.sql} on conflict (${table.keys.join(', ')}) do update set ${column} = excluded.${column}`,
      made.bound,
    );
  },
  // Many rows at once.
  (table, random) => {
    const column = present(table.others[random.other % table.others.length], 'a column');
    return plain(`update or ignore ${table.name} set ${column} = ?`, [valueAt(table, column, random.value)]);
  },
  // An upsert that does nothing, and one with a clause per key.
  (table, random) => {
    const made = insert('insert')(table, random);
    const column = present(table.others[0], 'a column');
    const second =
      random.value % 2 === 0
        ? 'on conflict do nothing'
        : `on conflict (${table.keys.join(', ')}) do nothing on conflict do update set ${column} = excluded.${column}`;
    return plain(`${made.sql} ${second}`, made.bound);
  },
  // Several rows, each of which may push out others, also those before it.
  (table, random) => {
    const rows = [0, 1, 2].map((step) =>
      insert('replace')(table, {
        ...random,
        key: random.key + step * (1 + (random.other % 3)),
        value: random.value + step,
      }),
    );
    const [first] = rows;
    const tuple = `(${places(present(first, 'a row').bound.length)})`;
    return {
      ...plain(
        `${present(first, 'a row').sql.replace(/ values .*/, '')} values ${rows.map(() => tuple).join(', ')}`,
        rows.flatMap(({ bound }) => bound),
      ),
      replaces: rows.flatMap(({ replaces }) => replaces),
    };
  },
  // Rows of the table itself, under other keys.
  (table, random) => {
    const columns = [...table.keys, ...table.others].join(', ');
    const key = keyAt(table, random.key);
    const others = table.others.map((column, place) => (place === 0 ? column : 'null')).join(', ');
    return plain(
      `insert or ignore into ${table.name} (${columns}) select ${places(key.length)}, ${others} from ${table.name} limit 2`,
      key,
    );
  },
  // Every key at once, by turns with those in the way pushed out.
  (table, random) => {
    if (!isNumbered(table)) return move('update')(table, random);
    const isReplacing = random.other % 3 === 0;
    const to = ['-id', 'id - 1', 'id + 1', '-id - 1'][random.value % 4] ?? '-id';
    return {
      ...plain(`update${isReplacing ? ' or replace' : ''} ${table.name} set id = ${to}`, []),
      moves: isReplacing ? 'allReplacing' : 'all',
      stays: to === '-id' ? [0n] : null,
    };
  },
  update('update or fail'),
  // Where it fails, the whole transaction is undone: only where it cannot.
  (table, random) => update(table.name === 'by_text' ? 'update or rollback' : 'update')(table, random),
  // A rowid beside its key moves alone.
  (table, random) =>
    isBare(table) || isNumbered(table)
      ? update('update')(table, random)
      : plain(`update or ignore ${table.name} set ${rowidOf(table)} = ? where ${whereKey(table)}`, [
          BigInt(random.value % 30),
          ...keyAt(table, random.key),
        ]),
];

/** How many forms there are: `form` is taken modulo this. */
export const STATEMENT_FORMS = MAKERS.length;

/** Spells a random statement out, of one of these tables. */
export function makeStatement(random: RandomStatement, tables: readonly CaptureTable[]): CaptureStatement {
  const table = present(tables[random.table % tables.length], 'a table');
  const maker = present(MAKERS[random.form % MAKERS.length], 'a form');
  return { table, ...maker(table, random) };
}
