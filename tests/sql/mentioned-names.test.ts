import { expect, test } from 'vitest';

import { mentionedNames } from '#main/sql/mentioned-names.ts';
import { aStatement } from './support.ts';

const cases: readonly (readonly [sql: string, mentioned: readonly string[], not: readonly string[]])[] = [
  [
    'create table t (a int check (a > b), b references p (x))',
    ['t', 'a', 'b', 'p', 'x'],
    ['check', 'references'],
  ],
  ['create table t (A, b as ("A" || [x y]))', ['t', 'a', 'b', 'x y'], ['A']],
  ["create table t (a default 'parent')", ['t', 'a'], ['parent']],
  ['create index i on t (a, lower(b) desc) where c is not null', ['i', 't', 'a', 'b', 'c'], ['null']],
  [
    `create view v (n) as select p.x from parent p join main."Q" using (k) -- comment\n where k = 'literal'`,
    ['v', 'n', 'p', 'x', 'parent', 'q', 'k'],
    ['literal', 'comment', 'select'],
  ],
  ["create view v as select * from 'quoted' where a in 'other'", ['quoted', 'other', 'a'], []],
  [
    "create view v as select 'x', b from a, 'q' join main.'r' on a.b = 'y', ('s') where b in ('z', 'w')",
    ['a', 'b', 'q', 'r', 's'],
    ['x', 'y', 'z', 'w'],
  ],
  [
    "create trigger g after insert on t begin insert into 'q' values ('x', 'y'); update or ignore 'r' set a = 'z'; end",
    ['q', 'r'],
    ['x', 'y', 'z'],
  ],
  [
    "create trigger g after update of a on t when new.b <> 'x' begin insert into log (m) values (old.c); delete from [z z]; end",
    ['t', 'a', 'b', 'log', 'm', 'c', 'z z'],
    ['x', 'insert'],
  ],
  ['alter table t add foreign key (a, b) references p (x, y)', ['t', 'a', 'b', 'p', 'x', 'y'], []],
  ['alter table t alter primary key (🎵, key)', ['t', '🎵', 'key'], []],
];

test.for(cases)('the names that %s mentions', ([sql, mentioned, not]) => {
  const { identifiers } = mentionedNames(aStatement(sql));
  expect(identifiers).toEqual(expect.arrayContaining([...mentioned]));
  for (const name of not) expect(identifiers).not.toContain(name);
  expect(new Set(identifiers).size).toBe(identifiers.length);
});
