import { expect, test } from 'vitest';

import { readTableExactly } from '#main/store/plain-connection.ts';
import { freshReplicas } from '../support/fresh-replicas.ts';
import { dumpFile, syncAll, valueOf } from '../support/replica-world.ts';
import type { TestReplica } from '../support/replica-world.ts';

const { world, a, b, c } = freshReplicas(['a', 'b', 'c']);
const everybody = [a, b, c];

/** The schema and rows that everybody has before the story begins. */
function shared(sql: string): void {
  a.exec(sql);
  b.pull(a);
  c.pull(a);
}

test('B01 the newer cell wins and the older loses, on both', () => {
  shared(`CREATE TABLE note (id INTEGER PRIMARY KEY, body TEXT); INSERT INTO note VALUES (1, 'one')`);
  a.exec(`UPDATE note SET body = 'older'`);
  b.exec(`UPDATE note SET body = 'newer'`);
  const [report] = b.pull(a).reports;
  expect(report).toMatchObject({ factsApplied: 0, factsSuperseded: 1 });
  expect(a.pull(b)).toMatchObject({ applied: 1 });
  for (const replica of [a, b]) expect(replica.rows('SELECT body FROM note')).toEqual([['newer']]);
});

test('B01 of equal times the higher site wins, on both', () => {
  shared(`CREATE TABLE note (id INTEGER PRIMARY KEY, body TEXT); INSERT INTO note VALUES (1, 'one')`);
  a.exec(`UPDATE note SET body = 'a'`);
  b.setOffset(-1);
  b.exec(`UPDATE note SET body = 'b'`);
  b.setOffset(0);
  const [stampA, stampB] = [a, b].map((replica) =>
    replica.rows('SELECT max(hlc) FROM _concord_log WHERE kind = 2').flat(),
  );
  expect(stampA).toEqual(stampB);
  syncAll([a, b]);
  const winner =
    Buffer.from(a.core().identity().site, 'base64url') > Buffer.from(b.core().identity().site, 'base64url')
      ? 'a'
      : 'b';
  for (const replica of [a, b]) expect(replica.rows('SELECT body FROM note')).toEqual([[winner]]);
});

test('B02 different columns of one row merge', () => {
  shared(
    `CREATE TABLE note (id INTEGER PRIMARY KEY, body TEXT, colour TEXT); INSERT INTO note VALUES (1, 'one', 'red')`,
  );
  a.exec(`UPDATE note SET body = 'eins'`);
  b.exec(`UPDATE note SET colour = 'blue'`);
  syncAll([a, b, c]);
  for (const replica of everybody)
    expect(replica.rows('SELECT body, colour FROM note')).toEqual([['eins', 'blue']]);
});

test('B03 a delete blocks writes that did not know of it, whatever their HLC', () => {
  shared(`CREATE TABLE note (id INTEGER PRIMARY KEY, body TEXT); INSERT INTO note VALUES (1, 'one')`);
  a.exec('DELETE FROM note');
  b.exec(`UPDATE note SET body = 'later'`);
  c.exec(`UPDATE note SET body = 'latest'`);
  c.pull(b);
  syncAll(everybody);
  for (const replica of everybody) expect(replica.rows('SELECT * FROM note')).toEqual([]);
});

const ORDERS = [
  ['delete', 'update', 'insert'],
  ['delete', 'insert', 'update'],
  ['update', 'delete', 'insert'],
  ['update', 'insert', 'delete'],
  ['insert', 'delete', 'update'],
  ['insert', 'update', 'delete'],
] as const;

test.each(ORDERS)('B05 %s, %s, %s: the row is the same whatever comes first', (...order) => {
  shared(
    `CREATE TABLE note (id INTEGER PRIMARY KEY, body TEXT, n INTEGER); INSERT INTO note VALUES (1, 'one', 1)`,
  );
  const d = world.init('d');
  d.pull(a);
  // The three changes are made on three replicas, each of which knows of the one before it or not.
  a.exec('DELETE FROM note');
  b.exec('UPDATE note SET n = 2');
  const e = world.init('e');
  e.pull(a);
  e.exec(`INSERT INTO note VALUES (1, 'again', 3)`);
  const source = { delete: a, update: b, insert: e };
  for (const what of order) d.pull(source[what]);
  expect(d.rows('SELECT * FROM note')).toEqual([[1n, 'again', 3n]]);
  syncAll([...everybody, d, e]);
  for (const replica of [...everybody, d, e])
    expect(replica.rows('SELECT * FROM note')).toEqual([[1n, 'again', 3n]]);
});

