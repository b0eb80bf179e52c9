import Database from 'better-sqlite3';
import { beforeEach, expect, test } from 'vitest';

import { freshReplicas } from '../support/fresh-replicas.ts';
import { problemsOf, syncAll } from '../support/replica-world.ts';
import type { TestReplica } from '../support/replica-world.ts';
import { expectSame, testSchemaCases } from '../support/schema-case.ts';

// What other programs do to the schema with plain SQLite, told from the catalog alone.

const ITEM = `CREATE TABLE item (id INTEGER PRIMARY KEY, sku TEXT, n INTEGER); INSERT INTO item VALUES (1, 'A', 10), (2, 'B', 20)`;

testSchemaCases([
  {
    title: 'another program renames a table: it is a rename, and rows written meanwhile are in it',
    base: ITEM,
    moves: [
      `a plain: ALTER TABLE item RENAME TO thing; INSERT INTO thing VALUES (3, 'C', 30)`,
      `b: INSERT INTO item VALUES (4, 'D', 40); UPDATE item SET sku = 'A2' WHERE id = 1`,
    ],
    end: {
      objects: ['thing'],
      rows: {
        'SELECT id, sku FROM thing ORDER BY id': [
          [1, 'A2'],
          [2, 'B'],
          [3, 'C'],
          [4, 'D'],
        ],
      },
    },
  },
  {
    title: 'another program renames a column: it is a rename',
    base: ITEM,
    moves: [
      `a plain: ALTER TABLE item RENAME COLUMN sku TO code; UPDATE item SET code = 'A2' WHERE id = 1`,
      `b: UPDATE item SET sku = 'B2' WHERE id = 2`,
    ],
    end: {
      tables: { item: ['id', 'code', 'n'] },
      rows: { 'SELECT code FROM item ORDER BY id': [['A2'], ['B2']] },
    },
  },
  {
    title: 'another program renames the key column, a column and the table in one go',
    base: ITEM,
    moves: [
      `a plain: BEGIN; ALTER TABLE item RENAME COLUMN id TO no; ALTER TABLE item RENAME COLUMN sku TO code; ALTER TABLE item RENAME TO thing; COMMIT`,
      `b: INSERT INTO item VALUES (3, 'C', 30); DELETE FROM item WHERE id = 1`,
    ],
    end: {
      rows: {
        'SELECT no, code, n FROM thing ORDER BY no': [
          [2, 'B', 20],
          [3, 'C', 30],
        ],
      },
    },
  },
  {
    title: 'another program lets two columns change names, and two tables',
    base: `${ITEM}; CREATE TABLE other (id INTEGER PRIMARY KEY, v TEXT); INSERT INTO other VALUES (1, 'o')`,
    moves: [
      `a plain: BEGIN; ALTER TABLE item RENAME COLUMN sku TO t; ALTER TABLE item RENAME COLUMN n TO sku; ALTER TABLE item RENAME COLUMN t TO n;
         ALTER TABLE item RENAME TO t; ALTER TABLE other RENAME TO item; ALTER TABLE t RENAME TO other; COMMIT`,
      `b: UPDATE item SET sku = 'A2' WHERE id = 1; UPDATE other SET v = 'o2'`,
    ],
    end: {
      rows: {
        'SELECT id, n, sku FROM other ORDER BY id': [
          [1, 'A2', 10],
          [2, 'B', 20],
        ],
        'SELECT * FROM item': [[1, 'o2']],
      },
    },
  },
  {
    title: 'another program adds a column and fills it before anybody looks',
    base: ITEM,
    moves: [
      `a plain: ALTER TABLE item ADD COLUMN done INTEGER DEFAULT 0; UPDATE item SET done = 1 WHERE id = 1; INSERT INTO item VALUES (3, 'C', 30, 7)`,
      `b: INSERT INTO item VALUES (4, 'D', 40)`,
    ],
    end: {
      rows: {
        'SELECT id, done FROM item ORDER BY id': [
          [1, 1],
          [2, 0],
          [3, 7],
          [4, 0],
        ],
      },
    },
  },
  {
    title: 'another program creates and drops tables, indexes, views and triggers',
    base: `${ITEM}; CREATE INDEX old_i ON item (n); CREATE VIEW old_v AS SELECT n FROM item; CREATE TABLE gone (id INTEGER PRIMARY KEY);
      CREATE TABLE hist (id INTEGER PRIMARY KEY, w); CREATE TRIGGER old_t AFTER DELETE ON item BEGIN INSERT INTO hist (w) VALUES (old.id); END`,
    moves: [
      `a plain: DROP INDEX old_i; DROP VIEW old_v; DROP TRIGGER old_t; DROP TABLE gone; CREATE INDEX new_i ON item (sku);
        CREATE VIEW new_v AS SELECT sku FROM item; CREATE TABLE made (id INTEGER PRIMARY KEY, v); INSERT INTO made VALUES (1, 'm');
        CREATE TRIGGER new_t AFTER INSERT ON made BEGIN INSERT INTO hist (w) VALUES (new.v); END`,
      `a plain: INSERT INTO made VALUES (2, 'told')`,
    ],
    end: {
      objects: ['item', 'hist', 'new_i', 'new_v', 'made', 'new_t'],
      rows: {
        'SELECT * FROM made': [
          [1, 'm'],
          [2, 'told'],
        ],
        'SELECT w FROM hist': [['told']],
      },
    },
  },
  {
    title: 'another program puts another index, view and trigger under the same names',
    base: `${ITEM}; CREATE INDEX i ON item (n); CREATE VIEW v AS SELECT n FROM item; CREATE TABLE hist (id INTEGER PRIMARY KEY, w);
      CREATE TRIGGER tr AFTER DELETE ON item BEGIN INSERT INTO hist (w) VALUES (old.id); END`,
    moves: [
      `a plain: DROP INDEX i; CREATE INDEX i ON item (sku); DROP VIEW v; CREATE VIEW v AS SELECT sku FROM item; DROP TRIGGER tr;
        CREATE TRIGGER tr AFTER INSERT ON item BEGIN INSERT INTO hist (w) VALUES (new.sku); END`,
    ],
    end: {
      ddl: { i: /\(sku\)/, v: /SELECT sku/, tr: /AFTER INSERT/ },
      objects: ['item', 'i', 'v', 'hist', 'tr'],
    },
  },
  {
    title: 'a table is dropped and another made under its name, by another program',
    base: ITEM,
    moves: [
      `a plain: DROP TABLE item; CREATE TABLE item (code TEXT PRIMARY KEY, w REAL); INSERT INTO item VALUES ('x', 1.5)`,
    ],
    end: { tables: { item: ['code', 'w'] }, rows: { 'SELECT * FROM item': [['x', 1.5]] } },
  },
  {
    title:
      'C017 a table swap keeps the table, adds a column, drops one, and deletes what the author no longer has',
    base: ITEM,
    moves: [
      `b: INSERT INTO item VALUES (3, 'C', 30)`,
      `a plain: BEGIN; CREATE TABLE item_new (id INTEGER PRIMARY KEY, sku TEXT, w TEXT DEFAULT 'w'); INSERT INTO item_new (id, sku) SELECT id, lower(sku) FROM item WHERE id <> 2;
         DROP TABLE item; ALTER TABLE item_new RENAME TO item; COMMIT`,
      `a plain: INSERT INTO item VALUES (9, 'i', 'later')`,
    ],
    end: {
      objects: ['item'],
      tables: { item: ['id', 'sku', 'w'] },
      rows: {
        'SELECT id, sku FROM item ORDER BY id': [
          [1, 'a'],
          [3, 'C'],
          [9, 'i'],
        ],
      },
      mayWarn: true,
    },
  },
  {
    title: 'a table swap that only changes a type: what people do for want of ALTER COLUMN',
    base: `${ITEM}; CREATE INDEX item_n ON item (n); CREATE TABLE child (id INTEGER PRIMARY KEY, item INTEGER REFERENCES item (id)); INSERT INTO child VALUES (1, 2)`,
    moves: [
      `a plain: PRAGMA foreign_keys = OFF; BEGIN; CREATE TABLE item_new (id INTEGER PRIMARY KEY, sku TEXT NOT NULL, n REAL); INSERT INTO item_new SELECT * FROM item;
         DROP TABLE item; ALTER TABLE item_new RENAME TO item; CREATE INDEX item_n ON item (n); COMMIT`,
      `b: UPDATE item SET n = 21 WHERE id = 2`,
    ],
    end: {
      objects: ['item', 'item_n', 'child'],
      ddl: { item: /sku TEXT NOT NULL[\s\S]*n REAL/ },
      rows: {
        'SELECT id, n, typeof(n) FROM item ORDER BY id': [
          [1, 10, 'real'],
          [2, 21, 'real'],
        ],
        'SELECT * FROM child': [[1, 2]],
      },
      mayWarn: true,
    },
  },
  {
    title: 'temporary, virtual and shadow tables and what hangs on them are left out on create and on drop',
    base: ITEM,
    moves: [
      `a plain: CREATE TEMP TABLE scratch (x); CREATE VIRTUAL TABLE item_fts USING fts5 (sku, content = 'item', content_rowid = 'id');
         CREATE TABLE next (id INTEGER PRIMARY KEY); INSERT INTO next VALUES (1)`,
      `a plain: DROP TABLE item_fts; INSERT INTO next VALUES (2)`,
    ],
    end: { objects: ['item', 'next'], rows: { 'SELECT * FROM next': [[1], [2]] }, mayWarn: true },
  },
  {
    title: 'a rename that SQLite carries into views and triggers is one change, not several',
    base: `${ITEM}; CREATE VIEW v AS SELECT sku FROM item; CREATE TABLE hist (id INTEGER PRIMARY KEY, w);
      CREATE TRIGGER tr AFTER UPDATE OF sku ON item BEGIN INSERT INTO hist (w) VALUES (new.sku); END; CREATE INDEX i ON item (sku) WHERE sku <> ''`,
    moves: [
      'a plain: ALTER TABLE item RENAME COLUMN sku TO code; ALTER TABLE item RENAME TO thing',
      `b: UPDATE item SET sku = 'A2' WHERE id = 1`,
    ],
    end: {
      objects: ['thing', 'v', 'hist', 'tr', 'i'],
      ddl: { v: /code[\s\S]*thing/, tr: /code[\s\S]*thing[\s\S]*code/, i: /thing \(code\) WHERE code/ },
      rows: { 'SELECT w FROM hist': [['A2']] },
    },
  },
]);

