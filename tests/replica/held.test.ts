import { expect, test } from 'vitest';

import type { Page } from '#shared/model/change-group.ts';
import { freshReplicas } from '../support/fresh-replicas.ts';
import { syncAll, syncBoth } from '../support/replica-world.ts';
import type { TestReplica } from '../support/replica-world.ts';

const { world, a, b, c } = freshReplicas(['a', 'b', 'c']);

/** A page whose schema changes are lost on the way. */
const withoutMigrations = (page: Page): Page => ({
  ...page,
  groups: page.groups.map((group) => ({ ...group, migrations: [] })),
});

const heldOf = (replica: TestReplica): unknown =>
  replica
    .core()
    .heldCounts()
    .map(({ table, reason, rows }) => `${table} ${reason} ${rows}`);

test('U01 a change for an absent table is held: nothing applied, no row metadata, told and counted', () => {
  a.exec(
    `CREATE TABLE note (id INTEGER PRIMARY KEY, v); INSERT INTO note VALUES (1, 'one'), (2, 'two'); DELETE FROM note WHERE id = 2`,
  );
  const outcome = b.pull(a, { disturb: withoutMigrations });
  expect(outcome).toMatchObject({ applied: 0, held: 2, blocked: null });
  expect(heldOf(b)).toEqual(['note unknownTable 2']);
  expect(b.rows('SELECT count(*) FROM _concord_cell')).toEqual([[0n]]);
  expect(b.rows('SELECT count(*) FROM _concord_log WHERE kind < 7')).toEqual([[0n]]);
  const [deletion, row] = b.core().held({ limit: 9 });
  expect([deletion?.op, row?.op]).toEqual(['delete', 'row']);
  expect(row).toMatchObject({
    reason: 'unknownTable',
    table: 'note',
    key: [1],
    values: { v: 'one' },
    author: a.core().identity().site,
    from: a.core().identity().site,
    quarantined: false,
  });
  // An event for each of the two transactions.
  expect(b.ports.log.of('held.added').map(({ fields }) => fields)).toEqual(
    [row, deletion].map((fact) => ({
      table: 'note',
      facts: 1,
      newest: fact?.hlc,
      from: a.core().identity().site,
    })),
  );
});

test('U04 the same batch again: one entry per change, also by another path', () => {
  a.exec(`CREATE TABLE note (id INTEGER PRIMARY KEY, v); INSERT INTO note VALUES (1, 'one'), (2, 'two')`);
  c.pull(a);
  for (const from of [a, a, c]) b.pull(from, { disturb: withoutMigrations, times: 2 });
  expect(b.rows('SELECT count(*) FROM _concord_held')).toEqual([[2n]]);
});

test('U05 a replica`s own change that comes back for an absent table is skipped, not held', () => {
  a.exec(`CREATE TABLE note (id INTEGER PRIMARY KEY, v); INSERT INTO note VALUES (1, 'one')`);
  b.pull(a);
  c.pull(b);
  a.exec('DROP TABLE note');
  a.pull(c, { disturb: withoutMigrations });
  expect(heldOf(a)).toEqual([]);
});

test('U06 of a mixed batch the known rows apply and only the unknown ones are diverted; one event per table tells the newest', () => {
  a.exec('CREATE TABLE known (id INTEGER PRIMARY KEY, v)');
  b.pull(a);
  a.exec(`BEGIN; CREATE TABLE note (id INTEGER PRIMARY KEY, v); INSERT INTO note VALUES (1, 'one');
    INSERT INTO known VALUES (1, 'one'); INSERT INTO note VALUES (2, 'two');
    CREATE TABLE task (id INTEGER PRIMARY KEY); INSERT INTO task VALUES (1); COMMIT`);
  const outcome = b.pull(a, { disturb: withoutMigrations });
  expect(outcome).toMatchObject({ applied: 1, held: 3, groups: 1 });
  expect(b.rows('SELECT * FROM known')).toEqual([[1n, 'one']]);
  expect(heldOf(b)).toEqual(['note unknownTable 2', 'task unknownTable 1']);
  const newest = b.core().held({ limit: 1, table: 'note' })[0]?.hlc;
  expect(b.ports.log.of('held.added').map(({ fields }) => fields)).toMatchObject([
    { table: 'note', facts: 2, newest },
    { table: 'task', facts: 1 },
  ]);
});

