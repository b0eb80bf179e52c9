import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { parseScenario } from '#main/scenario/parse-scenario.ts';
import type { Expectation, Scenario, Step } from '#main/scenario/scenario.ts';
import { present } from '#shared/assert.ts';

const SCENARIOS = join(import.meta.dirname, '../scenarios');

const HEAD = `title: t
replicas: { a: {}, b: {} }
steps:
`;

function parsed(source: string): Scenario {
  const result = parseScenario(source);
  if (!result.ok) throw new Error(`line ${result.error.line}: ${result.error.message}`);
  return result.value;
}

function firstStep(step: string): Step {
  return present(parsed(`${HEAD}  - ${step}\n`).steps[0], 'a step');
}

function expectation(said: string): Expectation {
  const step = firstStep(`expect: ${said}`);
  if (step.kind !== 'expect') throw new Error('not an expectation');
  return step.expectation;
}

test.for(readdirSync(SCENARIOS).filter((name) => name.endsWith('.yaml')))('reads %s', (name) => {
  expect(parseScenario(readFileSync(join(SCENARIOS, name), 'utf8'))).toMatchObject({ ok: true });
});

describe('the head', () => {
  test('replicas keep their order, their settings, their clock and where they come from', () => {
    const scenario = parsed(`
title: A title
settings: { maxDriftMs: 60000, pageFacts: 1000, onDivergence: block, columnTypeConflict: block }
replicas:
  z: {}
  b: { clock: "+3h", onDivergence: setAside }
  c: { attach: chinook.db, pageFacts: 3 }
  d: { attachSql: "CREATE TABLE t(id INTEGER PRIMARY KEY);" }
  e:
steps: [wait: 1s]
`);
    expect(scenario).toMatchObject({
      title: 'A title',
      settings: { maxDriftMs: 60_000, pageFacts: 1000, onDivergence: 'block', columnTypeConflict: 'block' },
      replicas: [
        { name: 'z', settings: {}, clockOffsetMs: 0, origin: { kind: 'fresh' } },
        {
          name: 'b',
          settings: { onDivergence: 'setAside' },
          clockOffsetMs: 10_800_000,
          origin: { kind: 'fresh' },
        },
        { name: 'c', settings: { pageFacts: 3 }, origin: { kind: 'file', path: 'chinook.db' } },
        { name: 'd', origin: { kind: 'sql', sql: 'CREATE TABLE t(id INTEGER PRIMARY KEY);' } },
        { name: 'e', settings: {}, clockOffsetMs: 0, origin: { kind: 'fresh' } },
      ],
    });
  });

  test('keys may stand in any order', () => {
    expect(parsed('steps: [sync: a -> b]\nreplicas: { a: {}, b: {} }\ntitle: t\n').steps).toHaveLength(1);
  });
});

interface StepCase {
  readonly step: string;
  readonly means: Readonly<Record<string, unknown>>;
}

