import { expect, test } from 'vitest';

import { freshReplicas } from '../support/fresh-replicas.ts';
import { heldOf, rowsOnly } from '../support/held-of.ts';
import { syncAll } from '../support/replica-world.ts';
import type { TestReplica } from '../support/replica-world.ts';

const { world, a, b, c, d } = freshReplicas(['a', 'b', 'c', 'd']);

const notes = (replica: TestReplica): unknown => replica.rows('SELECT * FROM note ORDER BY id');

test('U03 U16 a held change is offered on over three hops to who has the table, its author and HLC kept, and never back to its author', () => {
  a.exec('CREATE TABLE note (id INTEGER PRIMARY KEY, v)');
  d.pull(a);
  a.exec(`INSERT INTO note VALUES (1, 'one')`);
  b.pull(a, rowsOnly);
  c.pull(b);
  expect([heldOf(b), heldOf(c)]).toEqual([['note unknownTable 1'], ['note unknownTable 1']]);
  const [atB] = b.core().held({ limit: 9 });
  const [atC] = c.core().held({ limit: 9 });
  expect(atC).toMatchObject({
    author: a.core().identity().site,
    hlc: atB?.hlc,
    from: b.core().identity().site,
  });
  expect(d.pull(c)).toMatchObject({ applied: 1, held: 0 });
  expect(notes(d)).toEqual([[1n, 'one']]);
  // Author and HLC came through: what the author writes next is later, and what he wrote before loses.
  for (const from of [b, c, d]) expect(a.pull(from)).toMatchObject({ applied: 0, held: 0 });
  expect(a.pull(c).pages.flatMap(({ groups }) => groups.flatMap(({ blocks }) => blocks))).toEqual([]);
});

test('U16 two replicas without the table go quiet after one exchange', () => {
  a.exec(`CREATE TABLE note (id INTEGER PRIMARY KEY, v); INSERT INTO note VALUES (1, 'one'), (2, 'two')`);
  b.pull(a, rowsOnly);
  c.pull(a, rowsOnly);
  a.exec(`UPDATE note SET v = 'eins' WHERE id = 1`);
  b.pull(a, rowsOnly);
  for (const [to, from] of [
    [b, c],
    [c, b],
  ] as const)
    to.pull(from);
  const heads = [b, c].map((replica) => replica.core().identity().head);
  const held = [b, c].map(heldOf);
  for (const [to, from] of [
    [b, c],
    [c, b],
    [b, c],
    [c, b],
  ] as const)
    expect(to.pull(from)).toMatchObject({ applied: 0, held: 0 });
  expect([b, c].map((replica) => replica.core().identity().head)).toEqual(heads);
  expect([b, c].map(heldOf)).toEqual(held);
});

test('U17 a relayed change is offered by its arrival, whatever its HLC', () => {
  a.exec('CREATE TABLE note (id INTEGER PRIMARY KEY, v)');
  c.pull(a);
  a.exec(`INSERT INTO note VALUES (1, 'early')`);
  // What the hub writes itself, and what the puller has of it, is later than what it gets now.
  world.wait(60_000);
  b.exec(`CREATE TABLE own (id INTEGER PRIMARY KEY); INSERT INTO own VALUES (1)`);
  c.pull(b);
  b.pull(a, rowsOnly);
  expect(heldOf(b)).toEqual(['note unknownTable 1']);
  expect(c.pull(b)).toMatchObject({ applied: 1 });
  expect(notes(c)).toEqual([[1n, 'early']]);
});

test('U18 a drained change rides the normal log from then on', () => {
  a.exec(`CREATE TABLE note (id INTEGER PRIMARY KEY, v); INSERT INTO note VALUES (1, 'one')`);
  b.pull(a, rowsOnly);
  const before = b.core().identity().head;
  c.pull(a);
  b.pull(c);
  expect(heldOf(b)).toEqual([]);
  expect(
    b.rows(`SELECT count(*) > 0 FROM _concord_log WHERE seq > ${String(before)} AND kind IN (1, 5)`),
  ).toEqual([[1n]]);
  expect(d.pull(b)).toMatchObject({ held: 0 });
  expect(notes(d)).toEqual([[1n, 'one']]);
  const site = a.core().identity().site;
  expect(
    d
      .core()
      .status()
      .peers.map((peer) => peer.site),
  ).not.toContain(site);
});

test('U10 a held cell loses to a newer one and is cleared; a held one that is newer wins', () => {
  a.exec(`CREATE TABLE note (id INTEGER PRIMARY KEY, v); INSERT INTO note VALUES (1, 'x'), (2, 'y')`);
  for (const replica of [b, c]) replica.pull(a);
  a.exec(`ALTER TABLE note ADD COLUMN w; UPDATE note SET w = 'old' WHERE id = 1`);
  c.pull(a);
  b.pull(a, rowsOnly);
  c.exec(`UPDATE note SET w = 'newer' WHERE id = 1; UPDATE note SET w = 'older' WHERE id = 2`);
  a.exec(`UPDATE note SET w = 'newest' WHERE id = 2`);
  b.pull(a, rowsOnly);
  expect(heldOf(b)).toEqual(['note unknownColumn 2']);
  b.pull(c);
  expect(heldOf(b)).toEqual([]);
  expect(notes(b)).toEqual([
    [1n, 'x', 'newer'],
    [2n, 'y', 'newest'],
  ]);
});

