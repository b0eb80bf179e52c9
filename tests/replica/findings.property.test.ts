import fc from 'fast-check';
import { expect, test } from 'vitest';

import { present } from '#shared/assert.ts';
import { createReplicaWorld, problemsOf, syncAll } from '../support/replica-world.ts';
import type { TestReplica } from '../support/replica-world.ts';

/** Families of tables: p is referred to by c. All have the columns id, k and n; c and the self-referring s also p. */
const FAMILIES: readonly string[] = [
  `CREATE TABLE p (id INTEGER PRIMARY KEY, k TEXT, n INT);
   CREATE TABLE c (id INTEGER PRIMARY KEY, p INT REFERENCES p ON DELETE CASCADE, k TEXT, n INT CHECK (n < 3));
   CREATE INDEX c_p ON c (p)`,
  `CREATE TABLE p (id TEXT PRIMARY KEY, k TEXT, n INT);
   CREATE TABLE c (id TEXT PRIMARY KEY, p TEXT REFERENCES p (id), k TEXT, n INT, CHECK (n < 3 OR k IS NULL)) WITHOUT ROWID`,
  `CREATE TABLE p (id TEXT PRIMARY KEY COLLATE NOCASE, k TEXT UNIQUE, n INT);
   CREATE TABLE c (id TEXT PRIMARY KEY, p TEXT REFERENCES p ON UPDATE CASCADE ON DELETE SET NULL, k TEXT, n INT, CHECK (n <> 2))`,
  `CREATE TABLE p (id INTEGER PRIMARY KEY, k TEXT UNIQUE, n INT);
   CREATE TABLE c (id INT, p TEXT REFERENCES p (k) DEFERRABLE INITIALLY DEFERRED, k TEXT, n INT, PRIMARY KEY (id))`,
];

const id = fc.constantFrom('1', '2', '3', '4');
const value = fc.constantFrom('1', '2', '3', 'NULL');
const table = fc.constantFrom('p', 'c');

const statement = fc.oneof(
  fc.tuple(id, value, value).map((row) => `INSERT OR IGNORE INTO p (id, k, n) VALUES (${row.join(', ')})`),
  fc
    .tuple(id, value, value, value)
    .map((row) => `INSERT OR REPLACE INTO c (id, p, k, n) VALUES (${row.join(', ')})`),
  fc
    .tuple(table, id, value)
    .map(([name, key, n]) => `UPDATE OR IGNORE ${name} SET n = ${n} WHERE id = ${key}`),
  fc
    .tuple(table, id, value)
    .map(([name, key, k]) => `UPDATE OR IGNORE ${name} SET k = ${k} WHERE id = ${key}`),
  fc.tuple(id, value).map(([key, p]) => `UPDATE OR IGNORE c SET p = ${p} WHERE id = ${key}`),
  fc.tuple(id, id).map(([from, to]) => `UPDATE OR IGNORE p SET id = ${to} WHERE id = ${from}`),
  fc.tuple(table, id).map(([name, key]) => `DELETE FROM ${name} WHERE id = ${key}`),
);

const replica = fc.constantFrom(0, 1, 2);
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('exec' as const), on: replica, sql: statement }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('plain' as const), on: replica, sql: statement }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('pull' as const),
      on: replica,
      from: replica,
      facts: fc.constantFrom(1, 1000),
    }),
  },
);

/** What SQLite itself says of the whole file. */
const brokenOf = (on: TestReplica): unknown => [
  ...on
    .rows(`SELECT DISTINCT "table" FROM pragma_foreign_key_check`)
    .map(([name]) => [
      'foreignKey',
      name,
      Number(
        on.rows(`SELECT count(*) FROM pragma_foreign_key_check WHERE "table" = '${String(name)}'`)[0]?.[0],
      ),
    ]),
];

const foundOf = (on: TestReplica): unknown =>
  on
    .core()
    .findings()
    .flatMap(({ kind, table: name, rowCount }) => (kind === 'foreignKey' ? [[kind, name, rowCount]] : []));

const checkCount = (on: TestReplica): unknown =>
  on
    .core()
    .findings()
    .flatMap(({ kind, rowCount }) => (kind === 'check' ? [rowCount] : []));

const uncheckedOf = (on: TestReplica, ddl: string): unknown => {
  const [, check] = /CHECK \((.*?)\)/.exec(ddl) ?? [];
  if (check === undefined) return [];
  const count = Number(on.rows(`SELECT count(*) FROM c WHERE NOT (${check})`)[0]?.[0]);
  return count === 0 ? [] : [count];
};

/** SQLite refuses what breaks a CHECK, from any program. */
function tryPlain(on: TestReplica, sql: string): void {
  try {
    on.plain(sql);
  } catch (cause) {
    expect(String(cause)).toContain('constraint failed');
  }
}

type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

function take(replicas: readonly TestReplica[], each: Step): TestReplica {
  const on = present(replicas[each.on], 'three replicas');
  if (each.kind === 'exec') on.core().exec(each.sql);
  else if (each.kind === 'plain') tryPlain(on, each.sql);
  else if (each.from !== each.on)
    on.pull(present(replicas[each.from], 'three replicas'), { facts: each.facts });
  return on;
}

function look(on: TestReplica, ddl: string): void {
  // Once for what was written, once more for a table that is looked through.
  on.core().notice();
  on.core().notice();
  expect(foundOf(on)).toEqual(brokenOf(on));
  expect(checkCount(on)).toEqual(uncheckedOf(on, ddl));
}

function play(ddl: string, steps: readonly Step[]): void {
  const world = createReplicaWorld();
  try {
    const replicas = [world.init('a'), world.init('b'), world.init('c')];
    replicas[0]?.exec(ddl);
    syncAll(replicas);
    for (const each of steps) look(take(replicas, each), ddl);
    syncAll(replicas);
    for (const each of replicas) {
      look(each, ddl);
      expect(problemsOf(each)).toEqual([]);
    }
  } finally {
    world.close();
  }
}

test('D07 FINDING-001 after every look the findings are what SQLite finds when it goes through all rows', () => {
  fc.assert(
    fc.property(fc.constantFrom(...FAMILIES), fc.array(step, { minLength: 6, maxLength: 30 }), play),
    { numRuns: Number(process.env['FINDING_RUNS'] ?? 20) },
  );
}, 120_000);
