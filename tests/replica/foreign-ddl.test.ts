import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { freshReplicas } from '../support/fresh-replicas.ts';
import { syncAll } from '../support/replica-world.ts';
import type { TestReplica } from '../support/replica-world.ts';

// What another program does with its own SQLite between two notices, and what is recorded of it.

const ITEM = `CREATE TABLE item (id INTEGER PRIMARY KEY, sku TEXT, n INTEGER); INSERT INTO item VALUES (1, 'A', 10), (2, 'B', 20)`;

const { world, a, b } = freshReplicas(['a', 'b']);
beforeEach(() => {
  a.exec(ITEM);
  b.pull(a);
});
afterEach(() => {
  for (const replica of [a, b]) expect(replica.core().blocked()).toEqual([]);
  expect(a.core().status().fingerprint).toBe(b.core().status().fingerprint);
});

/** Types of the migrations that a notice records now, oldest first. */
function noticed(replica: TestReplica): readonly string[] {
  const before = replica.core().migrations({ limit: 1_000 }).length;
  replica.core().notice();
  const now = replica.core().migrations({ limit: 1_000 });
  return now
    .slice(0, now.length - before)
    .toReversed()
    .map(({ type }) => type);
}

test('renaming away, adding and renaming back is an added column', () => {
  a.plain(
    'ALTER TABLE item RENAME TO x; ALTER TABLE x ADD COLUMN w TEXT; ALTER TABLE x RENAME TO item; ALTER TABLE item RENAME COLUMN n TO m; ALTER TABLE item RENAME COLUMN m TO n',
  );
  expect(noticed(a)).toEqual(['add_column']);
  syncAll([a, b]);
});

test('two tables that swap their names do so by way of a third', () => {
  a.exec(`CREATE TABLE other (id INTEGER PRIMARY KEY, v TEXT); INSERT INTO other VALUES (1, 'o')`);
  b.pull(a);
  a.plain(
    "ALTER TABLE item RENAME TO t; ALTER TABLE other RENAME TO item; ALTER TABLE t RENAME TO other; UPDATE item SET v = 'o2'",
  );
  expect(noticed(a)).toEqual(['rename_table', 'rename_table', 'rename_table']);
  syncAll([a, b]);
  expect(b.rows('SELECT * FROM item')).toEqual([[1n, 'o2']]);
  expect(b.rows('SELECT sku FROM other')).toEqual([['A'], ['B']]);
});

test('a table dropped and made under its name is another table, which a finding says', () => {
  a.plain(
    `DROP TABLE item; CREATE TABLE item (id INTEGER PRIMARY KEY, v TEXT); INSERT INTO item VALUES (1, 'new')`,
  );
  expect(noticed(a)).toEqual(['drop_table', 'create_table']);
  expect(a.core().findings()).toMatchObject([{ kind: 'drift', table: 'item' }]);
  syncAll([a, b]);
  expect(b.rows('SELECT * FROM item')).toEqual([[1n, 'new']]);
});

test('R02 rows written in the transaction of a rename are filed under the new name', () => {
  a.plain(
    `BEGIN; INSERT INTO item VALUES (3, 'C', 30); ALTER TABLE item RENAME TO thing; INSERT INTO thing VALUES (4, 'D', 40); DELETE FROM thing WHERE id = 1; COMMIT`,
  );
  expect(noticed(a)).toEqual(['rename_table']);
  syncAll([a, b]);
  expect(b.rows('SELECT id FROM thing ORDER BY id')).toEqual([[2n], [3n], [4n]]);
});

test('a row that another program wrote beside DDL keeps the time of its write', () => {
  a.plain(`UPDATE item SET sku = 'early' WHERE id = 1; ALTER TABLE item ADD COLUMN w TEXT`);
  world.wait(1_000);
  b.exec(`UPDATE item SET sku = 'late' WHERE id = 1`);
  world.wait(1_000);
  a.core().notice();
  syncAll([a, b]);
  expect(a.rows('SELECT sku FROM item WHERE id = 1')).toEqual([['late']]);
});

test('C058 a parent that is renamed changes none of its children, on any replica', () => {
  a.exec(
    `CREATE TABLE part (id INTEGER PRIMARY KEY, item INTEGER REFERENCES item (id), FOREIGN KEY (item) REFERENCES item (id)); CREATE INDEX part_item ON part (item); CREATE VIEW parts AS SELECT part.id, sku FROM part JOIN item ON item.id = part.item`,
  );
  syncAll([a, b]);
  a.exec('ALTER TABLE item RENAME TO thing; ALTER TABLE thing RENAME COLUMN id TO no');
  expect(noticed(a)).toEqual([]);
  b.pull(a);
  expect(noticed(b)).toEqual([]);
  b.plain('ALTER TABLE thing RENAME TO article');
  expect(noticed(b)).toEqual(['rename_table']);
  a.pull(b);
  expect(noticed(a)).toEqual([]);
});

