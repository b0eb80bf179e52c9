import { beforeEach, expect, test } from 'vitest';

import { freshReplicas } from '../support/fresh-replicas.ts';
import { dumpFile, syncAll } from '../support/replica-world.ts';
import type { TestReplica } from '../support/replica-world.ts';
import { testSchemaCases, warningsOf } from '../support/schema-case.ts';

const BASE = `CREATE TABLE t (id INTEGER PRIMARY KEY, b TEXT, n INTEGER); CREATE TABLE lg (id INTEGER PRIMARY KEY, x TEXT);
  INSERT INTO t VALUES (1, 'one', 1)`;

testSchemaCases([
  {
    title: 'views and triggers replicate, and those that are equal converge',
    base: BASE,
    moves: [
      `a: CREATE VIEW tv AS SELECT b FROM t WHERE b <> ''; CREATE TRIGGER tt AFTER INSERT ON t BEGIN INSERT INTO lg (x) VALUES (new.b); END`,
      `b: create view "tv" as select b from t where (b <> ''); create trigger tt after insert on t for each row begin insert into lg (x) values (new.b); end`,
    ],
    end: { objects: ['t', 'lg', 'tv', 'tt'], rows: { 'SELECT * FROM tv': [['one']] } },
  },
  {
    title: 'of two views of one name the later holds, everywhere',
    base: BASE,
    moves: ['a: CREATE VIEW tv AS SELECT b FROM t', 'wait 9', 'b: CREATE VIEW tv AS SELECT n FROM t'],
    end: { ddl: { tv: /SELECT n/ }, rows: { 'SELECT * FROM tv': [[1]] } },
  },
  {
    title: 'of two triggers of one name the later holds, everywhere',
    base: BASE,
    moves: [
      `a: CREATE TRIGGER tt AFTER INSERT ON t BEGIN INSERT INTO lg (x) VALUES ('a'); END`,
      'wait 9',
      `b: CREATE TRIGGER tt AFTER DELETE ON t BEGIN INSERT INTO lg (x) VALUES ('b'); END`,
    ],
    end: { ddl: { tt: /AFTER DELETE/ } },
  },
  {
    title: 'a view that is dropped by one who knew of the earlier one alone: the later stays',
    base: BASE,
    moves: [
      'a: CREATE VIEW tv AS SELECT b FROM t',
      'wait 9',
      'b: CREATE VIEW tv AS SELECT n FROM t',
      'a: DROP VIEW tv',
    ],
    end: { ddl: { tv: /SELECT n/ } },
  },
  {
    title: 'of two views the later is dropped by its author: the earlier shows again',
    base: BASE,
    moves: [
      'a: CREATE VIEW tv AS SELECT b FROM t',
      'wait 9',
      'b: CREATE VIEW tv AS SELECT n FROM t',
      'b: DROP VIEW tv',
    ],
    end: { ddl: { tv: /SELECT b/ } },
  },
  {
    title: 'a view that is dropped and made anew, in one transaction',
    base: `${BASE}; CREATE VIEW tv AS SELECT b FROM t`,
    moves: ['a: BEGIN; DROP VIEW tv; CREATE VIEW tv AS SELECT id, b FROM t; COMMIT'],
    end: { ddl: { tv: /SELECT id, b/ } },
  },
  {
    title: 'C020 renames of a table and a column carry views, triggers and indexes along; texts are equal',
    base: `${BASE}; CREATE TABLE heard (x); CREATE VIEW tv AS SELECT b FROM t WHERE b <> '';
      CREATE TRIGGER tt AFTER INSERT ON t BEGIN INSERT INTO heard (x) VALUES (new.b); END;
      CREATE INDEX ti ON t (b) WHERE b IS NOT NULL`,
    moves: [
      `a: ALTER TABLE t RENAME COLUMN b TO "b new"; ALTER TABLE t RENAME TO t9; INSERT INTO t9 VALUES (2, 'v', 2)`,
      `b: INSERT INTO t VALUES (5, 'from b', 5)`,
    ],
    end: {
      objects: ['t9', 'lg', 'heard', 'tv', 'tt', 'ti'],
      ddl: { tv: /"b new"/, tt: /t9/, ti: /t9 \("b new"\)/ },
      rows: {
        'SELECT * FROM tv ORDER BY 1': [['from b'], ['one'], ['v']],
      },
    },
  },
  {
    title: 'a view made meanwhile with the old names is rendered with the new ones',
    base: BASE,
    moves: [
      'a: ALTER TABLE t RENAME COLUMN b TO body; ALTER TABLE t RENAME TO note',
      `b: CREATE VIEW tv AS SELECT t.b AS "b", 'b of t' AS c FROM t WHERE t.b <> 'b'`,
      `b: CREATE TRIGGER tt AFTER UPDATE OF b ON t WHEN new.b <> old.b BEGIN INSERT INTO lg (x) SELECT b FROM t WHERE id = new.id; END`,
      `b: CREATE INDEX ti ON t (lower(b)) WHERE b <> 'b'`,
    ],
    end: {
      objects: ['note', 'lg', 'tv', 'tt', 'ti'],
      ddl: { tv: /note\.body/, tt: /UPDATE OF body ON note/, ti: /lower\(body\)/ },
      rows: { 'SELECT b, c FROM tv': [['one', 'b of t']] },
    },
  },
  {
    title: 'a view that uses what is dropped is parked everywhere, and comes back with the table',
    base: `${BASE}; CREATE VIEW tv AS SELECT b FROM t`,
    moves: [
      'a: DROP TABLE t',
      'a>b',
      `b: CREATE TABLE t (id INTEGER PRIMARY KEY, b TEXT); INSERT INTO t VALUES (1, 'again')`,
    ],
    end: { objects: ['t', 'lg', 'tv'], rows: { 'SELECT * FROM tv': [['again']] }, mayWarn: true },
  },
  {
    title: 'a view whose column is dropped is out of the file, and later renames work',
    base: `${BASE}; CREATE VIEW tv AS SELECT b FROM t; CREATE VIEW over AS SELECT * FROM tv`,
    moves: [
      'a: ALTER TABLE t DROP COLUMN b',
      'a>b',
      'b: ALTER TABLE t RENAME COLUMN n TO m',
      'b: ALTER TABLE lg RENAME TO log',
    ],
    end: { objects: ['t', 'log'], tables: { t: ['id', 'm'] }, mayWarn: true },
  },
  {
    title: 'a view made meanwhile on a column that is dropped is parked',
    base: BASE,
    moves: ['a: ALTER TABLE t DROP COLUMN b', 'b: CREATE VIEW tv AS SELECT b FROM t'],
    end: { objects: ['t', 'lg'], mayWarn: true },
  },
  {
    title: 'a dropped view stays dropped where it is parked',
    base: `${BASE}; CREATE VIEW tv AS SELECT b FROM t`,
    moves: [
      'a: DROP TABLE t',
      'b: DROP VIEW tv',
      'a>b',
      'b>a',
      'a: CREATE TABLE t (id INTEGER PRIMARY KEY, b TEXT)',
    ],
    end: { objects: ['lg', 't'], mayWarn: true },
  },
  {
    title: 'triggers go with their table, and do not come back with another of its name',
    base: `${BASE}; CREATE TRIGGER tt AFTER INSERT ON t BEGIN INSERT INTO lg (x) VALUES (new.b); END`,
    moves: [
      'a: DROP TABLE t; CREATE TABLE t (id INTEGER PRIMARY KEY, b TEXT)',
      `b: INSERT INTO lg VALUES (8, 'b')`,
    ],
    end: { objects: ['t', 'lg'], mayWarn: true },
  },
  {
    title: 'triggers instead of writing to a view',
    base: BASE,
    moves: [
      `a: CREATE VIEW tv AS SELECT id, b FROM t; CREATE TRIGGER tvi INSTEAD OF INSERT ON tv BEGIN INSERT INTO t (id, b) VALUES (new.id, new.b); END`,
      'a>b',
      `b: INSERT INTO tv VALUES (7, 'by the view')`,
      'a: ALTER TABLE t RENAME TO note',
      // SQLite's own answer: the trigger says new.b, and the view would have no b any more.
      'a refuses /after rename/: ALTER TABLE note RENAME COLUMN b TO body',
    ],
    end: {
      objects: ['note', 'lg', 'tv', 'tvi'],
      rows: { 'SELECT id, b FROM note WHERE id = 7': [[7, 'by the view']] },
    },
  },
  {
    title: 'views on a view whose column is renamed meanwhile are parked',
    base: BASE,
    moves: [
      'a: CREATE VIEW z AS SELECT b FROM t; CREATE VIEW y AS SELECT b FROM z; CREATE VIEW x AS SELECT b FROM y',
      'b: ALTER TABLE t RENAME TO tt; ALTER TABLE tt RENAME COLUMN b TO bb',
    ],
    end: { objects: ['tt', 'lg', 'z'], rows: { 'SELECT bb FROM z': [['one']] }, mayWarn: true },
  },
  {
    title: 'a trigger on a table that is renamed, with the old table`s name used again',
    base: `${BASE}; CREATE TRIGGER tt AFTER INSERT ON t BEGIN INSERT INTO lg (x) VALUES (new.b); END`,
    moves: [
      'a: ALTER TABLE t RENAME TO old_t; CREATE TABLE t (id INTEGER PRIMARY KEY, c TEXT)',
      `b: INSERT INTO t (id, b) VALUES (3, 'told')`,
    ],
    end: { ddl: { tt: /ON old_t/ }, rows: { 'SELECT x FROM lg': [['told']], 'SELECT * FROM t': [] } },
  },
]);