const { world, a, b } = freshReplicas(['a', 'b']);
beforeEach(() => {
  a.exec(ITEM);
  b.pull(a);
});

const typesOf = (replica: TestReplica): readonly string[] =>
  replica
    .core()
    .migrations({ limit: 20 })
    .map(({ type, object }) => `${type} ${object}`);

test('C020 the renames of another program travel as two renames and nothing else', () => {
  a.exec('CREATE VIEW v AS SELECT sku FROM item; CREATE INDEX i ON item (sku)');
  b.pull(a);
  a.plain('ALTER TABLE item RENAME COLUMN sku TO code; ALTER TABLE item RENAME TO thing');
  a.core().notice();
  expect(typesOf(a).slice(0, -3).toSorted()).toEqual(['rename_column thing', 'rename_table thing']);
});

test('what Concord`s own trigger forbids is refused by SQLite, and done through Concord', () => {
  expect(() => a.plain('ALTER TABLE item DROP COLUMN sku')).toThrow(/_concord_/);
  a.exec('ALTER TABLE item DROP COLUMN sku');
  syncAll([a, b]);
  for (const replica of [a, b])
    expect(replica.rows('SELECT * FROM item')).toEqual([
      [1n, 10n],
      [2n, 20n],
    ]);
});

test('a text that another program edits through writable_schema is an alteration', () => {
  const raw = new Database(a.path);
  raw.unsafeMode();
  raw.exec(`PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, 'n INTEGER', 'n INTEGER DEFAULT 5') WHERE name = 'item';
    PRAGMA writable_schema = RESET; CREATE TABLE bump (id INTEGER PRIMARY KEY)`);
  raw.close();
  b.pull(a);
  b.exec('INSERT INTO item (id) VALUES (3)');
  expect(b.rows('SELECT n FROM item WHERE id = 3')).toEqual([[5n]]);
  expectSame([a, b]);
});