const steps: readonly StepCase[] = [
  { step: '{ on: a, sql: SELECT 1 }', means: { kind: 'sql', on: ['a'], sql: 'SELECT 1' } },
  {
    step: '{ on: [a, b], external: SELECT 1 }',
    means: { kind: 'external', on: ['a', 'b'], sql: 'SELECT 1' },
  },
  {
    step: '{ on: a, sql: INSERT INTO nowhere VALUES (1), fails: no such table }',
    means: { kind: 'sql', fails: 'no such table' },
  },
  { step: 'wait: 5s', means: { kind: 'wait', ms: 5000 } },
  { step: 'wait: 250ms', means: { kind: 'wait', ms: 250 } },
  { step: 'wait: 31d', means: { kind: 'wait', ms: 31 * 86_400_000 } },
  {
    step: 'sync: a -> b',
    means: {
      kind: 'sync',
      path: { kind: 'pair', from: 'a', to: 'b', isBothWays: false },
      delivery: { duplicate: false, reorder: false, drop: 0 },
    },
  },
  { step: 'sync: a <-> b', means: { path: { kind: 'pair', from: 'a', to: 'b', isBothWays: true } } },
  { step: 'sync: all', means: { path: { kind: 'all' } } },
  { step: '{ sync: a -> b, with: { duplicate: true } }', means: { delivery: { duplicate: true, drop: 0 } } },
  {
    step: '{ sync: a -> b, with: { reorder: true, drop: 0.3 } }',
    means: { delivery: { reorder: true, drop: 0.3 } },
  },
  { step: '{ sync: a -> b, with: { killAfter: 40% } }', means: { delivery: { killAfter: 0.4 } } },
  {
    step: 'withhold: { from: b, to: a, tables: [pet] }',
    means: { kind: 'withhold', from: 'b', to: 'a', tables: ['pet'] },
  },
  { step: 'release: { from: b, to: a }', means: { kind: 'release', from: 'b', to: 'a' } },
  { step: 'copy: { from: a, to: a2 }', means: { kind: 'copy', from: 'a', to: 'a2' } },
  { step: 'clock: { on: b, offset: "0s" }', means: { kind: 'clock', on: ['b'], offsetMs: 0 } },
  { step: 'clock: { on: b, offset: "-2m" }', means: { kind: 'clock', offsetMs: -120_000 } },
  { step: 'crash: b', means: { kind: 'crash', on: ['b'] } },
  { step: 'pause: a -> b', means: { kind: 'pause', path: { from: 'a', to: 'b', isBothWays: false } } },
  { step: 'resume: a <-> b', means: { kind: 'resume', path: { from: 'a', to: 'b', isBothWays: true } } },
  { step: 'bootstrap: { on: b, from: a }', means: { kind: 'bootstrap', on: ['b'], from: 'a' } },
  { step: 'bootstrap: { on: b, from: a, breakAt: 50% }', means: { kind: 'bootstrap', breakAt: 0.5 } },
  {
    step: 'resyncTable: { on: b, from: a, table: orders }',
    means: { kind: 'resyncTable', on: ['b'], from: 'a', table: 'orders' },
  },
  {
    step: 'resolve: { on: b, object: orders, with: takeRemote, because: "..." }',
    means: { kind: 'resolve', on: ['b'], object: 'orders', with: 'takeRemote', because: '...' },
  },
  {
    step: 'resolve: { on: b, object: orders, with: merge, definition: "CREATE TABLE orders(id)" }',
    means: { with: 'merge', definition: 'CREATE TABLE orders(id)' },
  },
  {
    step: 'resolve: { on: b, object: orders, with: renameLocalAside, to: orders_old }',
    means: { with: 'renameLocalAside', to: 'orders_old' },
  },
  { step: 'resolve: { on: b, object: orders, with: rebootstrap }', means: { with: 'rebootstrap' } },
  { step: 'resolve: { on: b, object: orders, with: newSite }', means: { with: 'newSite' } },
  { step: 'undoResolution: { on: b, object: orders }', means: { kind: 'undoResolution', object: 'orders' } },
  { step: 'quarantine: { on: b, table: x }', means: { kind: 'quarantine', table: 'x' } },
  { step: 'drain: { on: b, table: x }', means: { kind: 'drain', table: 'x' } },
  { step: 'deleteHeld: { on: b, table: x, because: "..." }', means: { kind: 'deleteHeld', because: '...' } },
  {
    step: 'seed: { on: a, ddl: "...", version: 1, builtAt: 2026-01-01T00:00:00Z }',
    means: { kind: 'seed', on: ['a'], ddl: '...', version: 1n, builtAt: '2026-01-01T00:00:00Z' },
  },
  {
    step: 'declare: { on: a, schema: "...", typeChange: recreate }',
    means: { kind: 'declare', source: { kind: 'schema', sql: '...' }, typeChange: 'recreate' },
  },
  {
    step: 'declare: { on: a, lexicons: DIR }',
    means: { kind: 'declare', source: { kind: 'lexicons', path: 'DIR' } },
  },
  { step: 'prune: { on: a, olderThan: 31d }', means: { kind: 'prune', olderThanMs: 31 * 86_400_000 } },
];

test.for(steps)('reads $step', ({ step, means }) => {
  expect(firstStep(step)).toMatchObject(means);
});

test('reads restore, which looks back at a step', () => {
  expect(parsed(`${HEAD}  - wait: 1s\n  - restore: { on: a, from: step 1 }\n`).steps[1]).toMatchObject({
    kind: 'restore',
    on: ['a'],
    fromStep: 1,
  });
});

test('a replica made by copy is known from there on', () => {
  expect(parsed(`${HEAD}  - copy: { from: a, to: a2 }\n  - sync: a2 -> b\n`).steps[1]).toMatchObject({
    path: { from: 'a2', to: 'b' },
  });
});