test('U11 a delete that knew of the row ends a held cell of it; a later insert that knew of the delete does not bring it back', () => {
  a.exec(`CREATE TABLE note (id INTEGER PRIMARY KEY, v); INSERT INTO note VALUES (1, 'x')`);
  for (const replica of [b, c]) replica.pull(a);
  a.exec(`ALTER TABLE note ADD COLUMN w; UPDATE note SET w = 'held' WHERE id = 1`);
  b.pull(a, rowsOnly);
  expect(heldOf(b)).toEqual(['note unknownColumn 1']);
  a.exec('DELETE FROM note WHERE id = 1');
  b.pull(a, rowsOnly);
  expect(heldOf(b)).toEqual([]);
  a.exec(`INSERT INTO note VALUES (1, 'again', 'kept')`);
  b.pull(a, rowsOnly);
  expect(heldOf(b)).toEqual(['note unknownColumn 1']);
  c.pull(a);
  b.pull(c);
  expect(notes(b)).toEqual([[1n, 'again', 'kept']]);
  syncAll([a, b, c]);
});

test('U12 several held versions of a cell become the newest; a held delete and cells of one row are settled together', () => {
  a.exec(
    `CREATE TABLE note (id INTEGER PRIMARY KEY, v, w); INSERT INTO note VALUES (1, 'a', 'x'), (2, 'b', 'y')`,
  );
  b.pull(a, rowsOnly);
  for (const v of ['first', 'second', 'third']) {
    a.exec(`UPDATE note SET v = '${v}' WHERE id = 1; UPDATE note SET v = '${v}' WHERE id = 2`);
    b.pull(a, rowsOnly);
  }
  a.exec('DELETE FROM note WHERE id = 2');
  b.pull(a, rowsOnly);
  expect(heldOf(b)).toEqual(['note unknownTable 2']);
  c.pull(a);
  b.pull(c);
  expect(heldOf(b)).toEqual([]);
  expect(notes(b)).toEqual([[1n, 'third', 'x']]);
});

test('U13 a cell of a column that never comes stays held, with its age; the other cells of its row apply', () => {
  a.exec(`CREATE TABLE note (id INTEGER PRIMARY KEY, v)`);
  c.pull(a);
  a.exec(`ALTER TABLE note ADD COLUMN w; INSERT INTO note VALUES (1, 'one', 'extra')`);
  b.pull(a, rowsOnly);
  expect(heldOf(b)).toEqual(['note unknownTable 1']);
  const [first] = b.core().held({ limit: 9 });
  world.wait(3_600_000);
  b.pull(c);
  expect(notes(b)).toEqual([[1n, 'one']]);
  expect(heldOf(b)).toEqual(['note unknownColumn 1']);
  const [entry] = b.core().held({ limit: 9 });
  expect(entry).toMatchObject({
    values: { w: 'extra' },
    sinceMs: first?.sinceMs,
    author: a.core().identity().site,
  });
  b.exec(`UPDATE note SET v = 'two' WHERE id = 1`);
  expect(heldOf(b)).toEqual(['note unknownColumn 1']);
  syncAll([a, b, c]);
  expect(heldOf(b)).toEqual([]);
  expect(notes(b)).toEqual([[1n, 'two', 'extra']]);
});

test('HELD-001 U14 U15 a drain that fails leaves its entries held and does not fail the admission; a later one goes through', () => {
  c.pull(a);
  b.pull(c);
  a.exec(
    `BEGIN; CREATE TABLE note (id INTEGER PRIMARY KEY, doc TEXT); CREATE INDEX note_n ON note (json_extract(doc, '$.n')); COMMIT`,
  );
  c.pull(a);
  a.exec(`DROP INDEX note_n; INSERT INTO note VALUES (1, '{"n":1}'), (2, 'no JSON'), (3, '{"n":3}')`);
  b.pull(a, rowsOnly);
  expect(heldOf(b)).toEqual(['note unknownTable 3']);
  // The unit brings table and index: one of the held rows is none that the index can take in.
  const outcome = b.pull(c);
  expect(outcome.blocked).toBeNull();
  expect(notes(b)).toEqual([
    [1n, '{"n":1}'],
    [3n, '{"n":3}'],
  ]);
  expect(heldOf(b)).toEqual(['note refusedValue 1']);
  expect(b.rows(`SELECT id FROM note INDEXED BY note_n WHERE json_extract(doc, '$.n') = 3`)).toEqual([[3n]]);
  b.exec('DROP INDEX note_n');
  expect(heldOf(b)).toEqual([]);
  expect(notes(b)).toEqual(notes(a));
});

