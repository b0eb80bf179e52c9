import { expect, test } from 'vitest';

import { namedTwice, planDeclaration, type Declared } from '#main/engine/declare/plan-declaration.ts';
import { parseDdl } from '#main/sql/parse-ddl.ts';
import { splitStatements } from '#main/sql/split-statements.ts';

const readDeclared = (sql: string): readonly Declared[] =>
  splitStatements(sql).map(({ text }) => {
    const parsed = parseDdl(text);
    if (!parsed.ok) throw new Error(parsed.error.message);
    return parsed.value as Declared;
  });

const planned = (current: string, declared: string, typeChange: 'recreate' | 'convert' = 'recreate') =>
  planDeclaration({ current: readDeclared(current), declared: readDeclared(declared), typeChange });

const sqlOf = (...given: Parameters<typeof planned>): readonly string[] =>
  planned(...given).steps.map(({ sql }) =>
    sql.replaceAll(/\s+/g, ' ').replaceAll(/\( | \)/g, (at) => at.trim()),
  );

const T = 'create table t (a integer primary key, b text, c text default 1)';

const cases: readonly (readonly [string, string, string, readonly string[]])[] = [
  [
    'nothing where all is as declared, in other words',
    T,
    'CREATE TABLE T ("c" TEXT DEFAULT 1, b text, A INTEGER, primary key (a))',
    [],
  ],
  ['a table that is not there', '', 'create table n (a)', ['CREATE TABLE "n" ("a")']],
  [
    'a column more',
    T,
    'create table t (a integer primary key, b text, c text default 1, d real)',
    ['ALTER TABLE "t" ADD COLUMN "d" REAL'],
  ],
  [
    'a column less',
    T,
    'create table t (a integer primary key, c text default 1)',
    ['ALTER TABLE "t" DROP COLUMN "b"'],
  ],
  [
    'another type',
    T,
    'create table t (a integer primary key, b blob, c text default 1)',
    ['ALTER TABLE "t" DROP COLUMN "b"', 'ALTER TABLE "t" ADD COLUMN "b" BLOB'],
  ],
  [
    'a default',
    T,
    'create table t (a integer primary key, b text, c text default 2)',
    ['ALTER TABLE "t" ALTER COLUMN "c" SET DEFAULT 2'],
  ],
  [
    'NOT NULL',
    T,
    'create table t (a integer primary key, b text not null, c text default 1)',
    ['ALTER TABLE "t" ALTER COLUMN "b" SET NOT NULL'],
  ],
  [
    'another key',
    T,
    'create table t (a integer, b text primary key, c text default 1)',
    ['ALTER TABLE "t" ALTER PRIMARY KEY ("b")'],
  ],
  [
    'the type of a key is converted: it cannot be dropped',
    T,
    'create table t (a text primary key, b text, c text default 1)',
    ['ALTER TABLE "t" ALTER COLUMN "a" SET DATA TYPE TEXT'],
  ],
  [
    'an index of another definition',
    `${T}; create index i on t (b)`,
    `${T}; create index i on t (c)`,
    ['DROP INDEX "i"', 'CREATE INDEX "i" ON "t" ("c")'],
  ],
  [
    'indexes and views are made once the tables are there',
    '',
    'create view v as select a from n; create index i on n (a); create table n (a)',
    ['CREATE TABLE "n" ("a")', 'CREATE VIEW "v" AS select a from n', 'CREATE INDEX "i" ON "n" ("a")'],
  ],
];

for (const [what, current, declared, steps] of cases) {
  test(`K01 K02 K03 a declaration plans ${what}`, () => {
    expect(sqlOf(current, declared)).toEqual(steps);
  });
}

test('K03 values are converted in place where that is chosen', () => {
  expect(sqlOf(T, 'create table t (a integer primary key, b blob, c text default 1)', 'convert')).toEqual([
    'ALTER TABLE "t" ALTER COLUMN "b" SET DATA TYPE BLOB',
  ]);
});

test('what no alteration changes is said', () => {
  const { warnings } = planned(
    'create table t (a primary key, b any)',
    'create table t (a any primary key, b any) strict',
  );
  expect(warnings.join()).toContain('"t" is not all that the schema declares');
});

test('what the schema does not name is left alone, with a warning', () => {
  expect(planned(`${T}; create index i on t (b); create table u (x)`, T)).toEqual({
    steps: [],
    warnings: [
      'index "i" on "t" is not in the schema and is left alone.',
      'table "u" is not in the schema and is left alone.',
    ],
  });
});

test('a view becomes a table; a table, which has rows, becomes nothing else', () => {
  expect(sqlOf('create view n as select 1', 'create table n (a)')).toEqual([
    'DROP VIEW "n"',
    'CREATE TABLE "n" ("a")',
  ]);
  const { steps, warnings } = planned(T, 'create view t as select 1');
  expect(steps).toEqual([]);
  expect(warnings).toEqual([
    '"t" is a table here and stays one: view "t" is not made. Rename or drop the table first.',
  ]);
});

test('one name twice is a mistake, also of two kinds, but for triggers', () => {
  expect(namedTwice(readDeclared('create table t (a); create table "T" (b)'))).toBe('table "T"');
  expect(namedTwice(readDeclared('create table t (a); create view t as select 1'))).toBe('view "t"');
  expect(
    namedTwice(readDeclared('create table t (a); create trigger t after insert on t begin select 1; end')),
  ).toBeNull();
});
