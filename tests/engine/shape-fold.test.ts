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

const cases: readonly (readonly [string, () => ShapeWorld, string | null])[] = [
  [
    'P01 a column that was dropped stays gone, whatever was done to it later elsewhere',
    () => {
      const world = shared('create table t (a integer primary key, b text)');
      world.write(1, 'alter table t drop column b');
      world.write(2, 'alter table t alter column b set default 5');
      world.write(2, 'alter table t rename column b to c');
      return world;
    },
    'create table t (a integer primary key)',
  ],
  [
    'P02 a table that was dropped stays gone',
    () => {
      const world = shared('create table t (a integer primary key)');
      world.write(1, 'drop table t');
      world.write(2, 'alter table t add column b text');
      return world;
    },
    null,
  ],
  [
    'P03 the later default holds',
    () => {
      const world = shared('create table t (a integer primary key, b text)');
      world.write(1, "alter table t alter column b set default 'x'");
      world.write(2, "alter table t alter column b set default 'y'");
      return world;
    },
    "create table t (a integer primary key, b text default 'y')",
  ],
  [
    'P04 columns that two sites add unite',
    () => {
      const world = shared('create table t (a integer primary key)');
      world.write(2, 'alter table t add column y text');
      world.write(1, 'alter table t add column x text not null default 0');
      return world;
    },
    'create table t (a integer primary key, y text, x text not null default 0)',
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
    () => {
      const world = shared('create table t (a integer primary key, b text)');
      world.write(1, 'alter table t rename column b to c');
      world.write(2, 'alter table t alter column b set default 7');
      world.write(2, "alter table t add constraint n check (b <> 'b' and t.b > a)");
      return world;
    },
    "create table t (a integer primary key, c text default 7, constraint n check (c <> 'b' and t.c > a))",
  ],
];

test.for(cases)('%s', ([, story, wanted]) => {
  expect(textOf(story().records())).toBe(wanted === null ? null : tableOf(wanted));
});
