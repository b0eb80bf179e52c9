import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';

import { nativeAlteration } from '#main/sql/native-alteration.ts';
import { aStatement, aTable } from './support.ts';

const TABLE = `create table t (id integer primary key, a text not null default 'q', b int unique, c constraint cn not null,
  d constraint cc check (d > 0), e references t (id), f, constraint cf check (f > 0), constraint cu unique (f, a))`;

const native: readonly string[] = [
  'add column z',
  'add column z text not null default 1',
  'add column z text check (z is null)',
  'add column z references t',
  'add column z as (a || 1) not null',
  'drop column d',
  'rename column a to z',
  'rename to u',
  'alter a drop not null',
  'alter f set not null',
  'add check (b is not null)',
  'add constraint cx check (b is not null)',
  'drop constraint cc',
  'drop constraint cn',
  'drop constraint cf',
];

const onlyWhereEmpty: readonly string[] = [
  'add column z text not null',
  'add column z text not null default null',
  'add column z default (1 + 1)',
  'add column z default current_timestamp',
  'add column z default 1 references t',
];

const rebuilt: readonly string[] = [
  'add column z unique',
  'add column z as (a) stored',
  'drop column b',
  'drop column e',
  'drop column f',
  'alter a set default 1',
  'alter a drop default',
  'alter a set data type blob',
  'alter a set collate nocase',
  'add unique (c)',
  'add foreign key (c) references t (id)',
  'drop constraint cu',
  'rename constraint cu to cv',
  'alter primary key (c)',
];

test.for(native)('SQLite has a statement for %s, rows or not', (change) => {
  expect(run(change, true)).toBe(true);
  expect(run(change, false)).toBe(true);
});

test.for(onlyWhereEmpty)('SQLite has a statement for %s where there are no rows', (change) => {
  expect(run(change, true)).toBe(false);
  expect(run(change, false)).toBe(true);
});

test.for(rebuilt)('a rebuild does %s', (change) => {
  expect(run(change, true)).toBe(false);
  expect(run(change, false)).toBe(false);
});

/** Whether there is a statement, which SQLite then runs. */
function run(change: string, hasRows: boolean): boolean {
  const statement = aStatement(`alter table t ${change}`);
  if (statement.kind !== 'alterTable') throw new Error(change);
  const sql = nativeAlteration(aTable(TABLE), statement.action, { hasRows });
  if (sql === null) return false;
  const scratch = new Database(':memory:');
  onTestFinished(() => {
    scratch.close();
  });
  scratch.exec(TABLE);
  if (hasRows) scratch.exec('insert into t values (1, 2, 3, 4, 5, 1, 7)');
  scratch.exec(sql);
  return true;
}