const { world, a, b } = freshReplicas(['a', 'b']);
beforeEach(() => {
  a.exec(BASE);
  b.pull(a);
});

const names = (replica: TestReplica): readonly string[] =>
  replica
    .core()
    .catalog()
    .objects.filter(({ isParked }) => !isParked)
    .map(({ name }) => name);

test('triggers are silent for admitted rows: what they wrote comes as rows of its own, once', () => {
  a.exec(`CREATE TRIGGER tt AFTER INSERT ON t BEGIN INSERT INTO lg (x) VALUES (new.b); END`);
  b.pull(a);
  a.exec(`INSERT INTO t VALUES (2, 'a', 2)`);
  b.exec(`INSERT INTO t VALUES (3, 'b', 3)`);
  syncAll([a, b]);
  // Both triggers drew the key 1: of the cells of one row the later hold, and nothing fired twice.
  for (const replica of [a, b]) expect(replica.rows('SELECT x FROM lg')).toEqual([['b']]);
  expect(names(b)).toContain('tt');
});

test('C047 a trigger that keeps a full-text index stays in force for admitted rows where the index is', () => {
  for (const replica of [a, b])
    replica.plain(`CREATE VIRTUAL TABLE t_fts USING fts5 (b, content = 't', content_rowid = 'id')`);
  a.exec(
    `CREATE TRIGGER t_ai AFTER INSERT ON t BEGIN INSERT INTO t_fts (rowid, b) VALUES (new.id, new.b); END`,
  );
  b.pull(a);
  a.exec(`INSERT INTO t VALUES (2, 'hello world', 2)`);
  b.pull(a);
  for (const replica of [a, b])
    expect(replica.rows(`SELECT rowid FROM t_fts WHERE t_fts MATCH 'hello'`)).toEqual([[2n]]);
});