test.each(['at once', 'in between'])(
  'B06 delete then re-insert at one site reaches every peer by every path (%s)',
  (when) => {
    shared(`CREATE TABLE note (id TEXT PRIMARY KEY, body TEXT); INSERT INTO note VALUES ('n', 'one')`);
    a.exec('DELETE FROM note');
    if (when === 'in between') b.pull(a);
    a.exec(`INSERT INTO note (id) VALUES ('n')`);
    c.pull(a);
    b.pull(c);
    syncAll(everybody);
    for (const replica of everybody) expect(replica.rows('SELECT * FROM note')).toEqual([['n', null]]);
  },
);

test('C028 rows that are created again after a delete live, also when a backup is read in', () => {
  shared(
    `CREATE TABLE note (id TEXT PRIMARY KEY, t TEXT); INSERT INTO note VALUES ('n1', 'v1'), ('n2', 'v2')`,
  );
  a.exec('DELETE FROM note');
  b.pull(a);
  a.exec(`INSERT INTO note VALUES ('n1', 'v1'), ('n2', 'back')`);
  b.pull(a);
  a.pull(b);
  b.exec(`UPDATE note SET t = 'edit' WHERE id = 'n1'`);
  a.pull(b);
  for (const replica of [a, b]) {
    expect(replica.rows('SELECT * FROM note ORDER BY id')).toEqual([
      ['n1', 'edit'],
      ['n2', 'back'],
    ]);
  }
});

test('C030 a new, empty database is no mass delete', () => {
  shared(
    `CREATE TABLE note (id INTEGER PRIMARY KEY, t TEXT); INSERT INTO note VALUES (1, 'a'), (2, 'b'), (3, 'c')`,
  );
  const again = world.init('b-again');
  a.pull(again);
  again.pull(a);
  expect(a.rows('SELECT count(*) FROM note')).toEqual([[3n]]);
  expect(again.rows('SELECT * FROM note')).toEqual(a.rows('SELECT * FROM note'));
  expect(again.core().identity().site).not.toBe(b.core().identity().site);
  expect(again.core().identity().epoch).not.toBe(b.core().identity().epoch);
});

const TABLES = [
  {
    title: 'rowid, key of integers',
    ddl: 'CREATE TABLE x (k INTEGER PRIMARY KEY, v)',
    keys: ['1', '-9223372036854775808', '9223372036854775807'],
  },
  {
    title: 'key of texts under NOCASE',
    ddl: 'CREATE TABLE x (k TEXT PRIMARY KEY COLLATE NOCASE, v)',
    keys: [`'Ab'`, `'ÄÖ'`, `'a,b'`, `''`],
  },
  {
    title: 'WITHOUT ROWID',
    ddl: 'CREATE TABLE x (k TEXT PRIMARY KEY, v) WITHOUT ROWID',
    keys: [`'a'`, `'A'`, `'a' || char(0) || 'b'`],
  },
  {
    title: 'STRICT',
    ddl: 'CREATE TABLE x (k TEXT PRIMARY KEY, v ANY) STRICT',
    keys: [`'a'`, `'1'`, `'1.0'`],
  },
  {
    title: 'a key without a type',
    ddl: 'CREATE TABLE x (k PRIMARY KEY, v)',
    keys: ['1', `'1'`, `x'31'`, '1.5', `x''`],
  },
];

const VALUES = [
  'NULL',
  '0',
  '9223372036854775807',
  '-9223372036854775808',
  '9007199254740993',
  '0.1',
  '-0.0',
  '1e308 * 10',
  '-1e308 * 10',
  '2.0',
  `''`,
  `'NULL'`,
  `'a' || char(0) || 'b'`,
  `'naïve 🎵'`,
  `cast(x'ff41fe' AS TEXT)`,
  `x''`,
  `x'00ff00'`,
];

test.each(TABLES)('B08 every value comes through exactly: $title', ({ ddl, keys }) => {
  a.exec(ddl);
  for (const [place, key] of keys.entries()) {
    for (const [index, value] of VALUES.entries()) {
      if (index % keys.length === place)
        a.exec(`INSERT INTO x VALUES (${key}, ${value}) ON CONFLICT DO UPDATE SET v = excluded.v`);
    }
  }
  b.pull(a, { facts: 1 });
  c.pull(b);
  const exact = (replica: TestReplica): unknown =>
    valueOf(readTableExactly(replica.path, 'x', { columns: ['k', 'v'], key: [] }));
  expect(exact(b)).toEqual(exact(a));
  expect(exact(c)).toEqual(exact(a));
});

