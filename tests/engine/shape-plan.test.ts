import { expect, test } from 'vitest';

import { driftOf } from '#main/engine/shape/drift-of.ts';
import { foldShape, type FoldedTable } from '#main/engine/shape/fold-shape.ts';
import { planAlterations } from '#main/engine/shape/plan-alterations.ts';
import type { TableDefinition } from '#main/sql/ast.ts';
import { canonicalTable } from '#main/sql/canonical-table.ts';
import { foldIdentifier } from '#main/sql/fold-identifier.ts';
import { canonicalStatement } from '#main/sql/canonical-statement.ts';
import { applyAll, createShapeWorld, statementOf, type ShapeWorld } from '../support/shape-world.ts';

const tableOf = (sql: string): TableDefinition => {
  const statement = statementOf(sql);
  if (statement.kind !== 'createTable') throw new Error(`${sql} makes no table.`);
  return statement.table;
};

const foldOf = (world: ShapeWorld): FoldedTable => {
  const folded = foldShape(world.records());
  if (folded === null) throw new Error('There is no table.');
  return folded;
};

/** A table here whose columns are the ones of these names at the author. */
const here = (sql: string, keys: Readonly<Record<string, string>> = {}) => {
  const current = tableOf(sql);
  const currentColumns = new Map(
    current.columns.map(({ name }) => [foldIdentifier(name), keys[name] ?? foldIdentifier(name)]),
  );
  return { current, currentColumns };
};

const alterations = (local: ReturnType<typeof here>, world: ShapeWorld) => {
  const wanted = foldOf(world);
  const planned = planAlterations({ ...local, wanted });
  return {
    texts: planned.actions.map((action) =>
      canonicalStatement({ kind: 'alterTable', table: 't', action }).replace('ALTER TABLE t ', ''),
    ),
    isComplete: planned.isComplete,
    reached: canonicalTable(applyAll(local.current, planned.actions)),
  };
};

const written = (...sql: readonly string[]): ShapeWorld => {
  const world = createShapeWorld();
  for (const text of sql) world.write(1, text);
  return world;
};

const cases: readonly (readonly [string, ReturnType<typeof here>, ShapeWorld, readonly string[]])[] = [
  [
    'nothing',
    here('create table T (B text, a INTEGER primary key)'),
    written('create table t (a integer primary key, b text)'),
    [],
  ],
  [
    'R07 two columns that swap their names step aside for each other',
    here('create table t (a text, b text, check (a > b))'),
    written(
      'create table t (a text, b text, check (a > b))',
      'alter table t rename column a to x',
      'alter table t rename column b to a',
      'alter table t rename column x to b',
    ),
    ['RENAME COLUMN a TO a_1', 'RENAME COLUMN b TO a', 'RENAME COLUMN a_1 TO b'],
  ],
  [
    'C078 a column gives its name to another that is added',
    here('create table t (a text, b text)', { b: 'other' }),
    written('create table t (a text, b integer)'),
    ['DROP COLUMN b', 'ADD COLUMN b INTEGER'],
  ],
  [
    'the only column goes after another has come',
    here('create table t (b text)', { b: 'other' }),
    written('create table t (b integer)'),
    ['RENAME COLUMN b TO b_1', 'ADD COLUMN b INTEGER', 'DROP COLUMN b_1'],
  ],
  [
    'a column of the key goes after the key has changed',
    here('create table t (a text primary key, b text)'),
    written(
      'create table t (a text primary key, b text)',
      'alter table t alter primary key (b)',
      'alter table t drop column a',
    ),
    ['ALTER PRIMARY KEY (b)', 'DROP COLUMN a'],
  ],
  [
    'generated columns and constraints go before the column that they need',
    here(
      'create table t (k integer primary key, a text, g text as (a || 1), h text as (g || 1), constraint n check (a > 0))',
    ),
    written(
      'create table t (k integer primary key, a text, g text as (a || 1), h text as (g || 1), constraint n check (a > 0))',
      'alter table t drop constraint n',
      'alter table t drop column h',
      'alter table t drop column g',
      'alter table t drop column a',
    ),
    ['DROP CONSTRAINT n', 'DROP COLUMN h', 'DROP COLUMN g', 'DROP COLUMN a'],
  ],
  [
    'R01 the table is renamed first, so that what refers to itself finds it',
    here('create table t (a integer primary key)'),
    written(
      'create table t (a integer primary key)',
      'alter table t rename to u',
      'alter table u add constraint n foreign key (a) references u (a)',
    ),
    ['RENAME TO u', 'ADD CONSTRAINT n FOREIGN KEY (a) REFERENCES u (a)'],
  ],
  [
    'A07 every register',
    here('create table t (a integer primary key, b text not null default 1 collate nocase)'),
    written('create table t (a integer primary key, b integer)'),
    [
      'ALTER COLUMN b SET DATA TYPE INTEGER',
      'ALTER COLUMN b DROP DEFAULT',
      'ALTER COLUMN b SET COLLATE BINARY',
      'ALTER COLUMN b DROP NOT NULL',
    ],
  ],
  [
    'A04 A06 constraints: one of another meaning is exchanged, one with another name renamed',
    here(
      'create table t (a integer primary key, b text, constraint n check (b > 0), constraint m unique (b))',
    ),
    written(
      'create table t (a integer primary key, b text, constraint n check (b > 0), constraint m unique (b))',
      'alter table t drop constraint n',
      'alter table t add constraint n check (b > 1)',
      'alter table t rename constraint m to o',
    ),
    ['DROP CONSTRAINT n', 'RENAME CONSTRAINT m TO o', 'ADD CONSTRAINT n CHECK (b > 1)'],
  ],
  [
    'A23 a named constraint comes beside an equal one without a name',
    here('create table t (a integer primary key, check (a > 0))'),
    written('create table t (a integer primary key)', 'alter table t add constraint n check (a > 0)'),
    ['ADD CONSTRAINT n CHECK (a > 0)'],
  ],
  [
    'A12 A24 a column that comes late fills rows with the default that it was added with',
    here('create table t (a integer primary key)'),
    written(
      'create table t (a integer primary key)',
      "alter table t add column w text not null default 'dd'",
      "alter table t alter column w set default 'ee'",
      'alter table t add column v real',
      'alter table t alter column v set default 2.5',
    ),
    [
      "ADD COLUMN w TEXT NOT NULL DEFAULT 'dd'",
      'ADD COLUMN v REAL',
      "ALTER COLUMN w SET DEFAULT 'ee'",
      'ALTER COLUMN v SET DEFAULT 2.5',
    ],
  ],
  [
    'P01 a constraint without a name goes with its column',
    here(
      'create table t (a integer primary key, b text, c text check (a > 0), check (b > a), unique (b, c))',
      { b: 'other' },
    ),
    written('create table t (a integer primary key, c text)'),
    ['DROP CHECK (a > 0)', 'DROP CHECK (b > a)', 'DROP UNIQUE (b, c)', 'DROP COLUMN b'],
  ],
  [
    'the key that the table was made with comes back, AUTOINCREMENT too',
    here('create table t (a integer, b text, primary key (a desc))'),
    written('create table t (a integer primary key autoincrement, b text)'),
    ['ALTER PRIMARY KEY (a)'],
  ],
  [
    'names that two creations differ in are nothing',
    here('create table t (a integer primary key, constraint n check (a > 0))'),
    written('create table t (a integer primary key check (a > 0))'),
    [],
  ],
];

