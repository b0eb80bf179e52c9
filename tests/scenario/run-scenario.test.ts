import { describe, expect, test } from 'vitest';

import { playSource } from '../support/play-scenario.ts';

const HEAD = `title: t
replicas: { a: {}, b: {}, c: { clock: "+3h" } }
settings: { maxDriftMs: 100000000 }
steps:
  - on: a
    sql: CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT); INSERT INTO t VALUES (1, 'a');
`;

const play = async (steps: string, source = HEAD) => playSource(source + steps);

describe('what is expected and not there', () => {
  interface Case {
    readonly steps: string;
    readonly expected: string;
    readonly there: string;
  }
  const cases: readonly Case[] = [
    { steps: 'rows: { on: a, sql: SELECT id FROM t, are: [[2]] }', expected: 'on a: [[2]]', there: '[[1]]' },
    {
      steps: 'rows: { on: a, sql: SELECT id FROM u, are: [] }',
      expected: 'rows of "SELECT id FROM u"',
      there: 'no such table: u',
    },
    {
      steps: 'converged: [a, b]',
      expected: 'a, b converged',
      there: 'the schemas differ: only on a CREATE TABLE t',
    },
    { steps: 'diverged: [b, c]', expected: 'b, c diverged', there: 'they are equal' },
    { steps: 'blocked: { on: b, object: t }', expected: 'on b: blocked {"object":"t"}', there: 'none' },
    { steps: 'held: { on: b, table: t }', expected: 'held rows of t: at least one', there: '0; in all none' },
    {
      steps: 'held: { on: b, table: t, reason: unknownTable, count: 2 }',
      expected: '(unknownTable): 2',
      there: '0',
    },
    { steps: 'table: { on: b, name: t }', expected: 'on b: table t', there: 'no such table' },
    {
      steps: 'table: { on: a, name: t, absent: true }',
      expected: 'on a: no table t',
      there: 'columns id, v',
    },
    { steps: 'table: { on: a, name: t, columns: [id] }', expected: 't with id', there: 'id, v' },
    {
      steps: 'column: { on: a, table: t, name: v, type: INTEGER, notNull: true }',
      expected: 'type INTEGER, notNull true',
      there: 'type TEXT, notNull false',
    },
    { steps: 'column: { on: a, table: t, name: w }', expected: 'column w of t', there: 'columns id, v' },
    { steps: 'objects: { on: a, kind: index, names: [t_v] }', expected: 'index objects t_v', there: 'none' },
    {
      steps: 'primaryKey: { on: a, table: t, columns: [id, v] }',
      expected: 'the key (id, v)',
      there: '(id)',
    },
    {
      steps: 'migration: { on: a, object: t, type: drop_table }',
      expected: 'drop_table of t: at least one',
      there: '0; in all create_table (executed)',
    },
    {
      steps: 'finding: { on: a, kind: noPrimaryKey, table: t }',
      expected: 'findings of t (noPrimaryKey): at least one',
      there: '0',
    },
    {
      steps: 'log: { on: a, contains: "no such line" }',
      expected: 'a log line with "no such line"',
      there: '',
    },
    {
      steps: 'sent: { from: a, to: b, rows: 0 }',
      expected: '0 rows read',
      there: 'no sync of that direction',
    },
    { steps: 'journal: { on: a, object: t }', expected: 'a journal entry {"object":"t"}', there: 'none' },
    { steps: 'status: { on: a, is: blocked }', expected: 'on a: blocked', there: 'inSync' },
  ];
  test.for(cases)('$steps', async ({ steps, expected, there }) => {
    const result = await play(`  - expect: { ${steps} }\n`);
    expect(result).toMatchObject({
      passed: false,
      step: 2,
      line: 7,
      expected: expect.stringContaining(expected) as string,
      there: expect.stringContaining(there) as string,
    });
  });
});

describe('what is expected and there', () => {
  const cases = [
    'rows: { on: a, sql: "SELECT id, v FROM t", are: [[1.0, a]] }',
    'rows: { on: a, sql: SELECT name FROM sqlite_schema, are: [[t]] }',
    'diverged: [a, b]',
    'converged: [b, c]',
    'notBlocked: [a, b, c]',
    'held: { on: b, table: t, count: 0 }',
    'table: { on: a, name: T, columns: [v, ID] }',
    'table: { on: b, name: t, absent: true }',
    'column: { on: a, table: t, name: v, type: text, notNull: false, default: null, primaryKey: 0 }',
    'column: { on: a, table: t, name: w, absent: true }',
    'objects: { on: a, kind: table, names: [t] }',
    'primaryKey: { on: a, table: t, columns: [id] }',
    'migration: { on: a, object: t, type: create_table, count: 1 }',
    'status: { on: [a, b], is: in sync }',
    'integrity: [a, b, c]',
  ];
  test.for(cases)('%s', async (said) => {
    expect(await play(`  - expect: { ${said} }\n`)).toEqual({ title: 't', passed: true });
  });
});

