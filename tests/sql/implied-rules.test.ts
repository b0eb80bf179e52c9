import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';

// What the comparison takes for granted of SQLite, asked of SQLite.

const refusals: readonly (readonly [title: string, sql: string, isRefused: boolean])[] = [
  ['NULL in a text key', 'create table t (a text primary key); insert into t values (null)', false],
  [
    'NULL in the key of a WITHOUT ROWID table',
    'create table t (a text primary key) without rowid; insert into t values (null)',
    true,
  ],
  [
    'NULL in the key of a STRICT table',
    'create table t (a text primary key) strict; insert into t values (null)',
    true,
  ],
  [
    'NULL in a part of the key of a STRICT table',
    'create table t (a text, b int, primary key (a, b)) strict; insert into t values (1, null)',
    true,
  ],
  ['NULL in a rowid', 'create table t (a integer primary key); insert into t values (null)', false],
  [
    'NULL in a rowid that is NOT NULL',
    'create table t (a integer primary key not null); insert into t values (null)',
    false,
  ],
  [
    'NULL in INTEGER PRIMARY KEY DESC',
    'create table t (a integer primary key desc not null); insert into t values (null)',
    true,
  ],
  ['text in a rowid', "create table t (a integer primary key); insert into t values ('x')", true],
  [
    'text in the quirk that is no rowid',
    "create table t (a integer primary key desc); insert into t values ('x')",
    false,
  ],
  [
    'text in PRIMARY KEY (a DESC), which is a rowid',
    "create table t (a integer, primary key (a desc)); insert into t values ('x')",
    true,
  ],
  [
    'text in a rowid whose type is in quotes',
    `create table t (a "integer" primary key); insert into t values ('x')`,
    true,
  ],
  ['text in an INT key', "create table t (a int primary key); insert into t values ('x')", false],
  [
    'text in the key of a WITHOUT ROWID table',
    "create table t (a integer primary key) without rowid; insert into t values ('x')",
    false,
  ],
  [
    'a REFERENCES that is DEFERRABLE only',
    'create table p (id integer primary key); create table t (a references p deferrable); begin; insert into t values (1); insert into p values (1); commit',
    true,
  ],
  [
    'a REFERENCES that is deferred',
    'create table p (id integer primary key); create table t (a references p deferrable initially deferred); begin; insert into t values (1); insert into p values (1); commit',
    false,
  ],
  [
    'a REFERENCES that is not deferrable, though it says deferred',
    'create table p (id integer primary key); create table t (a references p not deferrable initially deferred); begin; insert into t values (1); insert into p values (1); commit',
    true,
  ],
  [
    'a NULL in a REFERENCES that is MATCH FULL',
    'create table p (x, y, unique (x, y)); create table t (a, b, foreign key (a, b) references p (x, y) match full); insert into t values (1, null)',
    false,
  ],
  [
    'a row that its CHECK says to ignore',
    'create table t (a, check (a > 0) on conflict ignore); insert into t values (0)',
    true,
  ],
];

test.for(refusals)('SQLite on %s', ([, sql, isRefused]) => {
  const scratch = new Database(':memory:');
  onTestFinished(() => {
    scratch.close();
  });
  const run = (): unknown => scratch.exec(sql);
  if (isRefused) expect(run).toThrow();
  else expect(run).not.toThrow();
});
