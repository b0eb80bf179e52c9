import { beforeEach, expect, test } from 'vitest';

import type { Migration, Page } from '#shared/model/change-group.ts';

import { freshReplicas } from '../support/fresh-replicas.ts';
import { dumpFile } from '../support/replica-world.ts';

// A peer's DDL is a structure. Whatever text a peer that lies puts there: never more than one statement of an allowed
// kind on user objects is run, and where it is refused, nothing of its unit is taken in.

const { a, b } = freshReplicas(['a', 'b']);
beforeEach(() => {
  a.exec(`CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT); INSERT INTO t VALUES (1, 'kept')`);
  b.pull(a);
});

const HOSTILE: readonly (readonly [what: string, make: string, ddl: string])[] = [
  [
    'several statements',
    'CREATE TABLE x (id INTEGER PRIMARY KEY)',
    'CREATE TABLE x (id INTEGER PRIMARY KEY); DROP TABLE t',
  ],
  [
    'a statement after a comment',
    'CREATE VIEW x AS SELECT 1 AS a',
    'CREATE VIEW x AS SELECT 1 AS a; -- \n DELETE FROM t',
  ],
  ['ATTACH', 'CREATE VIEW x AS SELECT 1 AS a', `ATTACH 'other.db' AS other`],
  ['PRAGMA', 'CREATE VIEW x AS SELECT 1 AS a', 'PRAGMA writable_schema = ON'],
  ['VACUUM INTO', 'CREATE VIEW x AS SELECT 1 AS a', `VACUUM INTO 'copy.db'`],
  ['DELETE', 'CREATE VIEW x AS SELECT 1 AS a', 'DELETE FROM t'],
  ['a virtual table', 'CREATE TABLE x (id INTEGER PRIMARY KEY)', 'CREATE VIRTUAL TABLE x USING fts5 (a)'],
  [
    'a table of the bookkeeping',
    'CREATE TABLE x (id INTEGER PRIMARY KEY)',
    'CREATE TABLE _concord_x (id INTEGER PRIMARY KEY)',
  ],
  ['CREATE TABLE AS SELECT', 'CREATE TABLE x (id INTEGER PRIMARY KEY)', 'CREATE TABLE x AS SELECT * FROM t'],
  ['a temporary object', 'CREATE VIEW x AS SELECT 1 AS a', 'CREATE TEMP VIEW x AS SELECT 1 AS a'],
  ['another schema', 'CREATE VIEW x AS SELECT 1 AS a', 'CREATE VIEW temp.x AS SELECT 1 AS a'],
  [
    'a view on the bookkeeping',
    'CREATE VIEW x AS SELECT 1 AS a',
    'CREATE VIEW x AS SELECT * FROM _concord_log',
  ],
  [
    'a view on it, quoted',
    'CREATE VIEW x AS SELECT 1 AS a',
    'CREATE VIEW x AS SELECT * FROM main."_CONCORD_log"',
  ],
  [
    'a trigger that writes bookkeeping',
    'CREATE TRIGGER x AFTER INSERT ON t BEGIN SELECT 1; END',
    'CREATE TRIGGER x AFTER INSERT ON t BEGIN DELETE FROM _concord_log; END',
  ],
  [
    'a trigger on bookkeeping',
    'CREATE TRIGGER x AFTER INSERT ON t BEGIN SELECT 1; END',
    'CREATE TRIGGER x AFTER INSERT ON _concord_log BEGIN SELECT 1; END',
  ],
  ['an index on bookkeeping', 'CREATE INDEX x ON t (v)', 'CREATE INDEX x ON _concord_log (hlc)'],
  [
    'a rename of bookkeeping',
    'ALTER TABLE t RENAME COLUMN v TO w',
    'ALTER TABLE _concord_log RENAME TO gone',
  ],
  ['a rename to bookkeeping', 'ALTER TABLE t RENAME TO u', 'ALTER TABLE t RENAME TO _concord_log'],
  [
    'a generated column that reads files',
    'CREATE TABLE x (id INTEGER PRIMARY KEY)',
    `CREATE TABLE x (id INTEGER PRIMARY KEY, c AS (load_extension('evil')))`,
  ],
];

test.each(HOSTILE)(
  'A11 a peer that sends %s: refused as a whole, and nothing of it is run',
  (_what, make, ddl) => {
    a.exec(
      `${make}; INSERT INTO t (id) VALUES (2)`.replace(
        'INTO t',
        make.includes('RENAME TO u') ? 'INTO u' : 'INTO t',
      ),
    );
    const unsteady = ['_concord_peer', '_concord_site', '_concord_blocked'];
    const before = dumpFile(b, unsteady);
    const { blocked } = b.pull(a, { disturb: withDdl(ddl) });
    expect(blocked).toMatchObject({ cause: 'refusedStatement' });
    expect(dumpFile(b, unsteady)).toBe(before);
    // The unit stays first in line; honest, it goes through.
    expect(b.pull(a).blocked).toBeNull();
  },
);