describe('fails', () => {
  test('a step that must fail passes when its message contains the words, whatever the case', async () => {
    const steps = `  - { on: a, sql: INSERT INTO nowhere VALUES (1), fails: NO SUCH TABLE }
  - { on: [a], external: INSERT INTO nowhere VALUES (1), fails: no such table }
  - { expect: { rows: { on: a, sql: SELECT 1, are: [[2]] } }, fails: "[[1]]" }\n`;
    expect(await play(steps)).toMatchObject({ passed: true });
  });

  test('each replica of the step must fail', async () => {
    const steps = '  - { on: [b, a], sql: "INSERT INTO t VALUES (7, NULL)", fails: no such table }\n';
    expect(await play(steps)).toMatchObject({
      passed: false,
      expected: 'a failure that says "no such table"',
      there: 'no failure',
    });
  });

  test('another message is told', async () => {
    const steps = '  - { on: a, sql: "INSERT INTO t VALUES (1, NULL)", fails: no such table }\n';
    expect(await play(steps)).toMatchObject({
      passed: false,
      there: expect.stringContaining('UNIQUE') as string,
    });
  });
});

describe('a feature that is not built fails, also where a failure is asked for', () => {
  const steps = [
    'bootstrap: { on: b, from: a }',
    'resyncTable: { on: b, from: a, table: t }',
    'undoResolution: { on: b, object: t }',
    'seed: { on: a, ddl: CREATE TABLE x(id), version: 1 }',
    'resolve: { on: b, object: t, with: merge, definition: CREATE TABLE t(id) }',
    'resolve: { on: b, object: t, with: renameLocalAside, to: t2 }',
    'resolve: { on: b, object: t, with: skip }',
    'resolve: { on: b, object: t, with: rebootstrap }',
  ];
  test.for(steps)('%s', async (step) => {
    expect(await play(`  - ${step}\n`)).toMatchObject({ passed: false, there: 'not supported yet' });
    expect(await play(`  - { ${step}, fails: not supported }\n`)).toMatchObject({
      passed: false,
      there: 'not supported yet',
    });
  });
});

describe('links', () => {
  test('a paused link passes nothing in its direction, and the status says so', async () => {
    const steps = `  - pause: a -> b
  - sync: a -> b
  - expect: { table: { on: b, name: t, absent: true } }
  - expect: { status: { on: b, is: paused } }
  - sync: all
  - expect: { table: { on: c, name: t } }
  - resume: a -> b
  - sync: a -> b
  - expect: { converged: [a, b] }\n`;
    expect(await play(steps)).toMatchObject({ passed: true });
  });

  test('sync: all carries a change over the links that are left', async () => {
    const steps = `  - pause: a <-> b
  - sync: all
  - expect: { converged: [a, b, c] }\n`;
    expect(await play(steps)).toMatchObject({ passed: true });
  });

  test('a replica that lacks what a peer has is behind', async () => {
    const steps = `  - sync: a -> b
  - expect: { status: { on: b, is: in sync } }
  - on: a
    sql: INSERT INTO t VALUES (2, 'b');
  - expect: { status: { on: b, is: behind } }\n`;
    expect(await play(steps)).toMatchObject({ passed: true });
  });

  test('sent counts the rows of the last sync step of a direction', async () => {
    const steps = `  - sync: a -> b
  - expect: { sent: { from: a, to: b, rows: 1 } }
  - sync: a <-> b
  - expect: { sent: { from: a, to: b, rows: 0 } }
  - expect: { sent: { from: b, to: a, rows: 0 } }\n`;
    expect(await play(steps)).toMatchObject({ passed: true });
  });

  test('what is withheld passes after its release', async () => {
    const steps = `  - withhold: { from: a, to: b, tables: [t] }
  - sync: a -> b
  - expect: { held: { on: b, table: t, count: 1 } }
  - release: { from: a, to: b }
  - sync: a -> b
  - expect: { converged: [a, b] }\n`;
    expect(await play(steps)).toMatchObject({ passed: true });
  });
});

