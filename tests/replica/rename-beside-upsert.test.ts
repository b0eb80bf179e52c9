import { expect, test } from 'vitest';

import { freshReplicas } from '../support/fresh-replicas.ts';
import { problemsOf, type TestReplica } from '../support/replica-world.ts';

const { a, b } = freshReplicas(['a', 'b']);

const CATALOG = `
  create table sale (id integer primary key, item int, n int);
  create table total (item int primary key, n int);
  create trigger add_up after insert on sale begin
    insert into total values (new.item, new.n) on conflict (item) do update set n = n + excluded.n;
  end`;

test('a trigger that says EXCLUDED goes on adding up when the table that it writes to is renamed', () => {
  a.exec(CATALOG);
  b.pull(a);
  a.exec('alter table total rename to summed');
  expect(b.pull(a).migrations).toBe(1);
  expect(a.pull(b).migrations).toBe(0);
  for (const replica of [a, b]) {
    const text = replica.rows(`select sql from sqlite_schema where name = 'add_up'`)[0]?.[0];
    expect(text).toMatch(/summed/);
    expect(text).toMatch(/\+ excluded\.n/i);
    expect(problemsOf(replica)).toEqual([]);
  }
  b.exec('insert into sale values (1, 7, 10); insert into sale values (2, 7, 5)');
  expect(b.rows('select n from summed')).toEqual([[15n]]);
});

test('where another program renamed the table, all have the trigger that SQLite left there', () => {
  a.exec(CATALOG);
  b.pull(a);
  a.plain('alter table total rename to summed');
  b.pull(a);
  a.pull(b);
  const textOf = (replica: TestReplica): unknown =>
    replica.rows(`select sql from sqlite_schema where name = 'add_up'`)[0]?.[0];
  expect(textOf(a)).toMatch(/\+ "?summed"?\.n/i);
  expect(textOf(b)).toMatch(/\+ "?summed"?\.n/i);
  for (const replica of [a, b]) expect(problemsOf(replica)).toEqual([]);
  expect(b.core().status().fingerprint).toBe(a.core().status().fingerprint);
});
