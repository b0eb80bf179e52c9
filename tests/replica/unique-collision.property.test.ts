import fc from 'fast-check';
import { expect, test } from 'vitest';

import { present } from '#shared/assert.ts';
import { createReplicaWorld, problemsOf, syncAll } from '../support/replica-world.ts';
import type { TestReplica } from '../support/replica-world.ts';

/** Tables whose unique keys are of every kind, alone and together. All have the columns id, a, b, live and n. */
const TABLES: readonly string[] = [
  `CREATE TABLE t (id TEXT PRIMARY KEY, a TEXT UNIQUE, b TEXT, live INT, n INT)`,
  `CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT COLLATE NOCASE UNIQUE, b TEXT, live INT, n INT);
   CREATE UNIQUE INDEX t_b ON t (b) WHERE live = 1`,
  `CREATE TABLE t (id TEXT PRIMARY KEY, a TEXT, b TEXT, live INT, n INT, UNIQUE (a, b)) WITHOUT ROWID;
   CREATE UNIQUE INDEX t_n ON t (abs(n))`,
  `CREATE TABLE t (id TEXT PRIMARY KEY, a TEXT UNIQUE, b TEXT UNIQUE, live INT, n INT);
   CREATE UNIQUE INDEX t_x ON t (lower(a) || live) WHERE n > 0`,
  `CREATE TABLE t (id INT PRIMARY KEY, a TEXT, b TEXT NOT NULL DEFAULT '', live INT, n INT, g TEXT AS (a || ':' || n) UNIQUE);
   CREATE UNIQUE INDEX t_b ON t (b COLLATE NOCASE) WHERE b <> ''`,
];

// Few values, so that rows collide all the time.
const id = fc.constantFrom('1', '2', '3', '4', '5');
const text = fc.constantFrom(`'x'`, `'X'`, `'y'`, 'NULL');
const text2 = fc.constantFrom(`'x'`, `'y'`, `'Y'`);
const flag = fc.constantFrom('0', '1');
const number = fc.constantFrom('-1', '1', '2', 'NULL');
const cell = fc.oneof(
  text.map((value) => `a = ${value}`),
  text2.map((value) => `b = ${value}`),
  flag.map((value) => `live = ${value}`),
  number.map((value) => `n = ${value}`),
);

const statement = fc.oneof(
  fc
    .tuple(fc.constantFrom('IGNORE', 'REPLACE'), id, text, text2, flag, number)
    .map(([policy, ...row]) => `INSERT OR ${policy} INTO t (id, a, b, live, n) VALUES (${row.join(', ')})`),
  fc.tuple(id, fc.array(cell, { minLength: 1, maxLength: 2 })).map(([key, cells]) => {
    const byColumn = new Map(cells.map((text) => [text.slice(0, 1), text]));
    return `UPDATE OR IGNORE t SET ${[...byColumn.values()].join(', ')} WHERE id = ${key}`;
  }),
  id.map((key) => `DELETE FROM t WHERE id = ${key}`),
);
const drop = fc.constantFrom('t_b', 't_n', 't_x').map((name) => `DROP INDEX IF EXISTS ${name}`);

const replica = fc.constantFrom(0, 1, 2);
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('exec' as const), on: replica, sql: statement }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('plain' as const), on: replica, sql: statement }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('exec' as const), on: replica, sql: drop }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('pull' as const),
      on: replica,
      from: replica,
      times: fc.constantFrom(1, 2),
      facts: fc.constantFrom(1, 1000),
    }),
  },
);

const rowsOf = (on: TestReplica): unknown => on.rows(`SELECT id, a, b, live, n FROM t ORDER BY id`);

const heldOf = (on: TestReplica): unknown =>
  on
    .core()
    .held({ limit: 99 })
    .map(({ reason, op, key, values, hlc }) => JSON.stringify({ reason, op, key, values, hlc }))
    .sort();

const rivalsOf = (on: TestReplica): unknown => on.rows(`SELECT key, rival FROM _concord_held ORDER BY key`);

type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

function take(replicas: readonly TestReplica[], each: Step): void {
  const on = present(replicas[each.on], 'three replicas');
  if (each.kind === 'exec') on.exec(each.sql);
  else if (each.kind === 'plain') on.plain(each.sql);
  else if (each.from !== each.on) {
    on.pull(present(replicas[each.from], 'three replicas'), { times: each.times, facts: each.facts });
  }
}

function play(ddl: string, steps: readonly Step[]): void {
  const world = createReplicaWorld();
  try {
    const first = world.init('a');
    const replicas = [first, world.init('b'), world.init('c')];
    first.exec(ddl);
    syncAll(replicas);
    for (const each of steps) take(replicas, each);
    syncAll(replicas);
    for (const each of replicas) {
      expect(rowsOf(each)).toEqual(rowsOf(first));
      expect(heldOf(each)).toEqual(heldOf(first));
      expect(rivalsOf(each)).toEqual(rivalsOf(first));
      expect(each.core().blocked()).toEqual([]);
      expect(problemsOf(each)).toEqual([]);
    }
  } finally {
    world.close();
  }
}

test('D06 ROW-004 whatever the order in which rows with equal unique keys come, by whatever path, all replicas end with the same rows, and hold the same', () => {
  fc.assert(fc.property(fc.constantFrom(...TABLES), fc.array(step, { minLength: 6, maxLength: 24 }), play), {
    numRuns: Number(process.env['CLAIM_RUNS'] ?? 25),
  });
}, 120_000);
