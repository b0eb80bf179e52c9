import { expect, test } from 'vitest';

import { applyAlteration, type AlterationErrorCode } from '#main/sql/apply-alteration.ts';
import { canonicalTable } from '#main/sql/canonical-table.ts';
import { aStatement, aTable } from './support.ts';

const refused: readonly (readonly [
  create: string,
  change: string,
  code: AlterationErrorCode,
  message: string,
])[] = [
  ['(a, b)', 'drop column c', 'no-such-column', 'no such column: "c"'],
  ['(a, b)', 'rename column c to d', 'no-such-column', 'no such column: "c"'],
  ['(a, b)', 'alter c set not null', 'no-such-column', 'no such column: "c"'],
  ['(a, b)', 'add unique (a, c)', 'no-such-column', 'no such column: "c"'],
  ['(a, b)', 'add foreign key (c) references p', 'no-such-column', 'no such column: "c"'],
  ['(a, b)', 'alter primary key (c)', 'no-such-column', 'no such column: "c"'],
  ['(a, b)', 'add column A', 'duplicate-column', 'duplicate column name: A'],
  ['(a, b)', 'rename column a to B', 'duplicate-column', 'duplicate column name: B'],
  ['(a, b)', 'alter primary key (a, A)', 'duplicate-column', 'column "A" is twice in the PRIMARY KEY'],
  ['(a, b)', 'drop constraint x', 'no-such-constraint', 'no such constraint: x'],
  ['(a, b)', 'rename constraint x to y', 'no-such-constraint', 'no such constraint: x'],
  [
    '(a constraint x unique)',
    'add constraint X check (a)',
    'duplicate-constraint',
    'constraint X already exists',
  ],
  [
    '(a constraint x unique, constraint y check (a))',
    'rename constraint x to y',
    'duplicate-constraint',
    'constraint y already exists',
  ],
  ['(a primary key, b)', 'drop column a', 'key-column', 'cannot drop PRIMARY KEY column: "a"'],
  ['(a, b)', 'add column c primary key', 'key-column', 'Cannot add a PRIMARY KEY column'],
  ['(a)', 'drop column a', 'last-column', 'cannot drop column "a": no other columns exist'],
  ['(a, b as (1))', 'drop column a', 'last-column', 'cannot drop column "a": no other columns exist'],
  [
    '(a, b, g as (a + b))',
    'drop column a',
    'column-in-use',
    'cannot drop column "a": generated column "g" needs it',
  ],
  [
    '(a, b, check (a > b))',
    'drop column a',
    'column-in-use',
    'cannot drop column "a": CHECK (a > b) needs it',
  ],
  [
    '(a, b check (t.a > b))',
    'drop column a',
    'column-in-use',
    'cannot drop column "a": CHECK (t.a > b) needs it',
  ],
  [
    '(a, b, constraint u unique (b, a))',
    'drop column a',
    'column-in-use',
    'cannot drop column "a": constraint "u" needs it',
  ],
  [
    '(a unique, b constraint f references t (a))',
    'drop column a',
    'column-in-use',
    'cannot drop column "a": constraint "f" needs it',
  ],
  ['(a int, b text) strict', 'add column c', 'unfit-type', 'missing datatype for t.c'],
  [
    '(a int, b text) strict',
    'alter a type varchar(3)',
    'unfit-type',
    'unknown datatype for t.a: "varchar(3)"',
  ],
  [
    '(a integer primary key autoincrement)',
    'alter a type text',
    'unfit-type',
    'AUTOINCREMENT is only allowed on an INTEGER PRIMARY KEY',
  ],
  ['(a, b as (a))', 'alter b set default 1', 'unfit-default', 'cannot use DEFAULT on a generated column'],
  [
    '(a, b as (a))',
    'alter primary key (b)',
    'unfit-key',
    'generated columns cannot be part of the PRIMARY KEY',
  ],
  [
    '(a, b)',
    'add foreign key (a, b) references p (x)',
    'unfit-key',
    'number of columns in foreign key does not match the number of columns in the referenced table',
  ],
  [
    '(a constraint pk primary key, b)',
    'drop constraint pk',
    'unfit-key',
    'cannot drop constraint "pk": it is the PRIMARY KEY',
  ],
  ['(a)', 'rename to sqlite_x', 'taken-name', 'object name reserved for internal use: sqlite_x'],
  ['(a)', 'rename to _concord_x', 'taken-name', 'object name reserved for internal use: _concord_x'],
  ['(a)', 'rename to T', 'taken-name', 'there is already another table or index with this name: T'],
];

