import { expect, test } from 'vitest';

import { freshReplicas } from '../support/fresh-replicas.ts';
import { dumpFile, syncAll, syncBoth } from '../support/replica-world.ts';
import type { TestReplica } from '../support/replica-world.ts';

const { world, a, b } = freshReplicas(['a', 'b']);

/** Kind, table, count and keys of each finding. */
const found = (on: TestReplica): unknown =>
  on
    .core()
    .findings()
    .map(({ kind, table, rowCount, rows }) => [kind, table, rowCount, rows.map(({ key }) => key)]);

const FAMILY = `CREATE TABLE parent (id INTEGER PRIMARY KEY, v);
  CREATE TABLE child (id INTEGER PRIMARY KEY, p INTEGER REFERENCES parent (id), n INTEGER CHECK (n < 10));`;

/** A deletes the parent while B gives it a child: each knew nothing of the other. */
function orphan(): void {
  a.exec(`${FAMILY} INSERT INTO parent VALUES (1, 'x'), (2, 'y')`);
  syncBoth(a, b);
  a.exec('DELETE FROM parent WHERE id = 1');
  b.exec('INSERT INTO child VALUES (7, 1, 1), (8, 2, 1), (9, 1, 1)');
  syncBoth(a, b);
}

const ORPHANS = ['foreignKey', 'child', 2, [[7], [9]]];

test('D07 a foreign key broken by a merge: rows land, one finding with the row keys and advice, on both sides', () => {
  orphan();
  for (const replica of [a, b]) {
    expect(replica.rows('SELECT id FROM child')).toEqual([[7n], [8n], [9n]]);
    expect(found(replica)).toEqual([ORPHANS]);
    const [finding] = replica.core().findings();
    expect(finding?.detail).toContain('refer by p to rows of parent (id) that are not there');
    expect(finding?.advice).toContain('Insert the missing rows of parent');
    expect(replica.core().status().findings).toBe(1);
    expect(replica.core().blocked()).toEqual([]);
  }
});

test('D07 a finding is not repeated when the batch comes again', () => {
  a.exec(FAMILY);
  syncBoth(a, b);
  b.plain('INSERT INTO child VALUES (7, 1, 1), (8, 2, 1)');
  a.pull(b, { times: 3 });
  expect(found(a)).toEqual([['foreignKey', 'child', 2, [[7], [8]]]]);
  const before = dumpFile(a);
  a.pull(b, { times: 2 });
  expect(dumpFile(a)).toBe(before);
});

test.for<readonly [string, string, (on: TestReplica, sql: string) => void]>([
  ['the parent arrives', `INSERT INTO parent VALUES (1, 'again')`, (_on, sql) => void b.exec(sql)],
  [
    'the parent is inserted by Concord',
    `INSERT INTO parent VALUES (1, 'again')`,
    (on, sql) => void on.exec(sql),
  ],
  [
    'another program inserts the parent',
    `INSERT INTO parent VALUES (1, 'again')`,
    (on, sql) => {
      on.plain(sql);
    },
  ],
  ['the rows are deleted', 'DELETE FROM child WHERE p = 1', (on, sql) => void on.exec(sql)],
  ['the rows are deleted elsewhere', 'DELETE FROM child WHERE p = 1', (_on, sql) => void b.exec(sql)],
  [
    'the rows refer to another parent',
    'UPDATE child SET p = 2',
    (on, sql) => {
      on.plain(sql);
    },
  ],
  ['the rows refer to none', 'UPDATE child SET p = NULL WHERE p = 1', (on, sql) => void on.exec(sql)],
  ['the table is dropped', 'DROP TABLE child', (on, sql) => void on.exec(sql)],
])('D07 a finding ends with its cause: %s', ([, sql, write]) => {
  orphan();
  write(a, sql);
  a.core().notice();
  syncBoth(a, b);
  for (const replica of [a, b]) {
    replica.core().notice();
    expect(found(replica)).toEqual([]);
  }
});

test('D07 a finding of one row goes on when another row of it is mended', () => {
  orphan();
  a.exec('DELETE FROM child WHERE id = 7');
  expect(found(a)).toEqual([['foreignKey', 'child', 1, [[9]]]]);
  syncBoth(a, b);
  expect(found(b)).toEqual([['foreignKey', 'child', 1, [[9]]]]);
});