test('B08 every value travels as a cell and as a row, in one table after the other', () => {
  a.exec('CREATE TABLE x (k INTEGER PRIMARY KEY, v)');
  VALUES.forEach((value, index) => {
    a.exec(`INSERT INTO x VALUES (${index}, ${value})`);
  });
  b.pull(a);
  const last = VALUES.length - 1;
  a.exec(VALUES.map((value, index) => `UPDATE x SET v = ${value} WHERE k = ${last - index}`).join(';'));
  b.pull(a);
  const exact = (replica: TestReplica): unknown =>
    valueOf(readTableExactly(replica.path, 'x', { columns: ['k', 'v'], key: [] }));
  expect(exact(b)).toEqual(exact(a));
});

test('B08 composite and collated keys are one row each, on every replica', () => {
  shared(`CREATE TABLE x (k TEXT COLLATE NOCASE, n NUMERIC, b BLOB, v, PRIMARY KEY (k, n, b))`);
  a.exec(`INSERT INTO x VALUES ('a', 1, x'00', 'a'), ('b', 2.5, x'', 'a'), ('a,', 1, x'', 'a')`);
  b.exec(`INSERT INTO x VALUES ('A', 1.0, x'00', 'b'), ('B', 2.5, x'2c', 'b')`);
  syncAll(everybody);
  for (const replica of everybody) {
    expect(replica.rows(`SELECT k, n, hex(b), v FROM x ORDER BY k, n, b`)).toEqual([
      ['A', 1n, '00', 'b'],
      ['a,', 1n, '', 'a'],
      ['b', 2.5, '', 'a'],
      ['B', 2.5, '2C', 'b'],
    ]);
  }
  b.exec(`DELETE FROM x WHERE k = 'a' AND n = 1`);
  syncAll(everybody);
  for (const replica of everybody) expect(replica.rows('SELECT count(*) FROM x')).toEqual([[3n]]);
});

test.each(['INTEGER PRIMARY KEY', 'TEXT PRIMARY KEY'])(
  'B09 C025 a changed key (%s) travels as a move',
  (key) => {
    shared(`CREATE TABLE item (id ${key}, a TEXT, b TEXT); INSERT INTO item VALUES (3, 'a3', 'b3')`);
    a.exec('UPDATE item SET id = 9 WHERE id = 3');
    b.exec(`UPDATE item SET b = 'b3x' WHERE id = 3`);
    b.pull(a);
    a.pull(b);
    syncAll(everybody);
    // The change of the old identity did not know of its end; the new identity has the values of the moving site.
    for (const replica of everybody) {
      expect(replica.rows('SELECT cast(id AS INTEGER), a, b FROM item')).toEqual([[9n, 'a3', 'b3']]);
    }
  },
);

test('B12 G01 a redelivered cell is a duplicate: nothing is written', () => {
  shared(`CREATE TABLE note (id INTEGER PRIMARY KEY, body TEXT); INSERT INTO note VALUES (1, 'one')`);
  a.exec(`UPDATE note SET body = 'two'`);
  b.pull(a);
  c.pull(a);
  const before = dumpFile(c, ['_concord_peer', '_concord_site']);
  const [report] = c.pull(b).reports;
  expect(report).toMatchObject({ factsApplied: 0, factsHeld: 0, factsSuperseded: 2 });
  expect(dumpFile(c, ['_concord_peer', '_concord_site'])).toBe(before);
});

test('T05 T06 what a transaction did to a row in several steps leaves what separate ones would', () => {
  shared(
    `CREATE TABLE note (id INTEGER PRIMARY KEY, body TEXT, n INTEGER); INSERT INTO note VALUES (1, 'one', 1), (2, 'two', 2)`,
  );
  a.exec(`BEGIN; UPDATE note SET body = 'x' WHERE id = 1; UPDATE note SET body = 'y' WHERE id = 1; COMMIT;
    BEGIN; INSERT INTO note VALUES (3, 'three', 3); DELETE FROM note WHERE id = 3; COMMIT;
    BEGIN; UPDATE note SET n = 7 WHERE id = 2; DELETE FROM note WHERE id = 2; COMMIT;
    BEGIN; INSERT INTO note VALUES (4, 'four', 4); DELETE FROM note WHERE id = 4; INSERT INTO note VALUES (4, 'vier', 4); COMMIT`);
  const facts = b.pull(a).pages.flatMap(({ groups }) => groups.flatMap(({ blocks }) => blocks));
  expect(facts.filter(({ kind }) => kind === 'cells').flatMap(({ rows }) => rows)).toEqual([[1n, 'y']]);
  expect(b.rows('SELECT * FROM note')).toEqual([
    [1n, 'y', 1n],
    [4n, 'vier', 4n],
  ]);
});
