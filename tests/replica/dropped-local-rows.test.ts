import { expect, test } from 'vitest';

import { freshReplicas } from '../support/fresh-replicas.ts';
import { decide, heldOf } from '../support/held-of.ts';
import { syncAll } from '../support/replica-world.ts';

const { world, a, b, c } = freshReplicas(['a', 'b', 'c']);

test('rows of a table without a key that a peer drops wait on their replica alone, equal ones as many as there were', () => {
  a.exec('CREATE TABLE log (at, what)');
  syncAll([a, b, c]);
  a.exec(`INSERT INTO log VALUES (1, 'x'), (1, 'x'), (2, x'00ff'), (NULL, NULL)`);
  b.exec(`INSERT INTO log VALUES (3, 'mine')`);
  b.exec('DROP TABLE log');
  syncAll([a, b, c]);
  expect(heldOf(a)).toEqual(['log droppedTable 4']);
  expect(heldOf(b)).toEqual([]);
  expect(heldOf(c)).toEqual([]);
  // Whoever joins hears nothing of them.
  const d = world.init('d');
  syncAll([a, d]);
  expect(heldOf(d)).toEqual([]);
  // A person puts them into the table of that name.
  a.exec('CREATE TABLE log (at, what)');
  expect(heldOf(a)).toEqual(['log droppedTable 4']);
  expect(decide(a, 'drain', { table: 'log' })).toMatchObject({ changes: 4, drained: 4, left: [] });
  expect(a.rows('SELECT at, what FROM log ORDER BY at')).toEqual([
    [null, null],
    [1n, 'x'],
    [1n, 'x'],
    [2n, Buffer.from([0, 255])],
  ]);
  expect(heldOf(a)).toEqual([]);
});

test('rows with NULL in their key wait on their replica alone when a peer drops the table; what the drop knew of is gone', () => {
  a.exec('CREATE TABLE tag (a TEXT, b TEXT, v, PRIMARY KEY (a, b))');
  syncAll([a, b, c]);
  a.exec(`INSERT INTO tag VALUES ('k', 'l', 'known'), ('k', NULL, 'one'), ('k', NULL, 'one')`);
  syncAll([a, b, c]);
  a.exec(`INSERT INTO tag VALUES (NULL, 'l', 'two'), ('late', 'l', 'unknown')`);
  b.exec('DROP TABLE tag');
  syncAll([a, b, c]);
  expect(heldOf(a)).toEqual(['tag droppedTable 4']);
  expect(heldOf(b)).toEqual(['tag droppedTable 1']);
  expect(heldOf(c)).toEqual(['tag droppedTable 1']);
  a.exec('CREATE TABLE tag (a TEXT, b TEXT, v, PRIMARY KEY (a, b))');
  expect(decide(a, 'drain', { table: 'tag' })).toMatchObject({ drained: 4, left: [] });
  expect(a.rows('SELECT v FROM tag ORDER BY v')).toEqual([['one'], ['one'], ['two'], ['unknown']]);
});
