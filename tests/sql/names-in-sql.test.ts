import { expect, test } from 'vitest';

import { namesInSql } from '#main/sql/names-in-sql.ts';

const asName: readonly string[] = [
  'select * from x',
  'select * from "x"',
  "select * from 'x'",
  "select 1 from a, 'x'",
  "select 1 from a join main.'x' on 1",
  "select 1 from (a join 'x')",
  "select 1 where a in 'x'",
  "insert into 'x' values (1)",
  "replace into 'x' values (1)",
  "update 'x' set a = 1",
  "update or replace 'x' set a = 1",
  "update main . 'x' set a = 1",
  "delete from /* y */ 'x'",
  "with y as (select 1) delete from 'x'",
  "drop table 'x'",
  "drop view if exists main.'x'",
  "alter table 'x' add a",
  "alter table a rename to 'x'",
  "create table if not exists 'x' (a)",
  "create table a (b references 'x')",
  "create index i on 'x' (a)",
  "create trigger g after insert on 'x' begin select 1; end",
  "create trigger g after insert on t begin select 1; delete from 'x'; end",
  'explain select * from [x]',
];

test.for(asName)('in %s x is a name', (sql) => {
  expect(namesInSql(sql)).toContain('x');
});

const asText: readonly string[] = [
  "select 'x'",
  "select a, 'x' from b",
  "select 1 from a where b = 'x'",
  "select 1 from a join b on 'x' = b.a, c",
  "select 1 from a where b in ('x', 'x')",
  "select 1 from a where b is distinct from c and d = 'x'",
  "insert into a values ('x', 'x')",
  "update a set b = 'x' where c = 'x'",
  "select 1 from a group by 'x' having 'x' order by 'x' limit 'x'",
  "create table a (b default 'x' check (b <> 'x'))",
  "create index i on a (b) where c = 'x'",
  '-- x',
];

test.for(asText)('in %s x is none', (sql) => {
  expect(namesInSql(sql)).not.toContain('x');
});
