import { describe, expect, test } from 'vitest';

import type { CreateTriggerStatement, CreateViewStatement } from '#main/sql/ast.ts';
import { parseDdl } from '#main/sql/parse-ddl.ts';
import type { NameChanges } from '#main/sql/rename-in-definition.ts';
import { renameInTrigger, renameInView } from '#main/sql/rename-in-body.ts';
import { renderStatement } from '#main/sql/render-statement.ts';
import { renameInScratch, whyNotInScratch, type ScratchObject } from '#main/store/scratch-rename.ts';

const bodyOf = (sql: string): CreateViewStatement | CreateTriggerStatement => {
  const parsed = parseDdl(sql);
  if (!parsed.ok || (parsed.value.kind !== 'createView' && parsed.value.kind !== 'createTrigger'))
    throw new Error(sql);
  return parsed.value;
};

const table = (name: string, ...columns: readonly string[]): ScratchObject => ({
  kind: 'table',
  name,
  columns,
});

const changes = (
  tables: Readonly<Record<string, string>>,
  columns: Readonly<Record<string, Readonly<Record<string, string>>>> = {},
): NameChanges => ({
  tables: new Map(Object.entries(tables)),
  columns: new Map(Object.entries(columns).map(([of, names]) => [of, new Map(Object.entries(names))])),
});

const flat = (sql: string): string => sql.replace(/\s+/g, ' ').trim();

const T = table('t', 'id', 'b', 'n');
const U = table('u', 'id', 'b');

interface Case {
  readonly title: string;
  readonly sql: string;
  readonly objects: readonly ScratchObject[];
  readonly to: NameChanges;
  readonly becomes: RegExp;
}

const cases: readonly Case[] = [
  {
    title: 'a column and its table, beside a text and an alias of the same letters',
    sql: `create view v as select t.b as b, 'b of t' as c from t where t.b <> 'b'`,
    objects: [T],
    to: changes({ t: 'note' }, { t: { b: 'body' } }),
    becomes: /select "?note"?\."?body"? as b, 'b of t' as c from "?note"? where "?note"?\."?body"? <> 'b'$/,
  },
  {
    title: 'only the table that has the column',
    sql: 'create view v as select x.b, y.b from t as x join u as y on x.id = y.id',
    objects: [T, U],
    to: changes({}, { u: { b: 'other' } }),
    becomes: /select x\.b, y\."?other"? from t as x join u as y/,
  },
  {
    title: 'two tables that swap their names',
    sql: 'create view v as select t.n from t join u on t.id = u.id',
    objects: [T, U],
    to: changes({ t: 'u', u: 't' }),
    becomes: /select "?u"?\.n from "?u"? join "?t"? on "?u"?\.id = "?t"?\.id/,
  },
  {
    title: 'two columns that swap their names',
    sql: 'create view v as select b, n from t',
    objects: [T],
    to: changes({}, { t: { b: 'n', n: 'b' } }),
    becomes: /select "?n"?, "?b"? from t/,
  },
  {
    title: 'a trigger: its table, UPDATE OF, WHEN, NEW and body',
    sql: 'create trigger g after update of b on t when new.b <> old.b begin insert into u (b) select b from t where id = new.id; end',
    objects: [T, U],
    to: changes({ t: 'note' }, { t: { b: 'body' } }),
    becomes:
      /update of "?body"? on "?note"?\s+when new\."?body"? <> old\."?body"? begin insert into u\s?\(b\) select "?body"? from "?note"? where id = new\.id/i,
  },
  {
    title: 'where a function and a collation are missing',
    sql: 'create view v as select title_sort(b) collate localized from t order by b collate localized',
    objects: [T],
    to: changes({}, { t: { b: 'body' } }),
    becomes: /title_sort\("?body"?\)/,
  },
];