test('U15 a create that comes later lets what is held in, in the same transaction, rows before it and cells alike', () => {
  a.exec(`CREATE TABLE note (id INTEGER PRIMARY KEY, v, w)`);
  a.exec(`INSERT INTO note VALUES (1, 'one', 'x'), (2, 'two', 'y'), (3, 'three', 'z')`);
  b.pull(a, { disturb: withoutMigrations });
  a.exec(`UPDATE note SET v = 'eins' WHERE id = 1; DELETE FROM note WHERE id = 3`);
  b.pull(a);
  expect(b.core().heldCounts()).not.toEqual([]);
  // The create comes by another peer.
  c.pull(a);
  const outcome = b.pull(c);
  expect(outcome.blocked).toBeNull();
  expect(heldOf(b)).toEqual([]);
  expect(b.rows('SELECT * FROM note')).toEqual(a.rows('SELECT * FROM note'));
  syncAll([a, b, c]);
  expect(c.rows('SELECT * FROM note')).toEqual(a.rows('SELECT * FROM note'));
});

test('U19 C006 cells of a column that is unknown here wait for it; the other cells of the row apply', () => {
  a.exec('CREATE TABLE host (id INTEGER PRIMARY KEY, ip TEXT)');
  b.pull(a);
  c.pull(a);
  a.exec(`ALTER TABLE host ADD COLUMN region TEXT; INSERT INTO host VALUES (1, '10.0.0.1', 'eu'), (2, '10.0.0.2', 'us');
    UPDATE host SET region = 'ap' WHERE id = 2`);
  b.pull(a, { disturb: withoutMigrations });
  expect(b.rows('SELECT * FROM host')).toEqual([
    [1n, '10.0.0.1'],
    [2n, '10.0.0.2'],
  ]);
  expect(heldOf(b)).toEqual(['host unknownColumn 2']);
  c.pull(a);
  b.pull(c);
  expect(heldOf(b)).toEqual([]);
  expect(b.rows('SELECT * FROM host')).toEqual([
    [1n, '10.0.0.1', 'eu'],
    [2n, '10.0.0.2', 'ap'],
  ]);
});

test('U20 holds beyond the bound refuse the unit with that reason; nothing is dropped silently', () => {
  const small = world.init('small', { settings: { heldMaxFacts: 2 } });
  a.exec(`CREATE TABLE note (id INTEGER PRIMARY KEY, v); BEGIN; INSERT INTO note VALUES (1, 'a'); INSERT INTO note VALUES (2, 'b');
    INSERT INTO note VALUES (3, 'c'); COMMIT`);
  const { blocked } = small.pull(a, { disturb: withoutMigrations });
  expect(blocked).toMatchObject({ cause: 'heldLimit' });
  expect(heldOf(small)).toEqual([]);
});

test('C010 P02 later writes to a dropped table are held alike on both sides, and no later table takes them', () => {
  a.exec('CREATE TABLE pets (id INTEGER PRIMARY KEY, n TEXT)');
  b.pull(a);
  a.exec('DROP TABLE pets');
  b.exec(`ALTER TABLE pets ADD COLUMN age INTEGER; INSERT INTO pets VALUES (1, 'Bo', 3)`);
  a.pull(b);
  b.pull(a);
  a.pull(b);
  for (const replica of [a, b]) {
    expect(replica.core().catalog().objects).toEqual([]);
    expect(heldOf(replica)).toEqual(['pets droppedTable 1']);
  }
  a.exec('CREATE TABLE pets (id INTEGER PRIMARY KEY, n TEXT)');
  syncBoth(a, b);
  for (const replica of [a, b]) expect(replica.rows('SELECT * FROM pets')).toEqual([]);
});