test.for(refused)('t %s, %s is refused', ([create, change, code, message]) => {
  expect(altered(create, change)).toMatchObject({ ok: false, error: { code, message } });
});

const done: readonly (readonly [create: string, change: string, after: string])[] = [
  ['(a unique check (a > 0) references p, b)', 'drop a', '(b)'],
  [
    '(a, b, c, unique (a, b), unique (b, c), foreign key (a) references p)',
    'drop a',
    '(b, c, unique (b, c))',
  ],
  ['(a unique, b references t (a), c, foreign key (c) references t (a))', 'drop a', '(b, c)'],
  ["(a, b, check (b <> 'a'))", 'drop a', "(b, check (b <> 'a'))"],
  [
    '(a primary key, b, c, check (c))',
    'alter primary key (b, c desc)',
    '(a, b, c, primary key (b, c desc), check (c))',
  ],
  [
    '(a, b, unique (b), constraint pk primary key (a) on conflict fail)',
    'alter primary key (b)',
    '(a, b, unique (b), constraint pk primary key (b) on conflict fail)',
  ],
  [
    '(a integer primary key autoincrement, b)',
    'alter primary key (a)',
    '(a integer primary key autoincrement, b)',
  ],
  ['(a integer primary key autoincrement, b)', 'alter primary key (b)', '(a integer, b, primary key (b))'],
  ['(a primary key, b)', 'alter primary key (a desc)', '(a, b, primary key (a desc))'],
  [
    '(a constraint n not null constraint n check (a), b, constraint N unique (b))',
    'drop constraint n',
    '(a, b)',
  ],
  [
    '(a constraint pk primary key, b)',
    'rename constraint PK to "key"',
    '(a constraint "key" primary key, b)',
  ],
  ['(a references t (b), b unique)', 'rename b to c', '(a references t (c), c unique)'],
  ['(a references T (b), b check (T.b > 0))', 'rename to u', '(a references u (b), b check (u.b > 0))'],
  ['(a int)', 'alter a type text', '(a text)'],
  ['(a unique, unique (a))', 'drop unique (a)', '(a, unique (a))'],
  ['(a, b, constraint u unique (a), unique (b))', 'drop unique ("B")', '(a, b, constraint u unique (a))'],
  ['(a check (a > 0), check (a > 1))', 'drop check ((a) > 1)', '(a check (a > 0))'],
  ['(a references p on delete cascade, b)', 'drop foreign key (a) references p on delete cascade', '(a, b)'],
  ['(a collate nocase default 1)', 'alter a set default -2', '(a collate nocase default -2)'],
];

test.for(done)('of t %s, %s makes %s', ([create, change, after]) => {
  const outcome = altered(create, change);
  const name = outcome.ok ? outcome.value.name : 't';
  expect(outcome.ok ? canonicalTable(outcome.value) : outcome.error).toBe(
    canonicalTable(aTable(`create table ${name} ${after}`)),
  );
});

function altered(create: string, change: string): ReturnType<typeof applyAlteration> {
  const statement = aStatement(`alter table t ${change}`);
  if (statement.kind !== 'alterTable') throw new Error(change);
  return applyAlteration(aTable(`create table t ${create}`), statement.action);
}
