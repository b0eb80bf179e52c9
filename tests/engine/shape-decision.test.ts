import { expect, test } from 'vitest';

import { foldShape } from '#main/engine/shape/fold-shape.ts';
import { canonicalTable } from '#main/sql/canonical-table.ts';
import { createShapeWorld, statementOf, type ShapeWorld } from '../support/shape-world.ts';

// An operator's decision about a table's shape: what it knew of it has answered, what it did not know of goes on
// beside it. Why: docs/decisions/0007-resolutions-travel.md.

const tableOf = (sql: string): string => {
  const statement = statementOf(sql);
  if (statement.kind !== 'createTable') throw new Error(`${sql} makes no table.`);
  return canonicalTable(statement.table);
};

const T = 'create table t (a integer primary key, b text, constraint n check (b > 0))';

/** Site 1 decides for its own table, and then learns of what site 2 did to its own. */
const decided = (decision: string, ...elsewhere: readonly string[]): ShapeWorld => {
  const world = createShapeWorld();
  const mine = world.write(1, T);
  const theirs = world.write(
    2,
    'create table t (a integer primary key, b integer, x text, constraint n check (b > 9))',
  );
  for (const sql of elsewhere) world.write(2, sql);
  world.decide(1, decision, [mine, theirs]);
  return world;
};

const cases: readonly (readonly [string, () => ShapeWorld, string])[] = [
  ['D04 the shape that was chosen', () => decided(T), T],
  [
    'an added column that the decision did not know of goes on, with what was altered of it',
    () => decided(T, 'alter table t add column y text', 'alter table t alter column y set default 1'),
    'create table t (a integer primary key, b text, y text default 1, constraint n check (b > 0))',
  ],
  [
    'one that it knew of and left out is gone, with what was altered of it elsewhere',
    () => {
      const world = createShapeWorld();
      world.write(1, T);
      world.write(1, 'alter table t add column y text');
      world.pull(2, 1);
      world.write(2, 'alter table t alter column y set default 1');
      world.decide(1, T, []);
      return world;
    },
    T,
  ],
  [
    'one that it chose between is as it says, known or not',
    () => {
      const world = createShapeWorld();
      world.write(1, T);
      world.pull(2, 1);
      const mine = world.write(1, 'alter table t add column y text');
      const theirs = world.write(2, 'alter table t add column y integer default 4');
      world.decide(1, 'create table t (a integer primary key, b text, y text default 3)', [mine, theirs]);
      return world;
    },
    'create table t (a integer primary key, b text, y text default 3)',
  ],
  [
    'one that it has in its shape is as it says, whatever a twin of it says',
    () => {
      const world = createShapeWorld();
      world.write(1, T);
      world.pull(2, 1);
      world.write(1, 'alter table t add column y text default 1 check (y > 1)');
      world.decide(1, 'create table t (a integer primary key, b text, y text default 3)', []);
      world.write(2, 'alter table t add column y text default 4 check (y > 2) unique');
      return world;
    },
    'create table t (a integer primary key, b text, y text default 3)',
  ],
  [
    'registers that it did not know of go on: a name, a default, a key',
    () =>
      decided(
        T,
        'alter table t rename column b to c',
        'alter table t alter column c set default 5',
        'alter table t alter primary key (c)',
      ),
    'create table t (a integer, c text default 5, primary key (c), constraint n check (c > 0))',
  ],
  [
    'what it knew of is in its shape or gone',
    () => {
      const world = createShapeWorld();
      world.write(1, T);
      world.write(1, 'alter table t alter column b set default 5');
      world.write(1, 'alter table t rename to u');
      world.decide(1, T, []);
      return world;
    },
    T,
  ],
  [
    'a drop that it did not know of ends the column that it chose',
    () => decided(T, 'alter table t drop constraint n', 'alter table t drop column b'),
    'create table t (a integer primary key)',
  ],
  [
    'a column that was dropped and that it has again is there',
    () => {
      const world = createShapeWorld();
      world.write(1, T);
      world.write(1, 'alter table t drop constraint n');
      world.write(1, 'alter table t drop column b');
      world.decide(1, T, []);
      return world;
    },
    T,
  ],
  [
    'a constraint of its shape is renamed and dropped by those who did not know of it',
    () => decided(T, 'alter table t rename constraint n to m', 'alter table t drop constraint m'),
    'create table t (a integer primary key, b text)',
  ],
  [
    'a constraint that it did not know of comes beside it; one of the same name is as it says',
    () =>
      decided(
        T,
        'alter table t drop constraint n',
        'alter table t add constraint n check (b > 7)',
        'alter table t add constraint o check (a > 7)',
      ),
    'create table t (a integer primary key, b text, constraint n check (b > 7), constraint o check (a > 7))',
  ],
  [
    'D04 of two at once the later holds, and what it did not know of of the other’s time goes on',
    () => {
      const world = createShapeWorld();
      world.write(1, T);
      world.pull(2, 1);
      world.write(1, 'alter table t add column y text');
      world.decide(1, 'create table t (a integer primary key)', []);
      world.decide(2, 'create table t (a integer primary key, b blob)', []);
      return world;
    },
    'create table t (a integer primary key, b blob, y text)',
  ],
  [
    'beside a decision for STRICT a column has the type that STRICT has for it, added or altered',
    () =>
      decided(
        'create table t (a integer primary key, b text) strict',
        'alter table t add column y',
        'alter table t add column w varchar(10)',
        'alter table t add column v as (a + 1)',
        'alter table t alter column b set data type numeric',
      ),
    'create table t (a integer primary key, b any, y any, w text, v any as (a + 1)) strict',
  ],
  [
    'beside a decision against STRICT every type is as it was written',
    () => decided(T, 'alter table t add column y', 'alter table t alter column b set data type varchar(10)'),
    'create table t (a integer primary key, b varchar(10), y, constraint n check (b > 0))',
  ],
];

test.for(cases)('%s', ([, told, wanted]) => {
  const folded = foldShape(told().records());
  expect(folded === null ? null : canonicalTable(folded.definition)).toBe(tableOf(wanted));
});