test('A11 what cannot be read is one statement of an allowed kind: SQLite`s own message is what people see', () => {
  expect(a.refused('CREATE TABLE x (id INTEGER PRIMARY KEY,, v)').message).toMatch(/near ",": syntax error/);
  expect(a.refused('ALTER TABLE nowhere ADD COLUMN v').message).toMatch(/no such table: nowhere/);
  expect(a.refused('ALTER TABLE t ADD COLUMN v').message).toMatch(/duplicate column name: v/);
  expect(a.refused('ALTER TABLE t RENAME COLUMN nope TO x').message).toMatch(/no such column: "?nope"?/);
  expect(a.refused('ALTER TABLE t ALTER COLUMN nope SET NOT NULL').message).toMatch(
    /no such column: "?nope"?/,
  );
  expect(a.refused('CREATE INDEX i ON t (nope)').message).toMatch(
    /no such column: "?nope"?|has no column named nope/,
  );
  expect(a.refused('DROP VIEW t').message).toMatch(/use DROP TABLE/);
  expect(b.pull(a).migrations).toBe(0);
});

test.each([
  'DROP TABLE _concord_log',
  'ALTER TABLE _concord_log ADD COLUMN x',
  'ALTER TABLE t RENAME TO _concord_t',
  'CREATE VIEW v AS SELECT * FROM _concord_log',
  'CREATE TRIGGER x AFTER INSERT ON t BEGIN DELETE FROM _concord_log; END',
  'DROP TRIGGER _concord_i_1',
  'ALTER TABLE t ALTER COLUMN v SET DEFAULT (SELECT max(seq) FROM _concord_log)',
])('nobody`s SQL touches the bookkeeping through Concord: %s', (sql) => {
  const before = dumpFile(a);
  expect(a.refused(sql).code).toMatch(/refused-statement|sqlite|ddl-syntax/);
  expect(dumpFile(a)).toBe(before);
});

test('C04 DDL that changes nothing, or fails, swallows no later DDL', () => {
  a.exec(
    'CREATE TABLE IF NOT EXISTS t (other TEXT); DROP TABLE IF EXISTS nowhere; DROP INDEX IF EXISTS nowhere',
  );
  a.refused('ALTER TABLE t ADD COLUMN v TEXT');
  a.refused('BEGIN; ALTER TABLE t ADD COLUMN ok TEXT; ALTER TABLE t DROP COLUMN nope; COMMIT');
  a.refused('ALTER TABLE t ALTER COLUMN id DROP NOT A THING');
  expect(b.pull(a)).toMatchObject({ migrations: 0, blocked: null });
  a.exec(`ALTER TABLE t ADD COLUMN w TEXT; INSERT INTO t VALUES (2, 'b', 'w')`);
  expect(b.pull(a).migrations).toBe(1);
  expect(b.rows('SELECT * FROM t WHERE id = 2')).toEqual([[2n, 'b', 'w']]);
});

test('C06 local DDL on the table that remote DDL is on the way to is captured', () => {
  a.exec('ALTER TABLE t ADD COLUMN w TEXT');
  b.exec('ALTER TABLE t ADD COLUMN x TEXT');
  b.plain('ALTER TABLE t RENAME COLUMN v TO value');
  b.pull(a);
  b.plain('ALTER TABLE t RENAME TO u');
  a.pull(b);
  for (const replica of [a, b])
    expect(
      replica
        .core()
        .catalog()
        .objects[0]?.columns.map(({ name }) => name)
        .toSorted(),
    ).toEqual(['id', 'value', 'w', 'x']);
});

test('T03 DDL that is rolled back, to a savepoint or altogether, is not recorded', () => {
  a.exec(`BEGIN; ALTER TABLE t ADD COLUMN keep TEXT; SAVEPOINT s; ALTER TABLE t RENAME COLUMN v TO w; CREATE VIEW x AS SELECT w FROM t;
    ALTER TABLE t ALTER COLUMN keep SET DEFAULT 'z'; ROLLBACK TO s; RELEASE s; INSERT INTO t VALUES (2, 'two', 'k'); COMMIT;
    BEGIN; DROP TABLE t; ROLLBACK`);
  b.pull(a);
  for (const replica of [a, b]) {
    expect(replica.rows('SELECT id, v, keep FROM t ORDER BY id')).toEqual([
      [1n, 'kept', null],
      [2n, 'two', 'k'],
    ]);
    expect(
      replica
        .core()
        .catalog()
        .objects.map(({ name }) => name),
    ).toEqual(['t']);
  }
  expect(a.core().status().fingerprint).toBe(b.core().status().fingerprint);
});

/** Another text in the newest migration of the page. */
const withDdl =
  (ddl: string) =>
  (page: Page): Page => {
    const newest = page.groups.flatMap(({ migrations }) => migrations).at(-1)?.id;
    const lie = (migration: Migration): Migration =>
      migration.id === newest ? { ...migration, ddl } : migration;
    return {
      ...page,
      groups: page.groups.map((group) => ({ ...group, migrations: group.migrations.map(lie) })),
    };
  };