test('an attached file: its catalog reaches the peers, and is altered as any other', () => {
  const c = world.attach(
    'c',
    `CREATE TABLE doc (id TEXT PRIMARY KEY, body TEXT, size AS (length(body))); CREATE INDEX doc_body ON doc (body);
     CREATE VIEW docs AS SELECT id FROM doc; CREATE TABLE log (id INTEGER PRIMARY KEY, w);
     CREATE TRIGGER doc_log AFTER INSERT ON doc BEGIN INSERT INTO log (w) VALUES (new.id); END; INSERT INTO doc VALUES ('d1', 'one')`,
  );
  b.pull(c);
  c.plain('ALTER TABLE doc RENAME COLUMN body TO content; ALTER TABLE doc ADD COLUMN w TEXT');
  b.exec(`ALTER TABLE doc ALTER COLUMN body SET DEFAULT 'empty'; INSERT INTO doc (id) VALUES ('d2')`);
  syncAll([a, b, c]);
  for (const replica of [a, b, c]) {
    expect(replica.core().blocked()).toEqual([]);
    expect(replica.rows('SELECT id, content, size FROM doc ORDER BY id')).toEqual([
      ['d1', 'one', 3n],
      ['d2', 'empty', 5n],
    ]);
    expect(problemsOf(replica)).toEqual([]);
  }
  expect(new Set([a, b, c].map((replica) => replica.core().status().fingerprint)).size).toBe(1);
});

test('a table without a key replicates its schema, its rows stay, and a finding says so', () => {
  a.exec(
    'CREATE TABLE loose (v TEXT); INSERT INTO loose VALUES (1); ALTER TABLE loose ADD COLUMN w; ALTER TABLE loose RENAME TO looser',
  );
  b.pull(a);
  expect(b.rows('SELECT * FROM looser')).toEqual([]);
  expect(a.core().findings()).toMatchObject([{ kind: 'noPrimaryKey' }]);
  expect(a.core().status().fingerprint).toBe(b.core().status().fingerprint);
  a.exec(
    'ALTER TABLE looser ADD COLUMN id INTEGER; UPDATE looser SET id = 1; ALTER TABLE looser ALTER PRIMARY KEY (id)',
  );
  b.pull(a);
  expect(b.rows('SELECT id, v FROM looser')).toEqual([[1n, '1']]);
  expect(a.core().findings()).toEqual([]);
});