test('C056 a parent whose name has a quote in it, renamed, takes no child away', () => {
  a.exec(
    'CREATE TABLE "or""der" (id INTEGER PRIMARY KEY); CREATE TABLE child (k INTEGER PRIMARY KEY, p REFERENCES "or""der" (id) ON DELETE CASCADE); INSERT INTO "or""der" VALUES (1); INSERT INTO child VALUES (1, 1)',
  );
  b.pull(a);
  a.exec('ALTER TABLE "or""der" RENAME TO "new t"');
  expect(noticed(a)).toEqual([]);
  expect(a.core().migrations({ limit: 1 })).toMatchObject([{ type: 'rename_table' }]);
  syncAll([a, b]);
  for (const replica of [a, b]) expect(replica.rows('SELECT * FROM child')).toEqual([[1n, 1n]]);
  b.plain('ALTER TABLE "new t" RENAME TO "or""der"');
  expect(noticed(b)).toEqual(['rename_table']);
  syncAll([a, b]);
  for (const replica of [a, b]) expect(replica.rows('SELECT * FROM child')).toEqual([[1n, 1n]]);
});

test('generated columns and another spelling are told as what they are', () => {
  a.exec('CREATE TABLE doc (id TEXT PRIMARY KEY, body TEXT, size AS (length(body)))');
  b.pull(a);
  a.plain('ALTER TABLE doc RENAME COLUMN size TO chars; ALTER TABLE doc RENAME COLUMN body TO Body');
  expect(noticed(a)).toEqual(['rename_column']);
  syncAll([a, b]);
});

test('a table without a key that is renamed keeps its rows on the peers', () => {
  a.exec('CREATE TABLE loose (v TEXT)');
  b.pull(a);
  b.plain(`INSERT INTO loose VALUES ('mine')`);
  a.plain('ALTER TABLE loose RENAME TO looser');
  expect(noticed(a)).toEqual(['rename_table']);
  b.pull(a);
  expect(b.rows('SELECT * FROM looser')).toEqual([['mine']]);
});

test('CREATE TABLE AS travels as the table that it made, with no key and so without rows', () => {
  a.plain('CREATE TABLE copy AS SELECT id, sku FROM item');
  expect(noticed(a)).toEqual(['create_table']);
  b.pull(a);
  expect(b.rows('SELECT count(*) FROM copy')).toEqual([[0n]]);
});

test('a swap that was noticed half-way goes on being the same table', () => {
  a.plain(
    'CREATE TABLE item_new (id INTEGER PRIMARY KEY, sku TEXT, n REAL); INSERT INTO item_new SELECT * FROM item',
  );
  a.core().notice();
  a.plain('DROP TABLE item; ALTER TABLE item_new RENAME TO item');
  expect(noticed(a)).toEqual(['drop_table', 'alter_column']);
  b.exec(`INSERT INTO item VALUES (3, 'C', 30)`);
  syncAll([a, b]);
  expect(a.rows('SELECT id FROM item ORDER BY id')).toEqual([[1n], [2n], [3n]]);
});

test('DROP COLUMN of another program is refused by SQLite, which names the trigger; Concord does it', () => {
  expect(() => a.plain('ALTER TABLE item DROP COLUMN n')).toThrow(/error in trigger _concord_u_\d+/);
  expect(noticed(a)).toEqual([]);
  a.exec('ALTER TABLE item DROP COLUMN n');
  syncAll([a, b]);
});

const SHELL = '/usr/bin/sqlite3';

test.skipIf(!existsSync(SHELL))('the sqlite3 shell is such a program', () => {
  a.exec('CREATE VIEW v AS SELECT sku FROM item; CREATE INDEX i ON item (sku)');
  b.pull(a);
  execFileSync(SHELL, [
    a.path,
    `ALTER TABLE item RENAME COLUMN sku TO code; ALTER TABLE item RENAME TO thing; ALTER TABLE thing ADD COLUMN w TEXT DEFAULT 'x';
     UPDATE thing SET w = 'y' WHERE id = 2; CREATE TRIGGER t AFTER INSERT ON thing BEGIN UPDATE thing SET n = 0 WHERE id = new.id; END; DROP INDEX i`,
  ]);
  expect(noticed(a)).toEqual(['rename_table', 'rename_column', 'add_column', 'drop_index', 'create_trigger']);
  syncAll([a, b]);
  expect(b.rows('SELECT code, w FROM thing ORDER BY id')).toEqual([
    ['A', 'x'],
    ['B', 'y'],
  ]);
});