const expectations: readonly StepCase[] = [
  {
    step: '{ rows: { on: [a, b], sql: "SELECT id, total FROM orders", are: [["o1", 9.5]] } }',
    means: { kind: 'rows', on: ['a', 'b'], are: [['o1', 9.5]] },
  },
  { step: '{ converged: [a, b] }', means: { kind: 'converged', replicas: ['a', 'b'] } },
  { step: '{ diverged: [a, b] }', means: { kind: 'diverged', replicas: ['a', 'b'] } },
  {
    step: '{ blocked: { on: b, from: a, object: orders, cause: divergentDefinition, mentions: ["REAL", "TEXT"] } }',
    means: {
      kind: 'blocked',
      on: ['b'],
      from: 'a',
      object: 'orders',
      cause: 'divergentDefinition',
      mentions: ['REAL', 'TEXT'],
    },
  },
  { step: '{ notBlocked: [a, b] }', means: { kind: 'notBlocked', replicas: ['a', 'b'] } },
  {
    step: '{ held: { on: b, table: x, reason: unknownTable, count: 2 } }',
    means: { kind: 'held', on: ['b'], table: 'x', reason: 'unknownTable', count: 2n },
  },
  {
    step: '{ table: { on: a, name: orders, columns: [id, total, note], absent: false } }',
    means: { kind: 'table', name: 'orders', columns: ['id', 'total', 'note'], absent: false },
  },
  { step: '{ table: { on: a, name: orders, absent: true } }', means: { kind: 'table', absent: true } },
  {
    step: `{ column: { on: a, table: orders, name: total, type: TEXT, notNull: true, default: "'x'", collation: NOCASE, primaryKey: 0 } }`,
    means: {
      kind: 'column',
      table: 'orders',
      name: 'total',
      type: 'TEXT',
      notNull: true,
      default: "'x'",
      collation: 'NOCASE',
      primaryKey: 0n,
    },
  },
  {
    step: '{ objects: { on: a, kind: index, names: [i1, i2] } }',
    means: { kind: 'objects', objectKind: 'index', names: ['i1', 'i2'] },
  },
  {
    step: '{ primaryKey: { on: a, table: orders, columns: [id] } }',
    means: { kind: 'primaryKey', table: 'orders', columns: ['id'] },
  },
  {
    step: '{ migration: { on: b, type: rename_table, object: orders2, verdict: alreadyApplied, count: 1 } }',
    means: {
      kind: 'migration',
      type: 'rename_table',
      object: 'orders2',
      verdict: 'alreadyApplied',
      count: 1n,
    },
  },
  {
    step: '{ finding: { on: a, kind: foreignKey, table: child, count: 1 } }',
    means: { kind: 'finding', findingKind: 'foreignKey', table: 'child', count: 1n },
  },
  {
    step: `{ log: { on: a, contains: '[migration] added column "rating"' } }`,
    means: { kind: 'log', contains: '[migration] added column "rating"' },
  },
  { step: '{ sent: { from: a, to: b, rows: 0 } }', means: { kind: 'sent', from: 'a', to: 'b', rows: 0n } },
  {
    step: '{ journal: { on: b, object: orders, option: takeRemote, because: "..." } }',
    means: { kind: 'journal', object: 'orders', option: 'takeRemote', because: '...' },
  },
  { step: '{ status: { on: b, is: blocked } }', means: { kind: 'status', on: ['b'], is: 'blocked' } },
  { step: '{ status: { on: b, is: in sync } }', means: { is: 'inSync' } },
  { step: '{ status: { on: b, is: too old } }', means: { is: 'tooOld' } },
  { step: '{ integrity: [a, b] }', means: { kind: 'integrity', replicas: ['a', 'b'] } },
];

test.for(expectations)('reads expect: $step', ({ step, means }) => {
  expect(expectation(step)).toMatchObject(means);
});

test('values are exact: 64-bit integers, reals, infinities, text, null, blobs', () => {
  const said = expectation(`
      rows:
        on: a
        sql: SELECT 1
        are: [[9223372036854775807, -9223372036854775808, 1.0, .inf, -.inf, on, "1", null, { blob: "00fF" }]]`);
  expect(said).toMatchObject({
    are: [
      [
        9223372036854775807n,
        -9223372036854775808n,
        1,
        Number.POSITIVE_INFINITY,
        Number.NEGATIVE_INFINITY,
        'on',
        '1',
        null,
        new Uint8Array([0, 255]),
      ],
    ],
  });
});
