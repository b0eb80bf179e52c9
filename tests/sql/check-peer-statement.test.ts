import { expect, test } from 'vitest';

import { checkPeerStatement } from '#main/sql/check-peer-statement.ts';

const allowed: readonly string[] = [
  'create table t (a, b as (a))',
  'CREATE TABLE IF NOT EXISTS main.t (a);',
  'create unique index i on t (a) where a > 0',
  'create view v as select name from sqlite_master',
  "create view v as select '_concord is a word' as note, sqlite_version() from t",
  'create trigger g after insert on t begin insert into u select * from sqlite_schema; end',
  'drop table t',
  'drop index if exists i',
  'drop view v',
  'drop trigger g',
  'alter table t add column c references p',
  'alter table t alter primary key (a)',
  "create table t (a default '_concord_', check (a <> '_concord_x'))",
  'create table concord_t (a); -- and no more',
  'create trigger g after insert on main.t begin insert into edit (a) values (1); end',
  'create table edit (load_extension, readfile check (readfile > 0))',
];

test.for(allowed)('checkPeerStatement lets pass: %s', (sql) => {
  expect(checkPeerStatement(sql)).toMatchObject({ ok: true });
});

const refused: readonly (readonly [sql: string, error: object])[] = [
  ['', { code: 'no-statement' }],
  ['; -- nothing', { code: 'no-statement' }],
  ['create table t (a); drop table u', { code: 'several-statements', count: 2 }],
  ['create table t (a); create table u (a); vacuum', { code: 'several-statements', count: 3 }],
  ["attach 'x' as y", { code: 'statement-kind', kind: 'attach' }],
  ['pragma writable_schema = on', { code: 'statement-kind', kind: 'pragma' }],
  ['vacuum', { code: 'statement-kind', kind: 'vacuum' }],
  ['insert into t values (1)', { code: 'statement-kind', kind: 'insert' }],
  ['select 1', { code: 'statement-kind', kind: 'select' }],
  ['explain create table t (a)', { code: 'statement-kind', kind: 'explain' }],
  ['create virtual table t using fts5(a)', { code: 'statement-kind', kind: 'createVirtualTable' }],
  ['create table t as select * from u', { code: 'statement-kind', kind: 'createTableAs' }],
  ['create temp table t (a)', { code: 'temporary-object' }],
  ['create table temp.t (a)', { code: 'temporary-object' }],
  ['drop trigger temp.g', { code: 'temporary-object' }],
  ['create table other.t (a)', { code: 'other-schema', schema: 'other' }],
  ['alter table other.t add c', { code: 'other-schema', schema: 'other' }],
  ['create trigger g after insert on temp.t begin select 1; end', { code: 'other-schema', schema: 'temp' }],
  ["create view v as select load_extension('x')", { code: 'unsafe-function', name: 'load_extension' }],
  [
    'create trigger g after insert on t begin select "EDIT" (a) from t; end',
    { code: 'unsafe-function', name: 'EDIT' },
  ],
  ["create table t (a default (readfile('x')))", { code: 'unsafe-function', name: 'readfile' }],
  ["create table t (a, check (writefile('x', a)))", { code: 'unsafe-function', name: 'writefile' }],
  ['create index i on t (load_extension(a))', { code: 'unsafe-function', name: 'load_extension' }],
  ["alter table t alter a set default eval('x')", { code: 'unsafe-function', name: 'eval' }],
  [
    "create trigger g after insert on t begin attach 'x' as y; end",
    { code: 'statement-kind', kind: 'attach' },
  ],
  [
    'create trigger g after insert on t begin select 1; pragma user_version = 7; end',
    { code: 'statement-kind', kind: 'pragma' },
  ],
  ['create view v as delete from t', { code: 'statement-kind', kind: 'delete' }],
  ['create view v as select data from sqlite_dbpage', { code: 'internal-object', name: 'sqlite_dbpage' }],
  ["create view v as select 'a\0'", { code: 'ddl-syntax' }],
  ['create table _concord_x (a)', { code: 'bookkeeping-object', name: '_concord_x' }],
  ['drop table "_CONCORD_site"', { code: 'bookkeeping-object', name: '_CONCORD_site' }],
  ['create index i on _concord_x (a)', { code: 'bookkeeping-object', name: '_concord_x' }],
  [
    "create trigger g after insert on '_concord_x' begin select 1; end",
    { code: 'bookkeeping-object', name: '_concord_x' },
  ],
  ['alter table t rename to [_concord_x]', { code: 'bookkeeping-object', name: '_concord_x' }],
  ['alter table _concord_x add c', { code: 'bookkeeping-object', name: '_concord_x' }],
  ['alter table t add c references _concord_x', { code: 'bookkeeping-object', name: '_concord_x' }],
  [
    'alter table t add foreign key (a) references _concord_x',
    { code: 'bookkeeping-object', name: '_concord_x' },
  ],
  ['create table t (a references _concord_x)', { code: 'bookkeeping-object', name: '_concord_x' }],
  ['create view v as select * from _concord_x', { code: 'bookkeeping-object', name: '_concord_x' }],
  ['create view v as select * from main."_concord_x"', { code: 'bookkeeping-object', name: '_concord_x' }],
  ["create view v as select * from '_concord_x'", { code: 'bookkeeping-object', name: '_concord_x' }],
  [
    'create trigger g after insert on t begin delete from `_concord_x`; end',
    { code: 'bookkeeping-object', name: '_concord_x' },
  ],
  ['drop table sqlite_sequence', { code: 'internal-object', name: 'sqlite_sequence' }],
  ['create table sqlite_x (a)', { code: 'internal-object', name: 'sqlite_x' }],
  [
    'create trigger g after insert on t begin update sqlite_sequence set seq = 0; end',
    { code: 'internal-object', name: 'sqlite_sequence' },
  ],
  [
    'create trigger g after insert on t begin update or ignore "SQLITE_sequence" set seq = 0; end',
    { code: 'internal-object', name: 'SQLITE_sequence' },
  ],
  [
    'create trigger g after insert on t begin delete from sqlite_sequence; end',
    { code: 'internal-object', name: 'sqlite_sequence' },
  ],
  [
    "create trigger g after insert on t begin insert into 'sqlite_sequence' values (1, 2); end",
    { code: 'internal-object', name: 'sqlite_sequence' },
  ],
  [`create view v as select '${'x'.repeat(1_048_576)}'`, { code: 'statement-length', lengthMax: 1_048_576 }],
  ['create table t (a', { code: 'ddl-syntax', near: '' }],
  ["create table t (a default 'x)", { code: 'ddl-syntax', near: "'x)" }],
];

// Guards SCHEMA-003.
test.for(refused)('checkPeerStatement refuses: %.80s', ([sql, error]) => {
  expect(checkPeerStatement(sql)).toMatchObject({ ok: false, error });
});
