import { expect, test } from 'vitest';

import { differences } from '../support/convergence-faults.ts';
import { freshReplicas } from '../support/fresh-replicas.ts';
import { syncAll } from '../support/replica-world.ts';
import type { TestReplica } from '../support/replica-world.ts';

// What random stories found: decisions about a table beside alterations that they do not know of, and defaults of columns
// that two replicas add.

const WIDE = 'CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b TEXT, c TEXT)';
const NARROW = 'CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b TEXT)';

const { world, a, b, c } = freshReplicas(['a', 'b', 'c']);

function decide(replica: TestReplica, option: 'takeRemote' | 'keepLocal'): void {
  const [blocked] = replica.core().blocked();
  expect(blocked, `${replica.name} is blocked`).toBeDefined();
  const request = { conflictId: blocked?.conflictId ?? '', option, because: 'test', who: 'test' };
  expect(
    replica.core().resolve(request as Parameters<ReturnType<TestReplica['core']>['resolve']>[0]).ok,
  ).toBe(true);
}

/** All come to rest and are equal, one who joins then too. */
function expectEqual(): void {
  syncAll([a, b, c]);
  const joined = world.init('joined');
  syncAll([a, b, c, joined]);
  for (const other of [b, c, joined]) expect(differences(a, other), other.name).toEqual([]);
}

test('D04 of two decisions at once, of which one did not know that names were swapped, both pair columns alike', () => {
  b.exec(WIDE);
  c.exec(NARROW);
  c.exec(`INSERT INTO t VALUES (1, 'one', 'two'), (2, 'three', NULL)`);
  b.exec(
    'BEGIN; ALTER TABLE t RENAME COLUMN a TO x; ALTER TABLE t RENAME COLUMN b TO a; ALTER TABLE t RENAME COLUMN x TO b; COMMIT',
  );
  b.pull(c);
  c.pull(b);
  decide(b, 'keepLocal');
  world.wait(1);
  decide(c, 'takeRemote');
  expectEqual();
  expect(a.rows('SELECT id, b, a FROM t')).toEqual([
    [1n, 'one', 'two'],
    [2n, 'three', null],
  ]);
});

test('D04 A24 rows keep what a column was added with under a decision in which its default is another', () => {
  a.exec(NARROW);
  c.exec(WIDE);
  c.exec(`INSERT INTO t VALUES (1, 'one', 'two', NULL)`);
  c.exec(`ALTER TABLE t ADD COLUMN d TEXT NOT NULL DEFAULT 'd1'; ALTER TABLE t ALTER COLUMN d DROP DEFAULT`);
  c.pull(a);
  decide(c, 'keepLocal');
  expectEqual();
  expect(b.rows('SELECT id, d FROM t')).toEqual([[1n, 'd1']]);
});

test('D04 A26 what an earlier decision has answered reaches those who hear of the later one, which did not know of it', () => {
  b.exec(WIDE);
  c.exec('CREATE TABLE t (id INTEGER PRIMARY KEY, b TEXT, a TEXT, z INTEGER)');
  b.exec(`ALTER TABLE t DROP COLUMN c; ALTER TABLE t ADD COLUMN c TEXT DEFAULT 'd1'`);
  b.pull(c);
  c.pull(b);
  decide(b, 'keepLocal');
  world.wait(1);
  decide(c, 'takeRemote');
  // The earlier decision comes first, then the later one.
  a.pull(b);
  a.pull(c);
  expectEqual();
  expect(a.core().catalog().objects[0]?.ddl).toContain(`c TEXT DEFAULT 'd1'`);
});

test('A24 of two that add a column the later one fills the rows, also where nothing else is to be done', () => {
  a.exec(WIDE);
  a.exec(`INSERT INTO t (id, a) VALUES (1, 'one')`);
  b.pull(a);
  b.exec(`ALTER TABLE t ADD COLUMN d TEXT DEFAULT 'd1'`);
  a.exec('ALTER TABLE t ADD COLUMN d TEXT');
  b.exec('ALTER TABLE t ALTER COLUMN d DROP DEFAULT');
  c.pull(b);
  expectEqual();
  expect(c.rows('SELECT id, d FROM t')).toEqual([[1n, null]]);
});

test("A24 a default that a relay filled in is nobody's value: the one that holds fills the row where it arrives", () => {
  a.exec(WIDE);
  b.pull(a);
  c.pull(b);
  c.exec(`INSERT INTO t (id, a) VALUES (6, 'six')`);
  b.exec(`ALTER TABLE t ADD COLUMN d TEXT NOT NULL DEFAULT 'd2'`);
  a.exec(`ALTER TABLE t ADD COLUMN d TEXT NOT NULL DEFAULT 'd1'`);
  b.pull(c);
  a.pull(b);
  expectEqual();
  expect(a.rows('SELECT id, d FROM t')).toEqual([[6n, 'd1']]);
});
