import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { createCatalogReader } from '#main/store/catalog-read.ts';
import type { CatalogReader, FileCatalog } from '#main/store/catalog-read.ts';
import { createRuleReader, type RuleBook } from '#main/store/row-rules.ts';
import { createStoreDatabase } from '#main/store/store-database.ts';
import type { StoreDatabase } from '#main/store/store-database.ts';

let db: StoreDatabase;
let reader: CatalogReader;

beforeEach(() => {
  db = createStoreDatabase(new Database(':memory:'), ':memory:');
  db.exec(
    `create table t (id integer primary key, a); create index i on t (a); create view v as select a from t;
     create trigger tr after insert on t begin select 1; end; create table other (id); create index o on other (id)`,
  );
  reader = createCatalogReader(db);
});
afterEach(() => {
  db.close();
});

const textsOf = ({ tables, indexes, views, triggers }: FileCatalog): readonly string[] =>
  [tables, indexes, views, triggers]
    .flatMap((objects) => [...objects.values()].map(({ sql }) => sql))
    .toSorted();

/** What is followed is what a reader without memory reads. */
function follow(sql: string, touched: readonly string[]): void {
  reader.read();
  reader.follow(() => {
    db.exec(sql);
    return { value: null, touched, isDropped: true };
  });
  expect(textsOf(reader.read())).toEqual(textsOf(createCatalogReader(db).read()));
}

test.each([
  ['an added column', 'alter table t add column b', ['t']],
  ['a new table with its index', 'create table n (id); create index n_i on n (id)', []],
  ['a dropped table with all that is on it', 'drop table t', ['T']],
  ['a dropped index', 'drop index i', ['i']],
  ['a dropped view and a new one', 'drop view v; create view v as select id from t', ['v']],
  ['the newest object made anew', 'drop index o; create index o on other (id desc)', ['o']],
  ['another object in the place of the newest', 'drop index o; create index p on other (id)', ['o']],
  ['nothing', 'select 1', []],
])('of a catalog that is followed only %s is read again', (_, sql, touched) => {
  follow(sql, touched);
});

test('what is not said to be touched is read whole at the next look', () => {
  reader.read();
  const { change } = reader.follow(() => {
    db.exec('alter table t rename to u');
    return { value: null, touched: null };
  });
  expect(change).toBeNull();
  expect([...reader.read().tables.keys()]).toEqual(['u', 'other']);
});

test('what was read in a transaction that is rolled back is forgotten', () => {
  db.exec('begin; create table x (id)');
  expect(reader.read().tables.has('x')).toBe(true);
  db.exec('rollback');
  reader.forget();
  db.exec('create table y (id)');
  expect([...reader.read().tables.keys()]).toEqual(['t', 'other', 'y']);
});

test('what is followed after a rollback is not taken for what was rolled back', () => {
  reader.read();
  db.exec('begin; savepoint attempt');
  reader.follow(() => {
    db.exec('alter table t add column gone');
    return { value: null, touched: ['t'] };
  });
  db.exec('rollback to attempt');
  // SQLite gives the same schema_version again.
  reader.follow(() => {
    db.exec('alter table t add column stays');
    return { value: null, touched: ['t'] };
  });
  expect(textsOf(reader.read())).toEqual(textsOf(createCatalogReader(db).read()));
  db.exec('commit');
});

describe('the rules of a catalog that is followed are those that a reader without memory finds', () => {
  const bookOf = (rules: RuleBook): unknown => ({
    rules: Object.fromEntries([...rules.rules].toSorted()),
    children: Object.fromEntries([...rules.children].map(([name, of]) => [name, [...of].toSorted()])),
  });

  test.each([
    ['a child that comes', ['create table c (id integer primary key, t references t)'], []],
    ['a parent that comes', ['create table c (p references p)', 'create table p (a, b primary key)'], []],
    ['a parent that goes', ['create table c (t references t (id))', 'drop table t'], ['t']],
    ['a child that goes', ['create table c (t references t)', 'drop table c'], ['c']],
    [
      'a parent with another key',
      ['create table c (t references t)', 'drop table t', 'create table t (k text primary key)'],
      ['t'],
    ],
    ['a check that comes with a column', ['alter table t add column b check (b > 0)'], ['t']],
    ['a table that refers to itself', ['alter table t add column up references t'], ['t']],
    [
      'a child with another parent',
      ['create table c (o references other)', 'drop table c', 'create table c (t references t)'],
      ['c'],
    ],
  ])('%s', (_, statements, touched) => {
    const rules = createRuleReader(reader);
    rules();
    for (const sql of statements) {
      follow(sql, touched);
      expect(bookOf(rules())).toEqual(bookOf(createRuleReader(createCatalogReader(db))()));
    }
  });
});
