import { expect, test } from 'vitest';

import type { DifferenceKind } from '#main/sql/comparison.ts';
import { comparableTable, compareTables } from '#main/sql/compare-tables.ts';
import { compareStatements } from '#main/sql/compare-statements.ts';
import { aTable } from './support.ts';

const t = (body: string): string => `CREATE TABLE t ${body}`;

interface DifferentCase {
  readonly title: string;
  readonly left: string;
  readonly right: string;
  readonly kinds: readonly DifferenceKind[];
}

const different: readonly DifferentCase[] = [
  {
    title: 'C003: columns and keys',
    left: 'CREATE TABLE visit(id INTEGER PRIMARY KEY, total REAL)',
    right: 'CREATE TABLE visit(code TEXT PRIMARY KEY, amount INTEGER, note TEXT)',
    kinds: ['column', 'column', 'column', 'column', 'column', 'primaryKey'],
  },
  {
    title: 'C005: NOT NULL and the default',
    left: "CREATE TABLE config(k TEXT PRIMARY KEY, v TEXT, updated_at TEXT NOT NULL DEFAULT (datetime('now')))",
    right: 'CREATE TABLE config(k TEXT PRIMARY KEY, v TEXT, updated_at TEXT)',
    kinds: ['notNull', 'default'],
  },
  { title: 'G04: the type of a column', left: t('(a REAL)'), right: t('(a TEXT)'), kinds: ['type'] },
  {
    title: 'G04: INT and INTEGER',
    left: t('(a INT PRIMARY KEY)'),
    right: t('(a INTEGER PRIMARY KEY)'),
    kinds: ['type', 'primaryKey'],
  },
  { title: 'G04: a column more', left: t('(a)'), right: t('(a, b)'), kinds: ['column'] },
  { title: 'G04: STRICT', left: t('(a INT)'), right: t('(a INT) STRICT'), kinds: ['strict'] },
  {
    title: 'G04: WITHOUT ROWID',
    left: t('(a INT PRIMARY KEY NOT NULL)'),
    right: t('(a INT PRIMARY KEY) WITHOUT ROWID'),
    kinds: ['withoutRowid'],
  },
  { title: 'the name', left: t('(a)'), right: 'CREATE TABLE u (a)', kinds: ['name'] },
  {
    title: 'names that differ in more than A to Z',
    left: t('("É")'),
    right: t('("é")'),
    kinds: ['column', 'column'],
  },
  {
    title: 'a text literal in a default',
    left: t("(a DEFAULT 'x')"),
    right: t("(a DEFAULT 'X')"),
    kinds: ['default'],
  },
  {
    title: 'a text literal in a CHECK',
    left: t("(a CHECK (a <> 'x'))"),
    right: t("(a CHECK (a <> 'x '))"),
    kinds: ['check'],
  },
  {
    title: 'text and number as default',
    left: t("(a DEFAULT '1')"),
    right: t('(a DEFAULT 1)'),
    kinds: ['default'],
  },
  {
    title: 'integer and real as default',
    left: t('(a DEFAULT 1)'),
    right: t('(a DEFAULT 1.0)'),
    kinds: ['default'],
  },
  { title: 'the collation', left: t('(a TEXT COLLATE nocase)'), right: t('(a TEXT)'), kinds: ['collation'] },
  {
    title: 'the collation, which the key takes over',
    left: t('(a TEXT COLLATE nocase UNIQUE)'),
    right: t('(a TEXT UNIQUE)'),
    kinds: ['collation', 'unique', 'unique'],
  },
  {
    title: 'the order of the key',
    left: t('(a, b, PRIMARY KEY (a, b))'),
    right: t('(a, b, PRIMARY KEY (b, a))'),
    kinds: ['primaryKey'],
  },
  {
    title: 'the direction of the key',
    left: t('(a, b, PRIMARY KEY (a, b))'),
    right: t('(a, b, PRIMARY KEY (a, b DESC))'),
    kinds: ['primaryKey'],
  },
  {
    title: 'the rowid and the quirk that is none',
    left: t('(a INTEGER PRIMARY KEY)'),
    right: t('(a INTEGER PRIMARY KEY DESC)'),
    kinds: ['primaryKey'],
  },
  {
    title: 'AUTOINCREMENT',
    left: t('(a INTEGER PRIMARY KEY)'),
    right: t('(a INTEGER PRIMARY KEY AUTOINCREMENT)'),
    kinds: ['primaryKey'],
  },
  {
    title: 'what a key does on conflict',
    left: t('(a UNIQUE)'),
    right: t('(a UNIQUE ON CONFLICT IGNORE)'),
    kinds: ['unique'],
  },
  {
    title: 'what NOT NULL does on conflict',
    left: t('(a NOT NULL)'),
    right: t('(a NOT NULL ON CONFLICT REPLACE)'),
    kinds: ['notNull'],
  },
  { title: 'a UNIQUE more', left: t('(a)'), right: t('(a UNIQUE)'), kinds: ['unique'] },
  {
    title: 'a CHECK less',
    left: t('(a CHECK (a), CHECK (a > 1))'),
    right: t('(a CHECK (a > 1))'),
    kinds: ['check'],
  },
  {
    title: 'two names of one constraint',
    left: t('(a CONSTRAINT x CHECK (a))'),
    right: t('(a CONSTRAINT y CHECK (a))'),
    kinds: ['constraintName'],
  },
  {
    title: 'a CHECK of the same name',
    left: t('(a CONSTRAINT x CHECK (a), CHECK (a > 1))'),
    right: t('(a, CHECK (a > 1), CONSTRAINT x CHECK (a > 2))'),
    kinds: ['check'],
  },
  { title: 'the parent', left: t('(a REFERENCES p)'), right: t('(a REFERENCES q)'), kinds: ['foreignKey'] },
  {
    title: 'the parent key',
    left: t('(a REFERENCES p (x))'),
    right: t('(a REFERENCES p (y))'),
    kinds: ['foreignKey'],
  },
  {
    title: 'the action of a foreign key',
    left: t('(a REFERENCES p ON DELETE CASCADE)'),
    right: t('(a REFERENCES p)'),
    kinds: ['foreignKey'],
  },
  {
    title: 'a deferral that is taken back',
    left: t('(a REFERENCES p DEFERRABLE INITIALLY DEFERRED)'),
    right: t('(a REFERENCES p NOT DEFERRABLE INITIALLY DEFERRED)'),
    kinds: ['foreignKey'],
  },
  {
    title: 'the deferral of a foreign key',
    left: t('(a REFERENCES p DEFERRABLE INITIALLY DEFERRED)'),
    right: t('(a REFERENCES p DEFERRABLE)'),
    kinds: ['foreignKey'],
  },
  {
    title: 'a generated expression',
    left: t('(a, b AS (a + 1))'),
    right: t('(a, b AS (a + 2))'),
    kinds: ['generated'],
  },
  {
    title: 'where a generated column is kept',
    left: t('(a, b AS (a) STORED)'),
    right: t('(a, b AS (a))'),
    kinds: ['generated'],
  },
  { title: 'generated and plain', left: t('(a, b AS (a))'), right: t('(a, b)'), kinds: ['generated'] },
  {
    title: 'C054: the table of an index',
    left: 'CREATE INDEX idx_n ON p(n)',
    right: 'CREATE INDEX idx_n ON q(n)',
    kinds: ['table'],
  },
  {
    title: 'the order of an index',
    left: 'CREATE INDEX i ON p(a, b)',
    right: 'CREATE INDEX i ON p(b, a)',
    kinds: ['part', 'part'],
  },
  {
    title: 'the length of an index',
    left: 'CREATE INDEX i ON p(a, b)',
    right: 'CREATE INDEX i ON p(a)',
    kinds: ['part'],
  },
  {
    title: 'the direction of an index',
    left: 'CREATE INDEX i ON p(a)',
    right: 'CREATE INDEX i ON p(a DESC)',
    kinds: ['part'],
  },
  {
    title: 'a UNIQUE index',
    left: 'CREATE INDEX i ON p(a)',
    right: 'CREATE UNIQUE INDEX i ON p(a)',
    kinds: ['unique'],
  },
  {
    title: 'a partial index',
    left: 'CREATE INDEX i ON p(a)',
    right: 'CREATE INDEX i ON p(a) WHERE a > 0',
    kinds: ['where'],
  },
  {
    title: 'a column and a text in an index',
    left: 'CREATE INDEX i ON p(a)',
    right: "CREATE INDEX i ON p(a || 'x')",
    kinds: ['part'],
  },
  {
    title: 'a select',
    left: 'CREATE VIEW v AS SELECT a FROM t',
    right: 'CREATE VIEW v AS SELECT b FROM t',
    kinds: ['select'],
  },
  {
    title: 'the columns of a view',
    left: 'CREATE VIEW v (x) AS SELECT a FROM t',
    right: 'CREATE VIEW v AS SELECT a FROM t',
    kinds: ['columns'],
  },
  {
    title: 'the moment of a trigger',
    left: 'CREATE TRIGGER g AFTER INSERT ON t BEGIN SELECT 1; END',
    right: 'CREATE TRIGGER g BEFORE DELETE ON t WHEN 1 BEGIN SELECT 1; SELECT 2; END',
    kinds: ['time', 'event', 'when', 'body'],
  },
  {
    title: 'the columns of a trigger',
    left: 'CREATE TRIGGER g UPDATE OF a ON t BEGIN SELECT 1; END',
    right: 'CREATE TRIGGER g UPDATE OF b ON u BEGIN SELECT 1; END',
    kinds: ['table', 'columns'],
  },
  {
    title: 'a text literal in a view',
    left: "CREATE VIEW v AS SELECT a || 'x' AS y FROM t",
    right: "CREATE VIEW v AS SELECT a || 'X' AS y FROM t",
    kinds: ['select'],
  },
  {
    title: 'a text literal in a trigger',
    left: "CREATE TRIGGER g AFTER INSERT ON t WHEN new.a = 'x' BEGIN UPDATE t SET a = 'b c'; END",
    right: "CREATE TRIGGER g AFTER INSERT ON t WHEN new.a = 'X' BEGIN UPDATE t SET a = 'b  c'; END",
    kinds: ['when', 'body'],
  },
  {
    title: 'a text literal in an index',
    left: "CREATE INDEX i ON t (a || 'x') WHERE b = 'y'",
    right: "CREATE INDEX i ON t (a || 'X') WHERE b = 'Y'",
    kinds: ['part', 'where'],
  },
];

