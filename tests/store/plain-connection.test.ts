import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, test } from 'vitest';

import {
  checkIntegrity,
  copyDatabase,
  makePlainDatabase,
  queryPlain,
  readTableExactly,
  runPlainSql,
} from '#main/store/plain-connection.ts';

let folder = '';
let path = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'concord-plain-'));
  path = join(folder, 'a.db');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const make = (sql: string): void => expect(makePlainDatabase(path, sql)).toMatchObject({ ok: true });
const rowsOf = (sql: string): unknown => {
  const result = queryPlain(path, sql);
  return result.ok ? result.value : result.error.message;
};

test('foreign keys are off, as they are for any other program', () => {
  make('create table p (id integer primary key); create table c (p integer references p(id));');
  expect(runPlainSql(path, 'insert into c values (7)', null)).toMatchObject({ ok: true });
});

test('a script that fails half way leaves nothing of its transaction', () => {
  make('create table t (id integer primary key);');
  const result = runPlainSql(
    path,
    'begin; insert into t values (1); insert into nowhere values (1); commit;',
    null,
  );
  expect(result).toMatchObject({ ok: false, error: { code: 'sqlite', message: 'no such table: nowhere' } });
  expect(rowsOf('select count(*) from t')).toEqual([[0n]]);
});

test('integers come exactly, blobs as bytes', () => {
  make(`create table t (a, b, c); insert into t values (9223372036854775807, x'00ff', 1.0);`);
  expect(rowsOf('select a, b, c from t')).toEqual([[9223372036854775807n, Buffer.from([0, 255]), 1]]);
});

test('a query cannot write', () => {
  make('create table t (id integer primary key);');
  expect(rowsOf('insert into t values (1) returning id')).toContain('readonly');
});

test('a file that is not there is not made', () => {
  expect(runPlainSql(path, 'select 1', null)).toMatchObject({ ok: false });
  expect(queryPlain(path, 'select 1')).toMatchObject({ ok: false });
});

const catalogs = [
  'select name from sqlite_master order by name',
  'select sqlite_schema.name from main.sqlite_schema order by 1',
  'select "m".name from "sqlite_master" as m order by 1',
  'SELECT name FROM SQLite_Schema ORDER BY name',
  `select name from pragma_table_list where type = 'table' and name not like 'sqlite%' union select name from main . sqlite_master where type = 'index' order by 1`,
];

test.for(catalogs)('the bookkeeping does not show in: %s', (sql) => {
  make(
    `create table t (id integer primary key); create index t_i on t(id);
     create table _concord_x (id integer primary key); create index _concord_y on _concord_x(id);
     create trigger _concord_z after insert on t begin select 1; end;`,
  );
  expect(rowsOf(sql)).toEqual([['t'], ['t_i']]);
});

test('a text that speaks of a catalog table is left alone', () => {
  make('create table t (id integer primary key);');
  expect(rowsOf(`select 'main.sqlite_master'`)).toEqual([['main.sqlite_master']]);
});

test('triggers are told the time only where they can hear it', () => {
  make(
    'create table _concord_state (id integer primary key, now_ms integer); insert into _concord_state values (1, null);',
  );
  runPlainSql(path, 'select 1', 1_780_272_000_000);
  expect(rowsOf('select now_ms from _concord_state')).toEqual([[1_780_272_000_000n]]);
});

test('a table is read with storage classes, text as bytes, in an order of its own', () => {
  make(`create table t (k text collate nocase, v); insert into t values ('b', 1), ('B', '1'), ('a', x'31');`);
  const rows = readTableExactly(path, 't', { columns: ['k', 'v'], key: [] });
  expect(rows).toMatchObject({
    ok: true,
    value: [
      ['text', Buffer.from('B'), 'text', Buffer.from('1')],
      ['text', Buffer.from('a'), 'blob', Buffer.from('1')],
      ['text', Buffer.from('b'), 'integer', 1n],
    ],
  });
});

test('a copy has what still waits in the WAL', async () => {
  make('pragma journal_mode = wal; create table t (id integer primary key);');
  runPlainSql(path, 'insert into t values (1)', null);
  const copy = join(folder, 'b.db');
  await copyDatabase(path, copy);
  expect(queryPlain(copy, 'select id from t')).toEqual({ ok: true, value: [[1n]] });
  expect(checkIntegrity(copy)).toEqual({ ok: true, value: [] });
});
