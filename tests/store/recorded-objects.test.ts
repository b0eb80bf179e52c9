import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { createRecordedObjects, type RecordedObjects } from '#main/store/recorded-objects.ts';
import { createStoreDatabase, type StoreDatabase } from '#main/store/store-database.ts';

let db: StoreDatabase;
let objects: RecordedObjects;
beforeEach(() => {
  db = createStoreDatabase(new Database(':memory:'), ':memory:');
  db.exec(
    `create table _concord_object (kind text, name text, migration integer, tbl integer, text text, primary key (kind, name));
     create table _concord_meta (key text primary key, value)`,
  );
  objects = createRecordedObjects(db);
});
afterEach(() => {
  db.close();
});

const view = (name: string, text: string | null) =>
  ({ kind: 'view', name, migration: 1, tbl: null, text }) as const;

const names = (): readonly string[] => objects.bodies().map(({ name, text }) => `${name} ${String(text)}`);

test('the list of views and triggers is the same one until something is written', () => {
  objects.put(view('v', 'one'));
  const list = objects.bodies();
  expect(objects.bodies()).toBe(list);
  objects.put(view('v', 'two'));
  expect(objects.bodies()).not.toBe(list);
  expect(names()).toEqual(['v two']);
  objects.remove('view', 'V');
  expect(names()).toEqual([]);
});

test('what was read before a rollback is not taken for what was written after it', () => {
  objects.put(view('v', 'one'));
  db.exec('begin; savepoint attempt');
  objects.put(view('v', 'gone'));
  expect(names()).toEqual(['v gone']);
  db.exec('rollback to attempt');
  expect(names()).toEqual(['v one']);
  objects.put(view('v', 'stays'));
  expect(names()).toEqual(['v stays']);
  db.exec('commit');
});

test('another connection finds what was written by the first', () => {
  objects.put(view('v', 'one'));
  const other = createRecordedObjects(db);
  expect(other.bodies()).toHaveLength(1);
  objects.put(view('w', null));
  expect(other.bodies()).toHaveLength(2);
});
