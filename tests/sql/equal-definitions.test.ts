import { expect, test } from 'vitest';

import type { ComparisonRule } from '#main/sql/comparison.ts';
import { compareStatements } from '#main/sql/compare-statements.ts';

interface EqualCase {
  readonly title: string;
  readonly left: string;
  readonly right: string;
  readonly rules: readonly ComparisonRule[];
}

const t = (body: string): string => `CREATE TABLE t ${body}`;

const equal: readonly EqualCase[] = [
  {
    title: 'G03: white space, keyword case, a semicolon',
    left: 'CREATE TABLE t (a INT)',
    right: 'create\n  table t\t( a int ) ;',
    rules: ['whiteSpace', 'keywordCase', 'typeSpelling'],
  },
  {
    title: 'G03: comments',
    left: 'CREATE TABLE t (a INT)',
    right: 'CREATE TABLE t (a INT /* c */) -- d',
    rules: ['whiteSpace', 'comments'],
  },
  { title: 'G03: quotes', left: t('(a, b)'), right: 'CREATE TABLE [t] ("a", `b`)', rules: ['quoting'] },
  {
    title: 'the case of names',
    left: t('(Album)'),
    right: 'CREATE TABLE T (ALBUM)',
    rules: ['identifierCase'],
  },
  {
    title: 'the order of columns',
    left: t('(a, b TEXT)'),
    right: t('(b TEXT, a)'),
    rules: ['columnOrder'],
  },
  {
    title: 'IF NOT EXISTS and the schema',
    left: t('(a)'),
    right: 'CREATE TABLE IF NOT EXISTS main.t (a)',
    rules: ['whiteSpace'],
  },
  {
    title: 'a key on the column and on the table',
    left: t('(a INT PRIMARY KEY)'),
    right: t('(a INT, PRIMARY KEY (a))'),
    rules: ['placement', 'whiteSpace'],
  },
  {
    title: 'the rowid on the column and on the table',
    left: t('(a INTEGER PRIMARY KEY)'),
    right: t('(a INTEGER, PRIMARY KEY (a DESC))'),
    rules: ['placement', 'whiteSpace'],
  },
  {
    title: 'UNIQUE on the column and on the table',
    left: t('(a UNIQUE NOT NULL)'),
    right: t('(a NOT NULL, UNIQUE (a))'),
    rules: ['placement', 'whiteSpace'],
  },
  {
    title: 'CHECK on the column and on the table',
    left: t('(a CHECK (a > 0))'),
    right: t('(a, CHECK (a > 0))'),
    rules: ['placement'],
  },
  {
    title: 'REFERENCES on the column and on the table',
    left: t('(a REFERENCES p (x))'),
    right: t('(a, FOREIGN KEY (a) REFERENCES p (x))'),
    rules: ['placement', 'whiteSpace'],
  },
  {
    title: 'the order of constraints',
    left: t('(a, b, UNIQUE (a), CHECK (a), UNIQUE (b))'),
    right: t('(a, b, UNIQUE (b), UNIQUE (a), CHECK (a))'),
    rules: ['constraintOrder'],
  },
  {
    title: 'the order of columns in UNIQUE',
    left: t('(a, b, UNIQUE (a, b))'),
    right: t('(a, b, UNIQUE (b, a DESC))'),
    rules: ['keyColumnOrder', 'whiteSpace'],
  },
  {
    title: 'a constraint with a name and one without',
    left: t('(a, CONSTRAINT c CHECK (a))'),
    right: t('(a, CHECK (a))'),
    rules: ['constraintName', 'whiteSpace'],
  },
  {
    title: 'a constraint written twice',
    left: t('(a UNIQUE)'),
    right: t('(a UNIQUE, UNIQUE (a))'),
    rules: ['redundantConstraint', 'whiteSpace'],
  },
  {
    title: 'UNIQUE of the primary key',
    left: t('(a INT PRIMARY KEY)'),
    right: t('(a INT PRIMARY KEY UNIQUE)'),
    rules: ['redundantConstraint', 'whiteSpace'],
  },
  {
    title: 'operators that are synonyms',
    left: t('(a CHECK (a <> 1 AND a = 2))'),
    right: t('(a CHECK (a != 1 AND a == 2))'),
    rules: ['operatorSynonym'],
  },
  {
    title: 'parentheses',
    left: t('(a CHECK (a > 1 AND b))'),
    right: t('(a CHECK (((a) > 1) AND (b)))'),
    rules: ['parentheses'],
  },
  {
    title: 'spellings of a text default',
    left: t("(a DEFAULT 'x', b DEFAULT 'x')"),
    right: t('(a DEFAULT "x", b DEFAULT x)'),
    rules: ['defaultSpelling'],
  },
  {
    title: 'spellings of a number default',
    left: t('(a DEFAULT 7, b DEFAULT -9, c DEFAULT 16, d DEFAULT 1000)'),
    right: t('(a DEFAULT +7, b DEFAULT (- 9), c DEFAULT 0x10, d DEFAULT ((1_000)))'),
    rules: ['defaultSpelling', 'whiteSpace'],
  },
  {
    title: 'TRUE and 1',
    left: t('(a DEFAULT TRUE, b DEFAULT 0)'),
    right: t('(a DEFAULT 1, b DEFAULT false)'),
    rules: ['defaultSpelling'],
  },
  {
    title: 'DEFAULT NULL and none',
    left: t('(a DEFAULT NULL)'),
    right: t('(a)'),
    rules: ['defaultSpelling', 'whiteSpace'],
  },
  {
    title: 'spellings of an expression default',
    left: t("(a DEFAULT (datetime('now')))"),
    right: t("(a DEFAULT ( DateTime( 'now' ) ))"),
    rules: ['defaultSpelling', 'whiteSpace'],
  },
  {
    title: 'spellings of a type',
    left: t('(a VARCHAR(20))'),
    right: t('(a varchar( 20 ))'),
    rules: ['typeSpelling', 'whiteSpace'],
  },
  {
    title: 'a type in quotes',
    left: t('(a LONG TEXT)'),
    right: t('(a "long text")'),
    rules: ['typeSpelling', 'whiteSpace'],
  },
  {
    title: 'GENERATED ALWAYS and AS',
    left: t('(a, b INT AS (a+1))'),
    right: t('(a, b INT GENERATED ALWAYS AS (a + 1) VIRTUAL)'),
    rules: ['whiteSpace'],
  },
  {
    title: 'NOT NULL of a rowid',
    left: t('(a INTEGER PRIMARY KEY)'),
    right: t('(a INTEGER PRIMARY KEY NOT NULL)'),
    rules: ['impliedNotNull', 'whiteSpace'],
  },
  {
    title: 'NOT NULL of a key WITHOUT ROWID',
    left: t('(a TEXT PRIMARY KEY) WITHOUT ROWID'),
    right: t('(a TEXT NOT NULL PRIMARY KEY) WITHOUT ROWID'),
    rules: ['impliedNotNull', 'whiteSpace'],
  },
  {
    title: 'NOT NULL of a STRICT key',
    left: t('(a TEXT, b INT, PRIMARY KEY (a, b)) STRICT'),
    right: t('(a TEXT NOT NULL, b INT NOT NULL, PRIMARY KEY (a, b)) STRICT'),
    rules: ['impliedNotNull', 'whiteSpace'],
  },
  {
    title: 'COLLATE BINARY',
    left: t('(a TEXT)'),
    right: t('(a TEXT COLLATE binary)'),
    rules: ['impliedCollation', 'whiteSpace'],
  },
  {
    title: 'a collation of the key that the column has',
    left: t('(a TEXT COLLATE nocase, UNIQUE (a))'),
    right: t('(a TEXT COLLATE NOCASE, UNIQUE (a COLLATE nocase))'),
    rules: ['whiteSpace', 'identifierCase'],
  },
  {
    title: 'what SQLite reads and forgets',
    left: t('(a REFERENCES p, b UNIQUE)'),
    right: t('(a REFERENCES p ON DELETE NO ACTION MATCH FULL NOT DEFERRABLE, b UNIQUE ON CONFLICT ABORT)'),
    rules: ['noEffect', 'whiteSpace'],
  },
  {
    title: 'the parent key by name and without',
    left: t('(a REFERENCES p)'),
    right: t('(a REFERENCES p (id))'),
    rules: ['impliedParentKey', 'whiteSpace'],
  },
  {
    title: 'the order of the pairs of a foreign key',
    left: t('(a, b, FOREIGN KEY (a, b) REFERENCES p (x, y))'),
    right: t('(a, b, FOREIGN KEY (b, a) REFERENCES p (y, x))'),
    rules: ['keyColumnOrder'],
  },
  {
    title: 'options in another order',
    left: t('(a INT PRIMARY KEY) STRICT, WITHOUT ROWID'),
    right: t('(a INT PRIMARY KEY) without rowid, strict'),
    rules: ['keywordCase'],
  },
  {
    title: 'C054: an index in other spelling',
    left: 'CREATE INDEX idx_same ON p(id,n)',
    right: 'CREATE INDEX "idx_same" on p ( id , n );',
    rules: ['whiteSpace', 'keywordCase', 'quoting'],
  },
  {
    title: 'an index with ASC and BINARY',
    left: 'CREATE INDEX i ON p (a)',
    right: 'CREATE INDEX i ON p (a COLLATE BINARY ASC)',
    rules: ['whiteSpace', 'impliedCollation'],
  },
  {
    title: 'an index on expressions',
    left: 'CREATE INDEX i ON p (lower(a)) WHERE b IS NOT NULL',
    right: 'CREATE INDEX i ON p ((LOWER("A"))) WHERE (b NOTNULL)',
    rules: ['quoting', 'parentheses', 'operatorSynonym', 'identifierCase'],
  },
  {
    title: 'a view',
    left: 'CREATE VIEW v AS SELECT a FROM t WHERE (b) = 1',
    right: 'create view V as select "a" from t where b == 1',
    rules: ['keywordCase', 'quoting', 'parentheses', 'operatorSynonym', 'identifierCase'],
  },
  {
    title: 'a trigger',
    left: 'CREATE TRIGGER g BEFORE UPDATE OF a, b ON t BEGIN SELECT 1; END',
    right: 'create trigger g update of B, a on t for each row begin select 1 ; end;',
    rules: ['whiteSpace', 'keywordCase', 'identifierCase'],
  },
  {
    title: 'words that say what is so anyhow',
    left: 'CREATE INDEX i ON p (a)',
    right: 'CREATE INDEX i ON p (a ASC)',
    rules: ['noEffect'],
  },
  {
    title: 'a trigger without BEFORE',
    left: 'CREATE TRIGGER g BEFORE INSERT ON t BEGIN SELECT 1; END',
    right: 'CREATE TRIGGER g INSERT ON t FOR EACH ROW BEGIN SELECT 1; END',
    rules: ['noEffect'],
  },
  {
    title: 'a view with comments, quotes and another case',
    left: 'CREATE VIEW v (x) AS SELECT a FROM t',
    right: 'CREATE VIEW "v" (X) AS SELECT [A] /* of */ FROM T -- all',
    rules: ['whiteSpace', 'comments', 'quoting', 'identifierCase'],
  },
  {
    title: 'a trigger with comments, quotes and another case',
    left: "CREATE TRIGGER g AFTER INSERT ON t WHEN new.a <> 'x' BEGIN UPDATE t SET a = 'X' WHERE b ISNULL; END",
    right:
      "create trigger `g` after insert on T when (NEW.\"a\" != 'x') begin -- now\n update [t] set A = 'X' where (b) is null; end",
    rules: [
      'whiteSpace',
      'comments',
      'keywordCase',
      'quoting',
      'identifierCase',
      'operatorSynonym',
      'parentheses',
    ],
  },
];

test.for(equal)('equal in spite of $title', ({ left, right, rules }) => {
  for (const [one, other] of [
    [left, right],
    [right, left],
  ] as const) {
    const compared = compareStatements(one, other);
    expect(compared).toMatchObject({ ok: true, value: { equal: true, differences: [] } });
    const found = compared.ok ? compared.value.rules.map(({ rule }) => rule) : [];
    expect(found).toEqual(expect.arrayContaining([...rules]));
  }
});