test('C047 where there is no such index, the trigger is parked by name, and inserts work', () => {
  a.plain(`CREATE VIRTUAL TABLE t_fts USING fts5 (b, content = 't', content_rowid = 'id')`);
  a.exec(`CREATE TRIGGER t_ai AFTER INSERT ON t BEGIN INSERT INTO t_fts (rowid, b) VALUES (new.id, new.b); END;
    INSERT INTO t VALUES (2, 'hello world', 2)`);
  b.pull(a);
  b.exec(`INSERT INTO t VALUES (3, 'from b', 3)`);
  expect(b.rows('SELECT id FROM t ORDER BY id')).toEqual([[1n], [2n], [3n]]);
  expect(warningsOf(b).join()).toMatch(/t_ai/);
  expect(names(b)).not.toContain('t_ai');
  a.pull(b);
  expect(a.rows('SELECT id FROM t ORDER BY id')).toEqual([[1n], [2n], [3n]]);
});

test('C049 a trigger that calls a function which this file`s programs lack does not stop what is admitted', () => {
  a.plain(`CREATE TABLE other (id INTEGER PRIMARY KEY, v TEXT);
    CREATE TRIGGER bk AFTER INSERT ON t BEGIN UPDATE t SET b = title_sort(new.b) WHERE id = new.id; END;
    INSERT INTO other VALUES (1, 'x')`);
  b.pull(a);
  expect(b.rows('SELECT * FROM other')).toEqual([[1n, 'x']]);
  const c = world.init('c');
  c.exec(`CREATE TABLE t (id INTEGER PRIMARY KEY, b TEXT, n INTEGER); INSERT INTO t VALUES (9, 'c', 9)`);
  b.pull(c);
  expect(b.core().blocked()).toEqual([]);
  expect(b.rows('SELECT b FROM t WHERE id = 9')).toEqual([['c']]);
  expect(b.core().status().fingerprint).toBe(a.core().status().fingerprint);
});

test('redelivery of views and triggers changes nothing, byte for byte', () => {
  a.exec(`CREATE VIEW tv AS SELECT b FROM t; CREATE TRIGGER tt AFTER INSERT ON t BEGIN INSERT INTO lg (x) VALUES (new.b); END;
    DROP VIEW tv; CREATE VIEW tv AS SELECT n FROM t`);
  const { pages } = b.pull(a);
  const before = dumpFile(b);
  for (const page of pages) b.core().admitPage({ ...a.core().identity(), nowMs: world.nowMs() }, page);
  expect(dumpFile(b)).toBe(before);
});
