import { expect, test } from 'vitest';

import { freshReplicas } from '../support/fresh-replicas.ts';
import { decide, heldOf, rowsOnly } from '../support/held-of.ts';
import { syncAll } from '../support/replica-world.ts';

const { world, a, b, c } = freshReplicas(['a', 'b', 'c']);

test('what a person deleted is not held again when it is offered once more; where it has a place it goes in', () => {
  a.exec(`CREATE TABLE note (id INTEGER PRIMARY KEY, v); INSERT INTO note VALUES (1, 'one'), (2, 'two')`);
  b.pull(a, rowsOnly);
  const [one] = b
    .core()
    .held({ limit: 9 })
    .filter(({ key }) => key[0] === 1);
  decide(b, 'delete', { ids: [one?.id ?? 0] });
  c.pull(a);
  expect(b.pull(c, rowsOnly)).toMatchObject({ held: 0, blocked: null });
  expect(heldOf(b)).toEqual(['note unknownTable 1']);
  // Another change of that row is one that nobody deleted.
  a.exec(`UPDATE note SET v = 'uno' WHERE id = 1`);
  expect(b.pull(a, rowsOnly)).toMatchObject({ held: 1 });
  expect(b.core().held({ limit: 1 })).toMatchObject([{ op: 'cells', key: [1] }]);
  // All that was there comes again, the table with it.
  const d = world.init('d');
  d.pull(c);
  b.pull(d);
  expect(b.rows('SELECT * FROM note ORDER BY id')).toEqual([
    [1n, 'uno'],
    [2n, 'two'],
  ]);
  expect(heldOf(b)).toEqual([]);
});

test('what a person deleted stays deleted when the file becomes another replica and is read anew; after the horizon it is forgotten', () => {
  a.exec(`CREATE TABLE note (id INTEGER PRIMARY KEY, v); INSERT INTO note VALUES (1, 'one')`);
  b.pull(a, rowsOnly);
  decide(b, 'delete');
  b.core().newSite({ because: 'a copy', who: 'ines' });
  expect(b.pull(a, rowsOnly)).toMatchObject({ held: 0 });
  expect(heldOf(b)).toEqual([]);
  // Whatever is pruned here, others hold it for as long as they do.
  world.wait(1);
  b.core().prune({ olderThanMs: 0 });
  b.core().newSite({ because: 'once more', who: 'ines' });
  expect(b.pull(a, rowsOnly)).toMatchObject({ held: 0 });
  world.wait(91 * 86_400_000);
  b.core().newSite({ because: 'again', who: 'ines' });
  b.core().prune({});
  expect(b.pull(a, rowsOnly)).toMatchObject({ held: 1 });
});

test('a row that a person deleted, that found its place after all, and that stands aside then is not lost', () => {
  const d = world.init('d');
  a.exec(`CREATE TABLE tag (id INTEGER PRIMARY KEY, name TEXT UNIQUE)`);
  for (const replica of [b, c, d]) replica.pull(a);
  a.exec(`INSERT INTO tag VALUES (1, 'red')`);
  d.exec(`INSERT INTO tag VALUES (3, 'red')`);
  b.exec(`INSERT INTO tag VALUES (2, 'red')`);
  syncAll([a, b, c]);
  decide(a, 'delete', { table: 'tag' });
  a.exec(`UPDATE tag SET name = 'blue' WHERE id = 1`);
  expect(a.rows('SELECT id FROM tag')).toEqual([[1n]]);
  // Where it waited still, it goes in, and comes from there.
  syncAll([a, b, c]);
  expect(a.rows('SELECT id FROM tag ORDER BY id')).toEqual([[1n], [2n]]);
  // An earlier claim comes late.
  syncAll([a, b, c, d]);
  for (const replica of [a, b, c]) {
    expect(replica.rows('SELECT id FROM tag ORDER BY id')).toEqual([[1n], [3n]]);
    expect(heldOf(replica)).toEqual(['tag uniqueCollision 1']);
  }
  d.exec(`DELETE FROM tag WHERE id = 3`);
  syncAll([a, b, c, d]);
  for (const replica of [a, b, c, d]) {
    expect(replica.rows('SELECT id FROM tag ORDER BY id')).toEqual([[1n], [2n]]);
    expect(heldOf(replica)).toEqual([]);
  }
});

test('what a person deleted of a row that had taken in a later write is not brought back by who has it as it was before', () => {
  const d = world.init('d');
  a.exec(`CREATE TABLE tag (id INTEGER PRIMARY KEY, name TEXT UNIQUE, note)`);
  for (const replica of [b, c, d]) replica.pull(a);
  a.exec(`INSERT INTO tag VALUES (1, 'red', '')`);
  b.exec(`INSERT INTO tag VALUES (2, 'red', 'x')`);
  for (const [to, from] of [
    [c, a],
    [c, b],
    [d, a],
    [d, b],
  ] as const)
    to.pull(from);
  b.exec(`UPDATE tag SET note = 'y' WHERE id = 2`);
  c.pull(b);
  expect(c.core().held({ limit: 9 })).toMatchObject([{ op: 'row', key: [2], reason: 'uniqueCollision' }]);
  decide(c, 'delete', { table: 'tag' });
  expect(c.pull(d)).toMatchObject({ held: 0 });
  expect(heldOf(c)).toEqual([]);
  // A write that nobody deleted waits.
  b.exec(`UPDATE tag SET note = 'z' WHERE id = 2`);
  expect(c.pull(b)).toMatchObject({ held: 1 });
  d.pull(b);
});

test('what a person drained out of a dropped table is not held again when another replica offers it', () => {
  a.exec(`CREATE TABLE pets (id INTEGER PRIMARY KEY, n TEXT)`);
  for (const replica of [b, c]) replica.pull(a);
  c.exec(`INSERT INTO pets VALUES (1, 'cat')`);
  a.exec('DROP TABLE pets');
  c.pull(a);
  b.pull(a);
  b.pull(c);
  expect(heldOf(b)).toEqual(['pets droppedTable 1']);
  b.exec('CREATE TABLE pets (id INTEGER PRIMARY KEY, n TEXT)');
  expect(decide(b, 'drain', { table: 'pets' })).toMatchObject({ drained: 1 });
  a.pull(c);
  expect(b.pull(a)).toMatchObject({ held: 0 });
  expect(heldOf(b)).toEqual([]);
});

test('U20 what is held already, or was deleted here, fills no bound when it is offered by another peer', () => {
  const small = world.init('small', { settings: { heldMaxFacts: 2 } });
  a.exec(`CREATE TABLE note (id INTEGER PRIMARY KEY, v); INSERT INTO note VALUES (1, 'a'), (2, 'b')`);
  small.pull(a, rowsOnly);
  const [entry] = small.core().held({ limit: 1 });
  decide(small, 'delete', { ids: [entry?.id ?? 0] });
  c.exec(`CREATE TABLE task (id INTEGER PRIMARY KEY); INSERT INTO task VALUES (1), (2)`);
  c.pull(a);
  expect(small.pull(c, rowsOnly)).toMatchObject({ held: 2, blocked: null });
  expect(heldOf(small)).toEqual(['note unknownTable 1', 'task unknownTable 2']);
});