describe('names in a view or trigger are renamed by SQLite', () => {
  for (const { title, sql, objects, to, becomes } of cases) {
    test(title, () => {
      const renamed = renameInScratch(bodyOf(sql), objects, to);
      expect(renamed === null ? null : flat(renderStatement(renamed))).toMatch(
        new RegExp(becomes.source, 'i'),
      );
    });
  }

  test('it refuses what refers to something that is not there', () => {
    const view = bodyOf('create view v as select b from t join nowhere using (id)');
    expect(renameInScratch(view, [T], changes({}, { t: { b: 'body' } }))).toBeNull();
  });
});

describe('word by word, where SQLite refuses', () => {
  test('a view', () => {
    const view = bodyOf(
      `create view v as select t.b, 'b' as b, count(b) from t join nowhere as w on w.b = t.id`,
    );
    if (view.kind !== 'createView') throw new Error('a view was expected');
    const renamed = renameInView(view.view, changes({ t: 'note' }, { t: { b: 'body' } }));
    expect(renamed.select).toMatch(
      /^select "?note"?\."?body"?, 'b' as b, count\("?body"?\) from "?note"? join nowhere/,
    );
  });

  test('a trigger: its own columns after NEW and OLD, those of others elsewhere', () => {
    const trigger = bodyOf(
      'create trigger g after insert on t begin insert into nowhere (b) values (new.b); update u set b = old.b where u.b = new.id; end',
    );
    if (trigger.kind !== 'createTrigger') throw new Error('a trigger was expected');
    const renamed = renameInTrigger(trigger.trigger, changes({}, { t: { b: 'body' }, u: { b: 'other' } }));
    expect(renamed.body[0]).toMatch(/values ?\(new\."?body"?\)/);
    expect(renamed.body[1]).toMatch(/set "?other"? = old\."?body"? where u\."?other"? = new\.id/);
  });
});

describe('what stands', () => {
  const stands: readonly (readonly [title: string, sql: string, objects: readonly ScratchObject[]])[] = [
    ['a view', 'create view v as select b from t', [T]],
    ['one that calls a function that is missing here', 'create view v as select title_sort(b) from t', [T]],
    [
      'one over a collation that is missing here',
      'create view v as select b collate localized as b from t',
      [T],
    ],
    [
      'one over a view that calls a function',
      'create view v as select q from w',
      [T, { kind: 'text', name: 'w', sql: 'create view w as select title_sort(b) as q from t' }],
    ],
    [
      'one beside a broken view whose name it uses as an alias',
      'create view v as select b as w from t',
      [T, { kind: 'text', name: 'w', sql: 'create view w as select gone from t' }],
    ],
    [
      'a trigger instead of writing to a view',
      'create trigger g instead of insert on w begin insert into t (b) values (new.q); end',
      [T, { kind: 'view', name: 'w', columns: ['q'] }],
    ],
  ];
  for (const [title, sql, objects] of stands) {
    test(title, () => {
      expect(whyNotInScratch(bodyOf(sql), objects)).toBeNull();
    });
  }

  const falls: readonly (readonly [
    title: string,
    sql: string,
    objects: readonly ScratchObject[],
    why: RegExp,
  ])[] = [
    ['a view without its table', 'create view v as select b from t', [], /no such table: main\.t/],
    ['a view without its column', 'create view v as select gone from t', [T], /no such column: gone/],
    [
      'also where a function is missing besides',
      'create view v as select title_sort(gone) from t',
      [T],
      /no such column: gone/,
    ],
    [
      'a trigger whose body writes to nothing',
      'create trigger g after insert on t begin insert into gone values (new.b); end',
      [T],
      /no such table: main\.gone/,
    ],
    [
      'a trigger without its table',
      'create trigger g after insert on t begin select 1; end',
      [],
      /no such table/,
    ],
    [
      'a view over a broken one',
      'create view v as select gone from w',
      [T, { kind: 'text', name: 'w', sql: 'create view w as select gone from t' }],
      /no such column: gone/,
    ],
  ];
  for (const [title, sql, objects, why] of falls) {
    test(title, () => {
      expect(whyNotInScratch(bodyOf(sql), objects)).toMatch(why);
    });
  }
});
