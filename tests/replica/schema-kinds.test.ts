import { expect, test } from 'vitest';

import { freshReplicas } from '../support/fresh-replicas.ts';
import { problemsOf } from '../support/replica-world.ts';
import type { TestReplica } from '../support/replica-world.ts';
import { expectSame, plainRow } from '../support/schema-case.ts';
import { companions, TABLE_KINDS, withNames } from '../support/table-kinds.ts';
import type { TableKind } from '../support/table-kinds.ts';

// Every form of the dialect on every kind of table: rows, rowids, indexes, views, triggers and foreign keys in both
// directions stay, at the one who writes it, at the peer, and at one who joins afterwards.

const { world, a, b } = freshReplicas(['a', 'b']);

interface Form {
  readonly sql: string;
  /** Names after it, where they change. */
  readonly after?: Partial<Pick<TableKind, 't' | 'v' | 'n' | 'x'>>;
  /** Values of `v` of the three rows afterwards. */
  readonly values?: readonly unknown[];
  /** Kinds of table that cannot take it. */
  readonly but?: RegExp;
}

const FORMS: readonly Form[] = [
  { sql: 'ALTER TABLE {t} ADD COLUMN more TEXT' },
  { sql: `ALTER TABLE {t} ADD COLUMN more TEXT NOT NULL DEFAULT 'm' CHECK (more <> '') COLLATE NOCASE` },
  { sql: 'ALTER TABLE {t} ADD COLUMN more TEXT UNIQUE' },
  { sql: 'ALTER TABLE {t} ADD COLUMN more INTEGER AS ({n} + 1) STORED' },
  { sql: 'ALTER TABLE {t} DROP COLUMN {x}' },
  { sql: 'ALTER TABLE {t} RENAME COLUMN {v} TO "new v"', after: { v: '"new v"' } },
  { sql: 'ALTER TABLE {t} RENAME TO "new t"', after: { t: '"new t"' } },
  // As text, 3 is not below 1000.
  { sql: 'ALTER TABLE {t} ALTER COLUMN {n} SET DATA TYPE TEXT', but: /checks/ },
  {
    sql: `UPDATE {t} SET {v} = 'three' WHERE {v} IS NULL; ALTER TABLE {t} ALTER COLUMN {v} SET NOT NULL`,
    values: ['one', 'two', 'three'],
  },
  { sql: 'ALTER TABLE {t} ALTER COLUMN {n} SET NOT NULL; ALTER TABLE {t} ALTER COLUMN {n} DROP NOT NULL' },
  { sql: `ALTER TABLE {t} ALTER COLUMN {v} SET DEFAULT 'it''s'` },
  { sql: `ALTER TABLE {t} ALTER COLUMN {v} SET DEFAULT 'd'; ALTER TABLE {t} ALTER COLUMN {v} DROP DEFAULT` },
  { sql: 'ALTER TABLE {t} ALTER COLUMN {v} SET COLLATE NOCASE' },
  { sql: 'ALTER TABLE {t} ADD CONSTRAINT "a name" UNIQUE ({v}, {n})' },
  { sql: 'ALTER TABLE {t} ADD UNIQUE ({v})' },
  { sql: `ALTER TABLE {t} ADD CHECK ({v} <> 'zero')` },
  { sql: 'ALTER TABLE {t} ADD CONSTRAINT ring FOREIGN KEY ({v}) REFERENCES other (w) ON DELETE SET NULL' },
  {
    sql: 'ALTER TABLE {t} ADD CONSTRAINT k CHECK ({n} > 0); ALTER TABLE {t} RENAME CONSTRAINT k TO l; ALTER TABLE {t} DROP CONSTRAINT l',
  },
];

const OTHER = `CREATE TABLE other (w TEXT PRIMARY KEY); INSERT INTO other VALUES ('one'), ('two')`;

for (const kind of TABLE_KINDS) {
  for (const form of FORMS.filter(({ but }) => but?.test(kind.title) !== true)) {
    test(`a table with ${kind.title}: ${form.sql}`, () => {
      playForm(kind, form);
    });
  }
}

function playForm(kind: TableKind, form: Form): void {
  a.exec(`${OTHER}; ${kind.create}; ${kind.rows}; ${companions(kind)}`);
  b.pull(a);
  const before = [a, b].map((replica) => placesOf(replica, kind));
  const sequence = sequenceOf(a);
  a.exec(withNames(form.sql, kind));
  expect(b.pull(a).blocked).toBeNull();
  const after = { ...kind, ...form.after };
  const c = world.init('c');
  c.pull(b);
  expect([a, b].map((replica) => placesOf(replica, after))).toEqual(before);
  expect(sequenceOf(a)).toEqual(sequence);
  for (const replica of [a, b, c]) expectWhole(replica, after, form.values ?? ['one', 'two', null]);
  expect([a, b, c].flatMap(problemsOf)).toEqual([]);
  expectSame([a, b, c]);
  expectAlive(after);
  expect(a.pull(b).migrations).toBe(0);
}

/** Rowids with a value that tells the rows apart: no statement may move a row. */
const placesOf = (replica: TestReplica, { t, n, hasRowid }: TableKind): readonly unknown[] =>
  hasRowid ? replica.rows(`SELECT rowid, CAST(${n} AS INTEGER) FROM ${t} ORDER BY 2`) : [];

const sequenceOf = (replica: TestReplica): readonly unknown[] =>
  replica.rows(`SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_sequence'`).length === 0
    ? []
    : replica.rows('SELECT seq FROM sqlite_sequence');

function expectWhole(replica: TestReplica, { t, v, n }: TableKind, values: readonly unknown[]): void {
  const rows = (sql: string) => replica.rows(sql).map(plainRow);
  expect(rows(`SELECT ${v} FROM ${t} ORDER BY CAST(${n} AS INTEGER)`).flat(), replica.name).toEqual(values);
  expect(rows('SELECT v FROM seen ORDER BY CAST(n AS INTEGER)').flat()).toEqual(
    values.filter((value) => value !== null),
  );
  expect(rows('SELECT count(*) FROM child')).toEqual([[3]]);
  expect(rows('PRAGMA foreign_key_check')).toEqual([]);
  const names =
    rows(`SELECT name FROM sqlite_schema WHERE name NOT LIKE '%concord%' AND name NOT LIKE 'sqlite%'
    AND type <> 'table' ORDER BY 1`).flat();
  expect(names, replica.name).toEqual(['by_low', 'by_n', 'by_v', 'seen', 'told']);
}

/** Trigger, capture and foreign keys work on: a change at one reaches the other. */
function expectAlive({ t, v, n }: TableKind): void {
  a.exec(`INSERT OR IGNORE INTO other VALUES ('changed'); UPDATE ${t} SET ${v} = 'changed' WHERE ${n} = 1`);
  expect(a.rows('SELECT what FROM hist').flat()).toContain('changed;');
  b.pull(a);
  expect(b.rows(`SELECT ${v} FROM ${t} WHERE ${n} = 1`)).toEqual([['changed']]);
  expect(b.rows('SELECT what FROM hist').flat()).toContain('changed;');
  b.exec(`DELETE FROM ${t} WHERE ${n} = 2`);
  a.pull(b);
  for (const replica of [a, b])
    expect(plainRow(replica.rows('SELECT count(*) FROM child')[0] ?? [])).toEqual([2]);
}
