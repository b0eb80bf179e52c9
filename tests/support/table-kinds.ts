// Every kind of table that SQLite has, each with the same parts under names of its own: a key, a text column `v` that an
// index, a view and a trigger use, a number `n`, a column `x` that nothing uses, and a child table that points to it.

export interface TableKind {
  readonly title: string;
  /** Names as they are written in SQL. */
  readonly t: string;
  readonly v: string;
  readonly n: string;
  readonly x: string;
  /** Key columns, comma between. */
  readonly key: string;
  readonly create: string;
  /** Rows with `v` 'one', 'two', NULL and `n` 1, 2, 3. */
  readonly rows: string;
  /** Whether `rowid` names the place of a row. */
  readonly hasRowid: boolean;
}

const plain = { t: 't', v: 'v', n: 'n', x: 'x', key: 'id', hasRowid: true };
const ROWS = `INSERT INTO t (id, v, n, x) VALUES (1, 'one', 1, 'x1'), (2, 'two', 2, 'x2'), (7, NULL, 3, 'x3')`;

export const TABLE_KINDS: readonly TableKind[] = [
  {
    ...plain,
    title: 'an integer key',
    create: 'CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT, n INTEGER, x)',
    rows: ROWS,
  },
  {
    ...plain,
    title: 'AUTOINCREMENT',
    create: 'CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, v TEXT, n INTEGER, x)',
    rows: `${ROWS}; INSERT INTO t (id) VALUES (900); DELETE FROM t WHERE id = 900`,
  },
  {
    ...plain,
    title: 'a text key with rowids',
    create: 'CREATE TABLE t (id TEXT PRIMARY KEY, v TEXT, n INTEGER, x)',
    rows: `INSERT INTO t (rowid, id, v, n, x) VALUES (40, 'a', 'one', 1, 'x1'), (30, 'b', 'two', 2, 'x2'), (35, 'c', NULL, 3, 'x3')`,
  },
  {
    ...plain,
    title: 'WITHOUT ROWID',
    create: 'CREATE TABLE t (id TEXT, v TEXT, n INTEGER, x, PRIMARY KEY (id)) WITHOUT ROWID',
    rows: `INSERT INTO t VALUES ('a', 'one', 1, 'x1'), ('b', 'two', 2, 'x2'), ('c', NULL, 3, 'x3')`,
    hasRowid: false,
  },
  {
    ...plain,
    title: 'STRICT',
    create: 'CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT, n INTEGER, x ANY) STRICT',
    rows: ROWS,
  },
  {
    ...plain,
    title: 'STRICT and WITHOUT ROWID',
    create: 'CREATE TABLE t (id TEXT PRIMARY KEY, v TEXT, n INTEGER, x ANY) WITHOUT ROWID, STRICT',
    rows: `INSERT INTO t VALUES ('a', 'one', 1, 'x1'), ('b', 'two', 2, 'x2'), ('c', NULL, 3, 'x3')`,
    hasRowid: false,
  },
  {
    ...plain,
    title: 'generated columns',
    create: `CREATE TABLE t (id INTEGER PRIMARY KEY, twice AS (n * 2), v TEXT, n INTEGER, x,
      loud TEXT GENERATED ALWAYS AS (upper(v)) STORED)`,
    rows: ROWS,
  },
  {
    ...plain,
    title: 'a composite and collated key',
    key: 'id, b',
    create:
      'CREATE TABLE t (id TEXT COLLATE NOCASE, v TEXT, n INTEGER, x, b INTEGER, PRIMARY KEY (id, b DESC))',
    rows: `INSERT INTO t (id, b, v, n, x) VALUES ('a', 1, 'one', 1, 'x1'), ('A', 2, 'two', 2, 'x2'), ('b', 1, NULL, 3, 'x3')`,
  },
  {
    ...plain,
    title: 'a reference to itself, checks and unique constraints',
    create: `CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT, n INTEGER, x,
      up INTEGER REFERENCES t (id) ON DELETE CASCADE ON UPDATE CASCADE, CONSTRAINT n_small CHECK (n < 1000), UNIQUE (n, v))`,
    rows: `INSERT INTO t (id, v, n, x, up) VALUES (1, 'one', 1, 'x1', NULL), (2, 'two', 2, 'x2', 1), (7, NULL, 3, 'x3', 1)`,
  },
  {
    title: 'names of all four styles, keywords, emoji, and comments anywhere',
    t: '"or""der by"',
    v: '"naïve 🎵"',
    n: '"group"',
    x: '"select"',
    key: '"a b"',
    create: `CREATE /* a */ TABLE [or"der by] -- the table
      ( "a b" /* key */ INTEGER PRIMARY KEY, \`naïve 🎵\` TEXT, 'group' INTEGER, -- n, not x
        [select] )`,
    rows: `INSERT INTO "or""der by" VALUES (1, 'one', 1, 'x1'), (2, 'two', 2, 'x2'), (7, NULL, 3, 'x3')`,
    hasRowid: true,
  },
];

/** An index of each sort, a view, a trigger with its log, and a child table with a row for every row of the parent. */
export const companions = ({ t, v, n, key }: TableKind): string => `
  CREATE INDEX by_v ON ${t} (${v}); CREATE UNIQUE INDEX by_n ON ${t} (${n}) WHERE ${n} > 0;
  CREATE INDEX by_low ON ${t} (lower(${v}) COLLATE NOCASE DESC, ${n});
  CREATE VIEW seen AS SELECT ${v} AS v, ${n} AS n FROM ${t} WHERE ${v} IS NOT NULL;
  CREATE TABLE hist (id INTEGER PRIMARY KEY, what TEXT);
  CREATE TRIGGER told AFTER UPDATE OF ${v} ON ${t} WHEN new.${v} IS NOT old.${v}
    BEGIN INSERT INTO hist (what) VALUES (new.${v} || ';'); END;
  CREATE TABLE child (k INTEGER PRIMARY KEY, ${keyColumns(key)},
    FOREIGN KEY (${childKey(key)}) REFERENCES ${t} (${key}) ON DELETE CASCADE ON UPDATE CASCADE);
  INSERT INTO child (${childKey(key)}) SELECT ${key} FROM ${t}`;

const childKey = (key: string): string =>
  key
    .split(', ')
    .map((_column, place) => `p${place}`)
    .join(', ');

const keyColumns = (key: string): string => childKey(key).replaceAll(/p\d/g, '$& COLLATE NOCASE');

/** Puts a kind's names in the place of {t}, {v}, {n}, {x}, {key}. */
export const withNames = (sql: string, kind: TableKind): string =>
  sql.replaceAll(/\{(t|v|n|x|key)\}/g, (_all, name: 't' | 'v' | 'n' | 'x' | 'key') => kind[name]);
