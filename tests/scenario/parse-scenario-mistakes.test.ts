import { expect, test } from 'vitest';

import { parseScenario } from '#main/scenario/parse-scenario.ts';

const HEAD = `title: t
replicas: { a: {}, b: {} }
steps:
`;

interface Mistake {
  readonly title: string;
  readonly source: string;
  readonly line: number;
  readonly says: string;
}

const inHead = (title: string, source: string, [line, says]: readonly [number, string]): Mistake => ({
  title,
  source,
  line,
  says,
});
/** Each of these stands on line 4, behind the head. */
const inStep = (title: string, step: string, says: string): Mistake => ({
  title,
  source: `${HEAD}  - ${step}\n`,
  line: 4,
  says,
});

const mistakes: readonly Mistake[] = [
  inHead('an empty file', '', [1, 'empty']),
  inHead('a list', '- a\n', [1, 'must be a mapping']),
  inHead('broken YAML', 'title: t\nreplicas: { a: {}\nsteps: []\n', [3, '']),
  inHead('no title', 'replicas: { a: {} }\nsteps: [wait: 1s]\n', [1, 'lacks the key "title"']),
  inHead('no steps', 'title: t\nreplicas: { a: {} }\n', [1, 'lacks the key "steps"']),
  inHead('no step', 'title: t\nreplicas: { a: {} }\nsteps: []\n', [3, '"steps" is empty']),
  inHead('no replica', 'title: t\nreplicas: {}\nsteps: [wait: 1s]\n', [2, '"replicas" is empty']),
  inHead('an unknown key on top', 'title: t\nreplicas: { a: {} }\nstep: []\nsteps: [wait: 1s]\n', [
    3,
    'unknown key "step"',
  ]),
  inHead('a key twice', 'title: t\ntitle: u\nreplicas: { a: {} }\nsteps: [wait: 1s]\n', [2, 'unique']),
  inHead('a second document', 'title: t\nreplicas: { a: {} }\nsteps: [wait: 1s]\n---\ntitle: u\n', [
    4,
    'second document',
  ]),
  inHead('an unknown setting', 'title: t\nsettings:\n  drift: 1\nreplicas: { a: {} }\nsteps: [wait: 1s]\n', [
    3,
    'unknown key "drift"',
  ]),
  inHead(
    'a setting of another kind',
    'title: t\nsettings:\n  onDivergence: ask\nreplicas: { a: {} }\nsteps: [wait: 1s]\n',
    [3, 'one of block, setAside'],
  ),
  inHead(
    'pages of nothing',
    'title: t\nsettings: { pageFacts: 0 }\nreplicas: { a: {} }\nsteps: [wait: 1s]\n',
    [2, 'from 1 to 1000'],
  ),
  inHead('an unknown key of a replica', 'title: t\nreplicas:\n  a: { clok: 1s }\nsteps: [wait: 1s]\n', [
    3,
    'unknown key "clok"',
  ]),
  inHead('a clock without a unit', 'title: t\nreplicas:\n  a: { clock: "3" }\nsteps: [wait: 1s]\n', [
    3,
    'length of time',
  ]),
  inHead('two origins', 'title: t\nreplicas:\n  a: { attach: x.db, attachSql: "" }\nsteps: [wait: 1s]\n', [
    3,
    'one origin',
  ]),
  inHead('a name that is a path', 'title: t\nreplicas:\n  ../a: {}\nsteps: [wait: 1s]\n', [
    3,
    'cannot name a replica',
  ]),
  inHead('a restore from later on', `${HEAD}  - wait: 1s\n  - restore: { on: a, from: step 2 }\n`, [
    5,
    'not before this one',
  ]),
  inHead(
    'a restore from before the copy',
    `${HEAD}  - wait: 1s\n  - copy: { from: a, to: c }\n  - restore: { on: c, from: step 1 }\n`,
    [6, 'no replica "c" yet'],
  ),
  inHead('an alias', 'title: &t t\nreplicas: { a: {} }\nsteps: [wait: *t]\n', [1, 'anchor']),
  inHead('an unknown replica on a later line', `${HEAD}  - on:\n      - a\n      - x\n    sql: SELECT 1\n`, [
    6,
    'unknown replica "x"',
  ]),
  inStep('a copy onto a replica that is there', 'copy: { from: a, to: b }', 'already'),
  inStep('a word for a step', 'sync', 'must be a mapping'),
  inStep('an unknown step', 'synk: a -> b', 'unknown key "synk"'),
  inStep('no kind', '{ on: a }', 'must have one of the keys'),
  inStep('two kinds', '{ on: a, sql: SELECT 1, external: SELECT 1 }', 'one kind a step'),
  inStep('a kind and an expectation', '{ wait: 1s, expect: { converged: [a, b] } }', 'one kind a step'),
  inStep('on beside a sync', '{ sync: all, on: a }', 'unknown key "on" in a "sync" step'),
  inStep(
    'with beside sql',
    '{ on: a, sql: SELECT 1, with: { drop: 0.1 } }',
    'unknown key "drop" in "with"; known here: killAtWrite',
  ),
  inStep('sql without on', 'sql: SELECT 1', 'needs "on"'),
  inStep('sql that is a number', '{ on: a, sql: 1 }', 'must be text'),
  inStep('sql of nothing', '{ on: a, sql: "" }', 'is empty'),
  inStep('fails without a word', '{ on: a, sql: SELECT 1, fails: null }', 'must be text'),
  inStep('an empty list of replicas', '{ on: [], sql: SELECT 1 }', 'is empty'),
  inStep('an unknown replica', '{ on: x, sql: SELECT 1 }', 'unknown replica "x"; there are: a, b'),
  inStep('an arrow that points nowhere', 'sync: a ->', 'must read "a -> b"'),
  inStep('an arrow backwards', 'sync: a <- b', 'must read "a -> b"'),
  inStep('an arrow to a stranger', 'sync: a -> x', 'unknown replica "x"'),
  inStep('an arrow to itself', 'sync: a -> a', 'both ends'),
  inStep('pause of all', 'pause: all', 'must read "a -> b"'),
  inStep('a wait backwards', 'wait: -5s', 'cannot be negative'),
  inStep('a wait without a unit', 'wait: 5', 'must be text'),
  inStep('an unknown delivery', '{ sync: a -> b, with: { twice: true } }', 'unknown key "twice"'),
  inStep('a loss of everything', '{ sync: a -> b, with: { drop: 1 } }', 'below 1'),
  inStep('a share above the whole', '{ sync: a -> b, with: { killAfter: 140% } }', 'from 0% to 100%'),
  inStep('withhold without tables', 'withhold: { from: a, to: b }', 'lacks the key "tables"'),
  inStep('release with tables', 'release: { from: a, to: b, tables: [x] }', 'unknown key "tables"'),
  inStep('a resolution without a word', 'resolve: { on: a, object: o }', 'lacks the key "with"'),
  inStep('an unknown resolution', 'resolve: { on: a, object: o, with: ignore }', 'one of keepLocal'),
  inStep('merge without a definition', 'resolve: { on: a, object: o, with: merge }', 'merge needs it'),
  inStep(
    'a definition without merge',
    'resolve: { on: a, object: o, with: retry, definition: x }',
    'goes with merge',
  ),
  inStep(
    'aside without a name',
    'resolve: { on: a, object: o, with: renameLocalAside }',
    'renameLocalAside needs it',
  ),
  inStep('a seed of no time', 'seed: { on: a, ddl: x, version: 1, builtAt: soon }', 'must be a time'),
  inStep('declare of nothing', 'declare: { on: a }', 'one of "schema" and "lexicons"'),
  inStep('restore from no step', 'restore: { on: a, from: 3 }', 'must read "step 3"'),
  inStep('an expectation of nothing', 'expect: {}', 'says nothing'),
  inStep('two expectations', 'expect: { converged: [a, b], notBlocked: a }', 'one expectation a step'),
  inStep('an unknown expectation', 'expect: { synced: [a, b] }', 'unknown expectation "synced"'),
  inStep('an unknown key of an expectation', 'expect: { held: { on: a, tabel: x } }', 'unknown key "tabel"'),
  inStep('convergence of one', 'expect: { converged: [a] }', 'at least two'),
  inStep(
    'an unknown cause',
    'expect: { blocked: { on: a, object: o, cause: bad } }',
    'one of divergentDefinition',
  ),
  inStep('an unknown reason', 'expect: { held: { on: a, table: x, reason: bad } }', 'one of unknownTable'),
  inStep(
    'an unknown verdict',
    'expect: { migration: { on: a, object: x, verdict: bad } }',
    'one of executed',
  ),
  inStep('an unknown state', 'expect: { status: { on: a, is: inSync } }', 'one of in sync'),
  inStep('a count below zero', 'expect: { held: { on: a, table: x, count: -1 } }', 'from 0'),
  inStep(
    'columns of what is absent',
    'expect: { table: { on: a, name: x, columns: [id], absent: true } }',
    'absent',
  ),
  inStep(
    'true as a value',
    'expect: { rows: { on: a, sql: SELECT 1, are: [[true]] } }',
    'no value of SQLite',
  ),
  inStep('not a number', 'expect: { rows: { on: a, sql: SELECT 1, are: [[.nan]] } }', 'no value of SQLite'),
  inStep('65 bits', 'expect: { rows: { on: a, sql: SELECT 1, are: [[9223372036854775808]] } }', '64 bits'),
  inStep('half a byte', 'expect: { rows: { on: a, sql: SELECT 1, are: [[{ blob: "0" }]] } }', 'hex'),
  inStep(
    'an unknown tagged value',
    'expect: { rows: { on: a, sql: SELECT 1, are: [[{ hex: "00" }]] } }',
    '{blob',
  ),
  inStep('a row that is no list', 'expect: { rows: { on: a, sql: SELECT 1, are: [1] } }', 'must be a list'),
];

test.for(mistakes)('refuses $title, with its line', ({ source, line, says }) => {
  const result = parseScenario(source);
  expect(result).toMatchObject({ ok: false, error: { code: 'scenario-not-understood', line } });
  if (!result.ok) expect(result.error.message).toContain(says);
});
