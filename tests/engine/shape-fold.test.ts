import { expect, test } from 'vitest';

import { foldShape } from '#main/engine/shape/fold-shape.ts';
import type { ShapeRecord } from '#main/engine/shape/shape-record.ts';
import { canonicalTable } from '#main/sql/canonical-table.ts';
import { createShapeWorld, statementOf, type ShapeWorld } from '../support/shape-world.ts';

const textOf = (records: readonly ShapeRecord[]): string | null => {
  const folded = foldShape(records);
  return folded === null ? null : canonicalTable(folded.definition);
};

const tableOf = (sql: string): string => {
  const statement = statementOf(sql);
  if (statement.kind !== 'createTable') throw new Error(`${sql} makes no table.`);
  return canonicalTable(statement.table);
};

/** Two sites know the table that the first made. */
const shared = (sql: string): ShapeWorld => {
  const world = createShapeWorld();
  world.write(1, sql);
  world.pull(2, 1);
  return world;
};

/** Two sites make the same table out of touch. */
const twins = (first: string, second: string): ShapeWorld => {
  const world = createShapeWorld();
  world.write(1, first);
  world.write(2, second);
  return world;
};

const story =
  (world: () => ShapeWorld, ...steps: readonly (readonly [site: number, sql: string] | 'meet')[]) =>
  (): ShapeWorld => {
    const told = world();
    for (const step of steps) {
      if (step === 'meet') {
        told.pull(2, 1);
        told.pull(1, 2);
      } else told.write(step[0], `alter table t ${step[1]}`);
    }
    return told;
  };

const T = 'create table t (a integer primary key, b text)';
const ofT = (): ShapeWorld => shared(T);
const ofNamed = (): ShapeWorld =>
  shared('create table t (a integer primary key, b text constraint n check (b > 0))');

const ofNamedNotNull = (): ShapeWorld =>
  shared('create table t (a integer primary key, b text constraint n not null)');

