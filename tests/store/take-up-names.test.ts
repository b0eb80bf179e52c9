import Database from 'better-sqlite3';
import { expect, test } from 'vitest';

import { columnsInTrigger } from '#main/store/catalog-captured.ts';
import { orderRenames } from '#main/store/catalog-order-renames.ts';
import type { Renaming } from '#main/store/catalog-order-renames.ts';
import { isRenamedText } from '#main/store/catalog-renamed-text.ts';

const rename = (from: string, to: string): Renaming<string> => ({ subject: from, from, to });

/** Does renames one after the other; fails where a name is not free. */
function play(names: readonly string[], renames: readonly Renaming<string>[]): Record<string, string> {
  const nameOf = new Map(names.map((name) => [name, name]));
  for (const { subject, from, to } of renames) {
    expect(nameOf.get(subject)).toBe(from);
    expect([...nameOf.values()]).not.toContain(to);
    nameOf.set(subject, to);
  }
  return Object.fromEntries(nameOf);
}

test.each([
  ['a chain', [rename('a', 'b'), rename('b', 'c')], { a: 'b', b: 'c' }],
  ['a swap', [rename('a', 'b'), rename('b', 'a')], { a: 'b', b: 'a' }],
  ['a ring of three', [rename('a', 'b'), rename('b', 'c'), rename('c', 'a')], { a: 'b', b: 'c', c: 'a' }],
  [
    'two swaps and a chain',
    [rename('a', 'b'), rename('b', 'a'), rename('c', 'd'), rename('d', 'c'), rename('e', 'f')],
    { a: 'b', b: 'a', c: 'd', d: 'c', e: 'f' },
  ],
])('renames find each name free: %s', (_, renames, end) => {
  const names = renames.map(({ from }) => from);
  const ordered = orderRenames(renames, [...names, 'a~1']);
  expect(play(names, ordered)).toEqual(end);
  expect(ordered.map(({ to }) => to)).not.toContain('a~1');
});

test('renames that are in nobody`s way are one step each', () => {
  expect(orderRenames([rename('a', 'x'), rename('b', 'y')], [])).toHaveLength(2);
});

test('our update trigger tells the columns by ordinal, as SQLite rewrote it', () => {
  const db = new Database(':memory:');
  db.exec(`create table t ("a b" integer primary key, x, "<< 3)", y text);
    create table log (k, t, r, mask, hi, key, was, hlc); create table state (now_ms, capture);
    create trigger u after update on t when old."x" is not new."x" collate binary begin
      insert into log select 2, 7, new."a b", ((old."a b" is not new."a b" collate binary) << 0) | (((old."x" is not new."x" collate binary or typeof(old."x") <> typeof(new."x"))) << 1) | ((old."<< 3)" is not new."<< 3)" collate binary) << 5), 0, null, null, coalesce(now_ms, 1) << 16 from state where capture = 1;
      insert into log select 2, 7, new."a b", ((old."y" is not new."y" collate binary) << 2), 62, null, null, coalesce(now_ms, 1) << 16 from state; end;
    alter table t rename column x to "old"; alter table t rename column y to "select"; alter table t rename column "a b" to id`);
  const sql = String(db.prepare(`select sql from sqlite_schema where name = 'u'`).pluck().get());
  db.close();
  expect([...columnsInTrigger(sql)]).toEqual([
    [0, 'id'],
    [1, 'old'],
    [5, '<< 3)'],
    [64, 'select'],
  ]);
});

const changes = {
  tables: new Map([['t', 'u']]),
  columns: new Map([['t', new Map([['b', 'b new']])]]),
};

test.each([
  ['CREATE VIEW v AS SELECT b FROM t', 'CREATE VIEW v AS SELECT "b new" FROM "u"', true],
  ['CREATE VIEW v AS SELECT b FROM t', 'CREATE VIEW v AS SELECT b FROM t', true],
  ['CREATE VIEW v AS SELECT b FROM t', 'CREATE VIEW v AS SELECT "b new" FROM "u" WHERE 1', false],
  ['CREATE VIEW v AS SELECT a FROM t', 'CREATE VIEW v AS SELECT "b new" FROM "u"', false],
  ["CREATE INDEX i ON t (b) WHERE b <> 'b'", 'CREATE INDEX i ON "u" ("b new") WHERE "b new" <> \'b\'', true],
  ["CREATE INDEX i ON t (b) WHERE b <> 'b'", 'CREATE INDEX i ON "u" ("b new") WHERE "b new" <> \'c\'', false],
  ['CREATE VIEW v AS SELECT b FROM t', 'no text', false],
])('%s is %s with new names in it: %s', (before, after, isIt) => {
  expect(isRenamedText(before, after, changes)).toBe(isIt);
});