test('D07 a CHECK broken by a merge of two cells: the row lands with a finding, which ends when it is mended', () => {
  a.exec('CREATE TABLE t (id TEXT PRIMARY KEY, lo INT, hi INT, CHECK (lo <= hi))');
  a.exec(`INSERT INTO t VALUES ('k', 1, 9)`);
  syncBoth(a, b);
  a.exec(`UPDATE t SET lo = 8`);
  b.exec(`UPDATE t SET hi = 2`);
  syncBoth(a, b);
  for (const replica of [a, b]) {
    expect(replica.rows('SELECT lo, hi FROM t')).toEqual([[8n, 2n]]);
    expect(found(replica)).toEqual([['check', 't', 1, [['k']]]]);
  }
  b.exec('UPDATE t SET hi = 20');
  expect(found(b)).toEqual([]);
  a.pull(b);
  expect(found(a)).toEqual([]);
});

test('D07 children of a deleted parent are found by the index of their key, without one by a look through the table', () => {
  for (const index of ['CREATE INDEX child_p ON child (p)', 'SELECT 1']) {
    const pair = [world.init(`a ${index}`), world.init(`b ${index}`)] as const;
    pair[0].exec(
      `${FAMILY} ${index}; INSERT INTO parent VALUES (1, 'x'); INSERT INTO child VALUES (5, 1, 1)`,
    );
    syncBoth(...pair);
    // Another program does not enforce foreign keys.
    pair[1].plain('DELETE FROM parent');
    syncBoth(...pair);
    for (const replica of pair) {
      replica.core().notice();
      expect(found(replica)).toEqual([['foreignKey', 'child', 1, [[5]]]]);
    }
  }
});

test('D07 a self-reference, and tables WITHOUT ROWID with keys of two columns', () => {
  a.exec(
    `CREATE TABLE node (x TEXT COLLATE NOCASE, y INT, px TEXT, py INT, PRIMARY KEY (x, y), FOREIGN KEY (px, py) REFERENCES node) WITHOUT ROWID`,
  );
  a.exec(`INSERT INTO node VALUES ('r', 1, NULL, NULL)`);
  syncBoth(a, b);
  a.exec(`DELETE FROM node`);
  b.exec(`INSERT INTO node VALUES ('c', 2, 'R', 1)`);
  syncBoth(a, b);
  for (const replica of [a, b]) expect(found(replica)).toEqual([['foreignKey', 'node', 1, [['c', 2]]]]);
  b.exec(`INSERT INTO node VALUES ('R', 1, NULL, NULL)`);
  syncBoth(a, b);
  for (const replica of [a, b]) expect(found(replica)).toEqual([]);
});

test('D07 a parent that goes to held takes its children into a finding, until it is back', () => {
  a.exec(`CREATE TABLE parent (id TEXT PRIMARY KEY, mail TEXT UNIQUE);
    CREATE TABLE child (id TEXT PRIMARY KEY, p TEXT REFERENCES parent); CREATE INDEX child_p ON child (p)`);
  syncBoth(a, b);
  a.exec(`INSERT INTO parent VALUES ('early', 'm')`);
  world.wait(10);
  b.exec(`INSERT INTO parent VALUES ('late', 'm'); INSERT INTO child VALUES ('c', 'late')`);
  syncBoth(a, b);
  const expected = [
    ['unique', 'parent', 1, [['late']]],
    ['foreignKey', 'child', 1, [['c']]],
  ];
  for (const replica of [a, b]) expect(new Set(found(replica) as unknown[])).toEqual(new Set(expected));
  a.exec(`DELETE FROM parent WHERE id = 'early'`);
  syncBoth(a, b);
  for (const replica of [a, b]) {
    expect(replica.rows('SELECT id FROM parent')).toEqual([['late']]);
    expect(found(replica)).toEqual([]);
  }
});