const cases: readonly (readonly [string, () => ShapeWorld, string | null])[] = [
  [
    'P01 a column that was dropped stays gone, whatever was done to it later elsewhere',
    story(ofT, [1, 'drop column b'], [2, 'alter column b set default 5'], [2, 'rename column b to c']),
    'create table t (a integer primary key)',
  ],
  [
    'P02 a table that was dropped stays gone',
    () => {
      const world = ofT();
      world.write(1, 'drop table t');
      world.write(2, 'alter table t add column c text');
      return world;
    },
    null,
  ],
  [
    'P03 the later default holds',
    story(ofT, [1, "alter column b set default 'x'"], [2, "alter column b set default 'y'"]),
    "create table t (a integer primary key, b text default 'y')",
  ],
  [
    'P03 A07 each register has a clock of its own',
    story(
      ofT,
      [1, 'alter column b set default 1'],
      [2, 'alter column b set data type integer'],
      [1, 'alter column b set not null'],
      [2, 'alter column b set collate nocase'],
    ),
    'create table t (a integer primary key, b integer not null default 1 collate nocase)',
  ],
  [
    'A07 what is taken back is gone',
    story(
      () => shared('create table t (a integer primary key, b text not null default 1)'),
      [1, 'alter column b drop not null'],
      [2, 'alter column b drop default'],
    ),
    'create table t (a integer primary key, b text)',
  ],
  [
    'P04 columns that two sites add unite',
    story(ofT, [2, 'add column y text'], [1, 'add column x text not null default 0']),
    'create table t (a integer primary key, b text, y text, x text not null default 0)',
  ],
  [
    'P06 a table that is renamed gets the column that is added to it under its old name',
    () => {
      const world = shared('create table t (a integer primary key, p integer references t (a))');
      world.write(1, 'alter table t rename to u');
      world.write(2, 'alter table t add column q integer references t (a)');
      return world;
    },
    'create table u (a integer primary key, p integer references u (a), q integer references u (a))',
  ],
  [
    'P07 a column that is renamed gets what is altered under its old name',
    story(
      ofT,
      [1, 'rename column b to c'],
      [2, 'alter column b set default 7'],
      [2, "add constraint n check (b <> 'b' and t.b > a)"],
    ),
    "create table t (a integer primary key, c text default 7, constraint n check (c <> 'b' and t.c > a))",
  ],
  [
    'R04 of two names the later holds',
    story(ofT, [1, 'rename column b to c'], [2, 'rename column b to d']),
    'create table t (a integer primary key, d text)',
  ],
  [
    'R07 columns swap their names',
    story(
      () => shared('create table t (a integer primary key, b text check (b > c), c text)'),
      [1, 'rename column b to x'],
      [1, 'rename column c to b'],
      [1, 'rename column x to c'],
    ),
    'create table t (a integer primary key, c text check (c > b), b text)',
  ],
  [
    'A13 identical adds are one column',
    story(ofT, [1, 'add column c text'], [2, 'add column c text']),
    'create table t (a integer primary key, b text, c text)',
  ],
  [
    'A24 A28 of twin adds the later NOT NULL, DEFAULT and COLLATE hold; CHECK, REFERENCES and the name are the first one’s',
    story(
      ofT,
      [1, 'add column c text default 1 check (c > 1) references t (a)'],
      [2, "add column C text not null default 'x' collate nocase check (C > 2)"],
    ),
    `create table t (a integer primary key, b text,
       c text not null default 'x' collate nocase check (c > 1) references t (a))`,
  ],
  [
    'P10 an alteration beats a twin’s later add',
    story(
      ofT,
      [1, 'add column c text default 1'],
      [1, 'alter column c set default 2'],
      [2, 'add column c text default 3'],
    ),
    'create table t (a integer primary key, b text, c text default 2)',
  ],
  [
    'P01 a drop of one twin is the drop of both',
    story(ofT, [1, 'add column c text'], [1, 'drop column c'], [2, 'add column c text default 3']),
    T,
  ],
  [
    'A05 A23 constraints without a name are one where they say the same, in any order of columns',
    story(
      ofT,
      [1, 'add check (b > a)'],
      [2, 'add check ((b > a))'],
      [1, 'add unique (a, b)'],
      [2, 'add unique (b, a)'],
    ),
    'create table t (a integer primary key, b text, check (b > a), unique (a, b))',
  ],
  [
    'A23 one without a name is one with another also under a new name of its column',
    story(ofT, [1, 'rename column b to c'], 'meet', [1, 'add check (c > 0)'], [2, 'add check (b > 0)']),
    'create table t (a integer primary key, c text, check (c > 0))',
  ],
  [
    'A04 A20 of equally named constraints the later holds, and a drop that knew of one of them ends both',
    story(ofT, [1, 'add constraint n check (b > 0)'], [2, 'add constraint N check (b > 1)']),
    'create table t (a integer primary key, b text, constraint n check (b > 1))',
  ],
  [
    'A20 a constraint that is added and dropped is gone, and its twin too',
    story(
      ofT,
      [1, 'add constraint n check (b > 0)'],
      [1, 'drop constraint n'],
      [2, 'add constraint n check (b > 0)'],
    ),
    T,
  ],
  [
    'A20 a constraint without a name is dropped by what it says, and its twin too',
    story(
      ofT,
      [1, 'add check (b > 0)'],
      [1, 'drop check (("b") > 0)'],
      [2, 'add check (b > 0)'],
      [2, 'add unique (b)'],
      [2, 'drop unique (B)'],
    ),
    T,
  ],
  [
    'A20 one without a name that was added again after a drop is not touched by a drop of the older one',
    story(
      ofT,
      [1, 'add check (b > 0)'],
      'meet',
      [1, 'drop check (b > 0)'],
      [1, 'add check (b > 0)'],
      [2, 'drop check (b > 0)'],
    ),
    'create table t (a integer primary key, b text, check (b > 0))',
  ],
  [
    'A20 of two without a name that one author added one after the other, a drop takes one',
    story(ofT, [1, 'add check (b > 0)'], [1, 'add check (b > 0)'], [1, 'drop check (b > 0)']),
    'create table t (a integer primary key, b text, check (b > 0))',
  ],
  [
    'A06 a name that another constraint had until it was dropped means the one that was renamed to it',
    story(
      ofNamed,
      [1, 'add constraint m check (a > 0)'],
      [1, 'drop constraint m'],
      [1, 'rename constraint n to m'],
      [1, 'drop constraint m'],
    ),
    T,
  ],
  [
    'A03 NOT NULL that was set again after its constraint was dropped by name is there, without the name',
    story(ofNamedNotNull, [1, 'drop constraint n'], [1, 'alter column b set not null']),
    'create table t (a integer primary key, b text not null)',
  ],
  [
    'A03 NOT NULL that was set and then dropped by the name of its constraint is gone',
    story(ofNamedNotNull, [1, 'alter column b set not null'], [1, 'drop constraint n']),
    T,
  ],
  [
    'A24 of twin adds the later one says whether the column is unique: it is',
    story(ofT, [1, 'add column c text'], [2, 'add column c text unique']),
    'create table t (a integer primary key, b text, c text unique)',
  ],
  [
    'A24 of twin adds the later one says whether the column is unique: it is not',
    story(ofT, [1, 'add column c text unique'], [2, 'add column c text']),
    'create table t (a integer primary key, b text, c text)',
  ],
  [
    'A20 a drop of one without a name follows its column',
    story(ofT, [1, 'add check (b > 0)'], 'meet', [1, 'rename column b to c'], [2, 'drop check (b > 0)']),
    'create table t (a integer primary key, c text)',
  ],
  [
    'P09 a constraint that was added again after a drop is not touched by a drop of the older one',
    story(ofNamed, [1, 'drop constraint n'], [1, 'add constraint n check (b > 5)'], [2, 'drop constraint n']),
    'create table t (a integer primary key, b text, constraint n check (b > 5))',
  ],
  [
    'A06 a constraint that is renamed is dropped under either name',
    story(ofNamed, [1, 'rename constraint n to m'], [2, 'drop constraint n']),
    T,
  ],
  [
    'A06 a constraint keeps the later of two names',
    story(ofNamed, [1, 'rename constraint n to m'], [2, 'rename constraint n to o']),
    'create table t (a integer primary key, b text constraint o check (b > 0))',
  ],
  [
    'A06 two renames after each other, then a drop',
    story(
      ofNamed,
      [1, 'rename constraint n to m'],
      'meet',
      [2, 'rename constraint m to o'],
      [2, 'drop constraint o'],
    ),
    T,
  ],
  [
    'A06 a name that was given away is free for another constraint',
    story(
      ofNamed,
      [1, 'rename constraint n to m'],
      [1, 'add constraint n unique (b)'],
      [1, 'drop constraint n'],
    ),
    'create table t (a integer primary key, b text constraint m check (b > 0))',
  ],
  [
    'A06 NOT NULL can be dropped and renamed by its name',
    story(
      () =>
        shared(
          'create table t (a integer primary key, b text constraint n not null, c text constraint o not null)',
        ),
      [1, 'rename constraint n to m'],
      [2, 'drop constraint o'],
    ),
    'create table t (a integer primary key, b text constraint m not null, c text)',
  ],
  [
    'A26 C078 a column that was dropped and added again is another one, and late alterations of the old do not touch it',
    () => {
      const world = createShapeWorld(({ name, at }) => `${name} ${String(at)}`);
      world.write(1, 'create table d (id integer primary key, c text)');
      world.pull(2, 1);
      world.write(1, 'alter table d drop column c');
      world.write(1, 'alter table d add column c integer default 0');
      world.write(2, 'alter table d alter column c set default 9');
      world.write(2, 'alter table d drop column c');
      return world;
    },
    'create table d (id integer primary key, c integer default 0)',
  ],
  [
    'A09 the later key holds',
    story(ofT, [1, 'alter primary key (b)'], [2, 'alter primary key (a, b desc)']),
    'create table t (a integer, b text, primary key (a, b desc))',
  ],
  [
    'A09 a column that was dropped is no part of the key',
    story(ofT, [1, 'drop column b'], [2, 'alter primary key (a, b)']),
    'create table t (a integer primary key)',
  ],
  [
    'P01 what needs a column that was dropped goes with it: constraints with and without a name, generated columns',
    story(
      () => shared('create table t (a integer primary key, b text, c text)'),
      [1, 'drop column b'],
      [2, 'add constraint n unique (b, c)'],
      [2, 'add check (b > c)'],
      [2, 'add constraint m foreign key (c) references t (b)'],
      [2, 'add column g text as (b || 1)'],
      [2, 'add column h text as (g || 1)'],
    ),
    'create table t (a integer primary key, c text)',
  ],
  [
    'where everybody dropped another column, the last to be dropped stays',
    story(() => shared('create table t (a text, b text)'), [1, 'drop column a'], [2, 'drop column b']),
    'create table t (b text)',
  ],
  [
    'G02 G03 twin creations are one table, in the words of the first',
    () =>
      twins(
        'create table t (a integer primary key, b text, check (b > 0))',
        'create table T (b TEXT, a INTEGER PRIMARY KEY, constraint n check (b > 0))',
      ),
    'create table t (a integer primary key, b text, check (b > 0))',
  ],
  [
    'A06 a constraint that only one of two twin creations names is dropped by that name',
    () => {
      const world = twins(
        'create table t (a integer primary key, b text, check (b > 0))',
        'create table t (a integer primary key, b text, constraint n check (b > 0))',
      );
      world.write(2, 'alter table t drop constraint n');
      return world;
    },
    T,
  ],
  [
    'G05 an alteration by one twin’s author is one of the table',
    () => {
      const world = twins(T, T);
      world.write(2, 'alter table t add column c text');
      world.write(1, 'alter table t alter column b set not null');
      return world;
    },
    'create table t (a integer primary key, b text not null, c text)',
  ],
  [
    'two columns that came to one name, which a gate refuses, both stay',
    story(
      () => shared('create table t (a integer primary key, b text, c text, d_1 text)'),
      [1, 'rename column b to d'],
      [2, 'rename column c to d'],
    ),
    'create table t (a integer primary key, d_2 text, d text, d_1 text)',
  ],
  [
    'WITHOUT ROWID and AUTOINCREMENT stay as long as there is the key for them',
    story(
      () => shared('create table t (a text primary key, b text) without rowid'),
      [1, 'alter primary key (b)'],
      [1, 'drop column a'],
    ),
    'create table t (b text, primary key (b)) without rowid',
  ],
];

test.for(cases)('%s', ([, told, wanted]) => {
  expect(textOf(told().records())).toBe(wanted === null ? null : tableOf(wanted));
});

test('A24 UNIQUE that only the later of twin adds says is no drift: it comes everywhere', () => {
  const world = story(ofT, [1, 'add column c text'], [2, 'add column c text unique'])();
  expect(foldShape(world.records())?.constraints.map(({ isDrift }) => isDrift)).toEqual([false]);
});
