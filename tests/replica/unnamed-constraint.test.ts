import { expect, test } from 'vitest';

import { freshReplicas } from '../support/fresh-replicas.ts';
import { problemsOf, type TestReplica } from '../support/replica-world.ts';

const { a, b } = freshReplicas(['a', 'b']);

const textOf = (replica: TestReplica): unknown =>
  replica.rows(`select sql from sqlite_schema where name = 't'`)[0]?.[0];

test.each([
  ['check (n > 0)', 'drop check (("n") > 0)', `insert into t values (9, -1, 'x')`],
  ['unique (n, v)', 'drop unique (V, n)', `insert into t values (9, 1, 'one')`],
  [
    'foreign key (n) references p (id)',
    'drop foreign key (n) references p (id)',
    `insert into t values (9, 77, 'x')`,
  ],
])('A06 a constraint without a name, %s, is dropped on both replicas by %s', (constraint, drop, row) => {
  a.exec(`create table p (id integer primary key); insert into p values (1);
    create table t (id integer primary key, n int, v text, ${constraint}); insert into t values (1, 1, 'one')`);
  b.pull(a);
  b.exec('alter table t rename column v to w');
  a.exec(`alter table t ${drop}`);
  b.pull(a);
  a.pull(b);
  for (const replica of [a, b]) {
    expect(textOf(replica)).not.toMatch(/check|unique|references/i);
    expect(problemsOf(replica)).toEqual([]);
  }
  a.exec(row);
  b.pull(a);
  expect(b.rows('select count(*) from t')).toEqual([[2n]]);
});

test('A06 what no constraint says cannot be dropped', () => {
  a.exec('create table t (id integer primary key, n int, check (n > 0), constraint named check (n > 1))');
  expect(a.refused('alter table t drop check (n > 1)').message).toMatch(/no such constraint/);
  expect(a.refused('alter table t drop unique (n)').message).toMatch(/no such constraint/);
});