test.for(different)('different in $title', ({ left, right, kinds }) => {
  const compared = compareStatements(left, right);
  expect(compared).toMatchObject({ ok: true, value: { equal: false } });
  if (!compared.ok) return;
  expect(compared.value.differences.map(({ kind }) => kind)).toEqual(kinds);

  const swapped = compareStatements(right, left);
  const mirrored = swapped.ok
    ? swapped.value.differences.map((one) => ({ ...one, subject: '', left: one.right, right: one.left }))
    : [];
  expect(mirrored).toEqual(
    expect.arrayContaining(compared.value.differences.map((one) => ({ ...one, subject: '' }))),
  );
});

test('C005: a difference names what is on each side', () => {
  const left = aTable("CREATE TABLE config(k TEXT PRIMARY KEY, u TEXT NOT NULL DEFAULT (datetime('now')))");
  const right = aTable('CREATE TABLE config(k TEXT PRIMARY KEY, u TEXT)');
  expect(compareTables(left, right).differences).toEqual([
    { kind: 'notNull', subject: 'u', left: 'NOT NULL', right: undefined },
    { kind: 'default', subject: 'u', left: "(datetime('now'))", right: undefined },
  ]);
});

test('compareStatements says when there is nothing to compare', () => {
  expect(compareStatements('CREATE TABLE t (a)', 'CREATE INDEX i ON t (a)')).toEqual({
    ok: false,
    error: { code: 'other-kind', left: 'createTable', right: 'createIndex' },
  });
  expect(compareStatements('DROP TABLE t', 'DROP TABLE t')).toMatchObject({ error: { code: 'other-kind' } });
  expect(compareStatements('CREATE TABLE t (', 'CREATE TABLE t (a)')).toMatchObject({
    error: { code: 'ddl-syntax' },
  });
  expect(compareStatements('CREATE TABLE t (a)', 'CREATE TABLE t (')).toMatchObject({
    error: { code: 'ddl-syntax' },
  });
});

test('comparableTable can leave out what is drift', () => {
  const text = (sql: string): string =>
    comparableTable(aTable(sql), ({ kind }) => kind !== 'check' && kind !== 'foreignKey');
  expect(text('CREATE TABLE t (a CHECK (a) REFERENCES p)')).toBe(text('CREATE TABLE T (a)'));
  expect(text('CREATE TABLE t (a UNIQUE)')).not.toBe(text('CREATE TABLE t (a)'));
});