test('a row that an expression of the table refuses is held with that reason, and lands when it fits', () => {
  a.exec(`CREATE TABLE note (id INTEGER PRIMARY KEY, doc TEXT)`);
  b.pull(a);
  b.exec(`CREATE INDEX note_n ON note (json_extract(doc, '$.n'))`);
  a.exec(`INSERT INTO note VALUES (1, 'no JSON'), (2, '{"n":2}')`);
  expect(b.pull(a).blocked).toBeNull();
  expect(heldOf(b)).toEqual(['note refusedValue 1']);
  expect(notes(b)).toEqual([[2n, '{"n":2}']]);
  b.exec('DROP INDEX note_n');
  expect(notes(b)).toEqual(notes(a));
  expect(heldOf(b)).toEqual([]);
});

test('a row that a STRICT type refuses is held with that reason, and lands when the type takes it', () => {
  a.exec(`CREATE TABLE note (id INTEGER PRIMARY KEY, v ANY) STRICT`);
  b.pull(a);
  b.exec('ALTER TABLE note ALTER COLUMN v SET DATA TYPE INT');
  a.exec(`INSERT INTO note VALUES (1, 'text'), (2, 2)`);
  expect(b.pull(a).blocked).toBeNull();
  expect(heldOf(b)).toEqual(['note refusedValue 1']);
  expect(notes(b)).toEqual([[2n, 2n]]);
  b.exec('ALTER TABLE note ALTER COLUMN v SET DATA TYPE TEXT');
  expect(heldOf(b)).toEqual([]);
  expect(notes(b)).toEqual([
    [1n, 'text'],
    [2n, '2'],
  ]);
});

test('U15 an inbound rename drains at once, in the same transaction; fresh rows of the unit and held ones go by HLC', () => {
  a.exec(`CREATE TABLE memo (id INTEGER PRIMARY KEY, v)`);
  a.exec(`INSERT INTO memo VALUES (1, 'one')`);
  b.pull(a, rowsOnly);
  a.exec(`ALTER TABLE memo RENAME TO note`);
  b.pull(a, rowsOnly);
  // The unit brings the table under its new name, and a newer version of the row.
  a.exec(`UPDATE note SET v = 'eins' WHERE id = 1; INSERT INTO note VALUES (2, 'two')`);
  c.pull(a);
  const outcome = b.pull(c);
  expect(outcome.groups).toBeGreaterThan(0);
  expect(heldOf(b)).toEqual([]);
  expect(notes(b)).toEqual([
    [1n, 'eins'],
    [2n, 'two'],
  ]);
});

test('U15 create and drop in one unit drain nothing; what the drop did not know of belongs to the dropped life', () => {
  a.exec(`CREATE TABLE note (id INTEGER PRIMARY KEY, v)`);
  c.pull(a);
  a.exec(`INSERT INTO note VALUES (1, 'one')`);
  b.pull(a, rowsOnly);
  c.exec('DROP TABLE note');
  expect(b.pull(c).blocked).toBeNull();
  expect(b.core().catalog().objects).toEqual([]);
  expect(heldOf(b)).toEqual(['note droppedTable 1']);
  syncAll([a, b, c]);
  for (const replica of [a, b]) expect(heldOf(replica)).toEqual(['note droppedTable 1']);
});

test('a deletion that a drop did not know of is held alike on all, the writer`s included, and ends the row that it knew', () => {
  a.exec(`CREATE TABLE note (id INTEGER PRIMARY KEY, v)`);
  for (const replica of [b, c]) replica.pull(a);
  c.exec('DROP TABLE note');
  a.exec(`INSERT INTO note VALUES (3, 'three'), (4, 'four')`);
  c.pull(a);
  expect(heldOf(c)).toEqual(['note droppedTable 2']);
  a.exec('DELETE FROM note WHERE id = 4');
  syncAll([a, b, c]);
  for (const replica of [a, b, c]) {
    expect(heldOf(replica)).toEqual(['note droppedTable 2']);
    const ops = replica
      .core()
      .held({ limit: 9 })
      .map(({ key, op }) => `${JSON.stringify(key[0])} ${op}`);
    expect(ops.sort()).toEqual(['3 row', '4 delete']);
  }
});

test('a row that waits for a value belongs to the dropped life once its table is dropped, on all replicas alike', () => {
  a.exec(`CREATE TABLE note (id INTEGER PRIMARY KEY, v)`);
  for (const replica of [b, c]) replica.pull(a);
  a.exec('ALTER TABLE note ADD COLUMN w NOT NULL');
  c.exec(`INSERT INTO note VALUES (1, 'one')`);
  syncAll([a, b, c]);
  for (const replica of [a, b, c]) expect(heldOf(replica)).toEqual(['note notNull 1']);
  b.exec('DROP TABLE note');
  syncAll([a, b, c]);
  for (const replica of [a, b, c]) expect(heldOf(replica)).toEqual(['note droppedTable 1']);
});