test('D06 a unique key broken by a merge: the later claim is held on every replica alike, and a finding lists both keys while it is', () => {
  const c = world.init('c');
  a.exec(`CREATE TABLE account (id TEXT PRIMARY KEY, mail TEXT UNIQUE)`);
  syncAll([a, b, c]);
  a.exec(`INSERT INTO account VALUES ('a1', 'x')`);
  world.wait(10);
  b.exec(`INSERT INTO account VALUES ('b1', 'x'), ('b2', 'y')`);
  syncAll([a, b, c]);
  for (const replica of [a, b, c]) {
    expect(replica.rows('SELECT id FROM account ORDER BY id')).toEqual([['a1'], ['b2']]);
    const [finding, ...more] = replica.core().findings();
    expect(more).toEqual([]);
    expect(finding).toMatchObject({
      kind: 'unique',
      table: 'account',
      rowCount: 1,
      rows: [{ key: ['b1'], by: ['a1'] }],
    });
    expect(finding?.detail).toContain('mail');
  }
  c.exec(`UPDATE account SET mail = 'z' WHERE id = 'a1'`);
  expect(c.rows('SELECT id, mail FROM account ORDER BY id')).toEqual([
    ['a1', 'z'],
    ['b1', 'x'],
    ['b2', 'y'],
  ]);
  syncAll([a, b, c]);
  for (const replica of [a, b, c]) {
    expect(replica.core().findings()).toEqual([]);
    expect(replica.core().heldCounts()).toEqual([]);
  }
});

test('a constraint that a column brings is looked for in the rows that are there, some at a time', () => {
  a.exec('CREATE TABLE t (id INTEGER PRIMARY KEY, n INT)');
  syncBoth(a, b);
  b.exec('INSERT INTO t VALUES (1, 5)');
  a.exec('ALTER TABLE t ADD COLUMN m INT DEFAULT 1 CHECK (m > n)');
  syncBoth(a, b);
  for (const replica of [a, b]) {
    replica.core().notice();
    expect(found(replica)).toEqual([['check', 't', 1, [[1]]]]);
  }
});

test('so many rows that not all are listed: the list is bounded, and the rest is found once it is short', () => {
  a.exec(FAMILY);
  syncBoth(a, b);
  b.plain(
    `INSERT INTO child (id, p, n) WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 1500) SELECT i, 1, 1 FROM n`,
  );
  a.pull(b);
  expect(a.core().findings()).toMatchObject([{ kind: 'foreignKey', rowCount: 1000, hasMore: true }]);
  a.exec('DELETE FROM child WHERE id <= 900');
  a.core().notice();
  expect(a.core().findings()).toMatchObject([{ rowCount: 600, hasMore: false }]);
  a.exec(`INSERT INTO parent VALUES (1, 'x')`);
  a.core().notice();
  expect(found(a)).toEqual([]);
});

test('rows with NULL in their key, written by another program, are a finding until they have one', () => {
  a.exec('CREATE TABLE t (id TEXT PRIMARY KEY, v)');
  a.plain(`INSERT INTO t VALUES (NULL, 1), ('k', 2)`);
  a.core().notice();
  expect(a.core().findings()).toMatchObject([{ kind: 'noPrimaryKey', table: 't' }]);
  a.plain(`UPDATE t SET id = 'l' WHERE id IS NULL`);
  a.core().notice();
  expect(found(a)).toEqual([]);
});

test('an index whose expression fails on a row that waits stops nobody: the row waits for another value', () => {
  a.exec(`CREATE TABLE t (id TEXT PRIMARY KEY, k TEXT UNIQUE, j TEXT)`);
  syncBoth(a, b);
  a.exec(`INSERT INTO t VALUES ('a', 'x', '{}')`);
  world.wait(10);
  b.exec(`INSERT INTO t VALUES ('b', 'x', 'no JSON')`);
  syncBoth(a, b);
  a.exec(`CREATE UNIQUE INDEX t_j ON t (json_extract(j, '$.id'))`);
  syncBoth(a, b);
  a.exec(`DELETE FROM t WHERE id = 'a'`);
  syncBoth(a, b);
  for (const replica of [a, b]) {
    expect(replica.core().blocked()).toEqual([]);
    expect(replica.core().heldCounts()).toEqual([{ table: 't', reason: 'refusedValue', rows: 1 }]);
  }
});
