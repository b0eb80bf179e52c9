import { expect, test } from 'vitest';

import type { AlterAction, DdlStatement } from '#main/sql/ast.ts';
import { aStatement, aTable, aTrigger } from './support.ts';

const plain = { type: '', uniques: [], checks: [], references: [] };

test('parseDdl reads all that a column can say', () => {
  const [column, generated] = aTable(`CREATE TABLE t (
    "a ""b" VARCHAR( 20 ) CONSTRAINT k PRIMARY KEY DESC ON CONFLICT FAIL CONSTRAINT nn NOT NULL ON CONFLICT IGNORE
      CONSTRAINT u UNIQUE ON CONFLICT REPLACE UNIQUE CONSTRAINT c CHECK ( (a) > 0 ) CHECK (1) DEFAULT ( 1 + 2 )
      COLLATE "no case" CONSTRAINT f REFERENCES [p q] (x, y) ON DELETE SET NULL ON UPDATE CASCADE MATCH full
      NOT DEFERRABLE INITIALLY DEFERRED REFERENCES r,
    g INT GENERATED ALWAYS AS (a || 1) STORED
  )`).columns;
  expect(column).toEqual({
    name: 'a "b',
    type: 'VARCHAR( 20 )',
    primaryKey: { name: 'k', descending: true, autoincrement: false, conflict: 'fail' },
    notNull: { name: 'nn', conflict: 'ignore' },
    uniques: [{ name: 'u', conflict: 'replace' }, {}],
    checks: [{ name: 'c', expression: '(a) > 0' }, { expression: '1' }],
    defaultText: '( 1 + 2 )',
    collation: 'no case',
    references: [
      {
        name: 'f',
        table: 'p q',
        columns: ['x', 'y'],
        onDelete: 'setNull',
        onUpdate: 'cascade',
        match: 'full',
        deferral: { deferrable: false, initially: 'deferred' },
      },
      { table: 'r', columns: [] },
    ],
  });
  expect(generated).toEqual({
    ...plain,
    name: 'g',
    type: 'INT',
    generated: { expression: 'a || 1', stored: true },
  });
});

test('parseDdl reads all that a table can say', () => {
  const sql = `CREATE TABLE t (a, b, CONSTRAINT k PRIMARY KEY (a COLLATE nocase DESC, b AUTOINCREMENT) ON CONFLICT ABORT,
    CONSTRAINT u UNIQUE (b ASC), CHECK (a < b), CONSTRAINT f FOREIGN KEY (a, b) REFERENCES p DEFERRABLE) WITHOUT ROWID, STRICT`;
  expect(aTable(sql)).toEqual({
    name: 't',
    columns: [
      { ...plain, name: 'a' },
      { ...plain, name: 'b' },
    ],
    constraints: [
      {
        kind: 'primaryKey',
        name: 'k',
        columns: [
          { column: 'a', collation: 'nocase', descending: true },
          { column: 'b', descending: false },
        ],
        autoincrement: true,
        conflict: 'abort',
      },
      { kind: 'unique', name: 'u', columns: [{ column: 'b', descending: false }] },
      { kind: 'check', expression: 'a < b' },
      {
        kind: 'foreignKey',
        name: 'f',
        columns: ['a', 'b'],
        target: { table: 'p', columns: [], deferral: { deferrable: true } },
      },
    ],
    strict: true,
    withoutRowid: true,
  });
});

test('parseDdl reads a trigger', () => {
  const sql = `CREATE TRIGGER g INSTEAD OF UPDATE OF a, "b c" ON main.v FOR EACH ROW WHEN new.begin > 0
    BEGIN SELECT CASE 1 WHEN 1 THEN 2 END; DELETE FROM t WHERE a = ';'; END`;
  expect(aTrigger(sql)).toEqual({
    name: 'g',
    table: 'v',
    time: 'insteadOf',
    event: 'update',
    columns: ['a', 'b c'],
    when: 'new.begin > 0',
    body: ['SELECT CASE 1 WHEN 1 THEN 2 END', "DELETE FROM t WHERE a = ';'"],
  });
});

