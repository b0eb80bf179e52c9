import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { createCatalogReader } from '#main/store/catalog-read.ts';
import type { CatalogReader, FileCatalog } from '#main/store/catalog-read.ts';
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