describe('clocks', () => {
  test('all clocks stand at 2026-06-01 and move by a millisecond a step, or as wait says; offsets come on top', async () => {
    const steps = `  - wait: 5s
  - on: [a, c]
    external: CREATE TABLE seen AS SELECT now_ms AS ms FROM _concord_state;
  - expect: { rows: { on: a, sql: "SELECT ms - 1780272000000 FROM seen", are: [[5002]] } }
  - expect: { rows: { on: c, sql: "SELECT ms - 1780272000000 FROM seen", are: [[10805002]] } }
  - clock: { on: c, offset: "-1s" }
  - on: c
    external: UPDATE seen SET ms = (SELECT now_ms FROM _concord_state);
  - expect: { rows: { on: c, sql: "SELECT ms - 1780272000000 FROM seen", are: [[4006]] } }\n`;
    expect(await play(steps)).toMatchObject({ passed: true });
  });
});

describe('files', () => {
  test('a replica may be made of a file or of SQL and is attached', async () => {
    const source = `title: t
replicas:
  a: { attachSql: "CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT); INSERT INTO t VALUES (1, 'was there');" }
  b: {}
steps:
  - sync: a <-> b
  - expect: { rows: { on: b, sql: SELECT * FROM t, are: [[1, was there]] } }
  - expect: { converged: [a, b] }\n`;
    expect(await playSource(source)).toMatchObject({ passed: true });
  });

  test('a file that is not there fails the making', async () => {
    const source = 'title: t\nreplicas: { a: { attach: gone.db } }\nsteps: [wait: 1s]\n';
    expect(await playSource(source)).toMatchObject({
      passed: false,
      step: 0,
      there: expect.stringContaining('gone.db') as string,
    });
  });

  test('a restored file has what it had after that step', async () => {
    const steps = `  - on: a
    sql: INSERT INTO t VALUES (2, 'b');
  - on: a
    external: DELETE FROM t;
  - restore: { on: a, from: step 2 }
  - expect: { rows: { on: a, sql: SELECT id FROM t ORDER BY id, are: [[1], [2]] } }
  - on: a
    sql: INSERT INTO t VALUES (3, 'c');
  - expect: { integrity: [a] }\n`;
    expect(await play(steps)).toMatchObject({ passed: true });
  });

  test('a copy has the same site ID, so the two do not sync', async () => {
    const steps = `  - copy: { from: a, to: a2 }
  - expect: { converged: [a, a2] }
  - on: a2
    sql: INSERT INTO t VALUES (2, 'b');
  - sync: a2 -> a
  - expect: { rows: { on: a, sql: SELECT id FROM t, are: [[1]] } }\n`;
    expect(await play(steps)).toMatchObject({ passed: true });
  });
});

describe('a host that dies', () => {
  test('is unreachable until a step needs it', async () => {
    const steps = `  - crash: a
  - expect: { status: { on: a, is: unreachable } }
  - on: a
    sql: INSERT INTO t VALUES (2, 'b');
  - expect: { status: { on: a, is: in sync } }
  - expect: { rows: { on: a, sql: SELECT id FROM t ORDER BY id, are: [[1], [2]] } }\n`;
    expect(await play(steps)).toMatchObject({ passed: true });
  });

  test('after no page at all has nothing, after all of them has everything', async () => {
    const steps = `  - { sync: a -> b, with: { killAfter: 0% } }
  - expect: { table: { on: b, name: t, absent: true } }
  - { sync: a -> b, with: { killAfter: 100% } }
  - expect: { rows: { on: b, sql: SELECT id FROM t, are: [[1]] } }
  - expect: { integrity: [b] }\n`;
    expect(await play(steps)).toMatchObject({ passed: true });
  });
});

describe('decisions', () => {
  test('there is nothing to decide where nothing is blocked', async () => {
    expect(await play('  - resolve: { on: a, object: t, with: takeRemote }\n')).toMatchObject({
      passed: false,
      expected: 'on a: a blocked batch of t',
      there: 'nothing is blocked',
    });
  });

  test('the reason stands in the journal', async () => {
    const steps = `  - on: b
    sql: CREATE TABLE t (id INTEGER PRIMARY KEY);
  - sync: a -> b
  - resolve: { on: b, object: t, with: takeRemote, because: more columns }
  - expect: { journal: { on: b, object: t, option: takeRemote, because: more columns } }
  - expect: { notBlocked: [b] }\n`;
    expect(await play(steps)).toMatchObject({ passed: true });
  });
});