const statements: readonly (readonly [sql: string, statement: DdlStatement])[] = [
  [
    'CREATE TEMP TABLE IF NOT EXISTS x.t AS SELECT 1',
    { kind: 'createTableAs', schema: 'x', temporary: true, ifNotExists: true, name: 't', select: 'SELECT 1' },
  ],
  [
    'CREATE UNIQUE INDEX i ON t (a COLLATE rtrim DESC, lower(b), (c)) WHERE a IS NOT NULL',
    {
      kind: 'createIndex',
      ifNotExists: false,
      index: {
        name: 'i',
        table: 't',
        unique: true,
        parts: [
          { kind: 'column', column: 'a', collation: 'rtrim', descending: true },
          { kind: 'expression', expression: 'lower(b)', descending: false },
          { kind: 'column', column: 'c', descending: false },
        ],
        where: 'a IS NOT NULL',
      },
    },
  ],
  [
    'CREATE VIEW v (x, y) AS SELECT 1, 2 ;',
    {
      kind: 'createView',
      temporary: false,
      ifNotExists: false,
      view: { name: 'v', columns: ['x', 'y'], select: 'SELECT 1, 2' },
    },
  ],
  [
    'CREATE VIRTUAL TABLE f USING fts5(a, tokenize = "porter")',
    {
      kind: 'createVirtualTable',
      ifNotExists: false,
      table: { name: 'f', module: 'fts5', arguments: ['a', 'tokenize = "porter"'] },
    },
  ],
  [
    'CREATE VIRTUAL TABLE f USING m',
    { kind: 'createVirtualTable', ifNotExists: false, table: { name: 'f', module: 'm', arguments: [] } },
  ],
  [
    'CREATE VIRTUAL TABLE f USING m()',
    { kind: 'createVirtualTable', ifNotExists: false, table: { name: 'f', module: 'm', arguments: [] } },
  ],
  ['DROP VIEW IF EXISTS main."v"', { kind: 'dropView', schema: 'main', ifExists: true, name: 'v' }],
];

test.for(statements)('parseDdl reads %s', ([sql, statement]) => {
  expect(aStatement(sql)).toEqual(statement);
});

const actions: readonly (readonly [sql: string, action: AlterAction])[] = [
  [
    'ADD x TEXT DEFAULT 1',
    { kind: 'addColumn', column: { ...plain, name: 'x', type: 'TEXT', defaultText: '1' } },
  ],
  ['DROP COLUMN x', { kind: 'dropColumn', column: 'x' }],
  ['RENAME x TO y', { kind: 'renameColumn', column: 'x', newName: 'y' }],
  ['RENAME COLUMN TO y', { kind: 'renameColumn', column: 'COLUMN', newName: 'y' }],
  ['RENAME TO y', { kind: 'renameTable', newName: 'y' }],
  ['ALTER COLUMN x SET DATA TYPE VARCHAR(2)', { kind: 'setDataType', column: 'x', type: 'VARCHAR(2)' }],
  ['ALTER x TYPE INT', { kind: 'setDataType', column: 'x', type: 'INT' }],
  ['ALTER x SET NOT NULL ON CONFLICT FAIL', { kind: 'setNotNull', column: 'x', conflict: 'fail' }],
  ['ALTER x DROP NOT NULL', { kind: 'dropNotNull', column: 'x' }],
  ["ALTER x SET DEFAULT 'a'", { kind: 'setDefault', column: 'x', defaultText: "'a'" }],
  ['ALTER x SET DEFAULT - 1', { kind: 'setDefault', column: 'x', defaultText: '- 1' }],
  ['ALTER x SET DEFAULT (1)', { kind: 'setDefault', column: 'x', defaultText: '(1)' }],
  ['ALTER x SET DEFAULT (1) + (2)', { kind: 'setDefault', column: 'x', defaultText: '((1) + (2))' }],
  ['ALTER x DROP DEFAULT', { kind: 'dropDefault', column: 'x' }],
  ['ALTER x SET COLLATE nocase', { kind: 'setCollation', column: 'x', collation: 'nocase' }],
  [
    'ADD CONSTRAINT n CHECK (a)',
    { kind: 'addConstraint', constraint: { kind: 'check', name: 'n', expression: 'a' } },
  ],
  ['DROP CONSTRAINT n', { kind: 'dropConstraint', name: 'n' }],
  ['RENAME CONSTRAINT n TO m', { kind: 'renameConstraint', name: 'n', newName: 'm' }],
  [
    'ALTER PRIMARY KEY (a, b DESC)',
    {
      kind: 'alterPrimaryKey',
      columns: [
        { column: 'a', descending: false },
        { column: 'b', descending: true },
      ],
    },
  ],
];

test.for(actions)('parseDdl reads ALTER TABLE t %s', ([sql, action]) => {
  expect(aStatement(`ALTER TABLE t ${sql}`)).toEqual({ kind: 'alterTable', table: 't', action });
});