test.for(cases)('plans: %s', ([, local, world, texts]) => {
  const planned = alterations(local, world);
  expect(planned.texts).toEqual(texts);
  expect(planned.isComplete).toBe(true);
});

test.for<readonly [string, string, string]>([
  ['STRICT', 'create table t (a integer primary key)', 'create table t (a integer primary key) strict'],
  [
    'how a column is generated',
    'create table t (a integer, b text as (a))',
    'create table t (a integer, b text as (a + 1))',
  ],
  [
    'AUTOINCREMENT goes',
    'create table t (a integer primary key autoincrement)',
    'create table t (a integer primary key)',
  ],
])('only a rebuild brings it about: %s', ([, local, wanted]) => {
  expect(alterations(here(local), written(wanted)).isComplete).toBe(false);
});

const driftCases: readonly (readonly [string, ReturnType<typeof here>, ReturnType<typeof driftOf>])[] = [
  [
    'where the first add came from: nothing',
    here('create table t (a integer primary key, c text check (c > 1) references t (a))'),
    [],
  ],
  [
    'where the second add came from',
    here('create table t (a integer primary key, c text check (c > 2))'),
    [
      { column: 'c', what: 'check', local: 'CHECK (c > 2)', wanted: null },
      { column: 'c', what: 'check', local: null, wanted: 'CHECK (c > 1)' },
      { column: 'c', what: 'references', local: null, wanted: 'FOREIGN KEY (c) REFERENCES t (a)' },
    ],
  ],
];

test.for(driftCases)('drift of twin adds: %s', ([, local, drift]) => {
  const world = createShapeWorld();
  world.write(1, 'create table t (a integer primary key)');
  world.pull(2, 1);
  world.write(1, 'alter table t add column c text check (c > 1) references t (a)');
  world.write(2, 'alter table t add column c text check (c > 2)');
  const wanted = foldOf(world);
  expect(driftOf({ ...local, wanted })).toEqual(drift);
  expect(planAlterations({ ...local, wanted })).toEqual({ actions: [], isComplete: true });
});

test('drift of twin adds ends with the constraint: a drop of it is planned where it stands', () => {
  const world = createShapeWorld();
  world.write(1, 'create table t (a integer primary key)');
  world.pull(2, 1);
  world.write(1, 'alter table t add column c text constraint n check (c > 1)');
  world.write(2, 'alter table t add column c text');
  world.write(1, 'alter table t drop constraint n');
  expect(alterations(here('create table t (a integer primary key, c text)'), world).texts).toEqual([]);
  expect(
    alterations(here('create table t (a integer primary key, c text constraint n check (c > 1))'), world)
      .texts,
  ).toEqual(['DROP CONSTRAINT n']);
});

test('drift of names: what a creation calls a constraint, and what it is called here', () => {
  const local = here('create table t (a integer primary key, constraint n check (a > 0))');
  const wanted = foldOf(written('create table t (a integer primary key check (a > 0))'));
  expect(driftOf({ ...local, wanted })).toEqual([
    { column: 'a', what: 'constraintName', local: 'n', wanted: null },
  ]);
});
