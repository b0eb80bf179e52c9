import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';

import { canonicalType } from '#main/sql/canonical-type.ts';
import { columnAffinity } from '#main/sql/column-affinity.ts';
import { logicalType } from '#main/sql/logical-type.ts';
import { strictType } from '#main/sql/strict-type.ts';
import { aTable } from './support.ts';

const types: readonly (readonly [type: string, affinity: string, canonical: string])[] = [
  ['', 'blob', ''],
  ['INT', 'integer', 'INT'],
  ['int', 'integer', 'INT'],
  ['INTEGER', 'integer', 'INTEGER'],
  ['UNSIGNED   BIG  INT', 'integer', 'UNSIGNED BIG INT'],
  ['FLOATING POINT', 'integer', 'FLOATING POINT'],
  ['CHARINT', 'integer', 'CHARINT'],
  ['VARCHAR( 20 )', 'text', 'VARCHAR(20)'],
  ['nchar(55)', 'text', 'NCHAR(55)'],
  ['clob', 'text', 'CLOB'],
  ['TEXT', 'text', 'TEXT'],
  ['BLOB', 'blob', 'BLOB'],
  ['REAL', 'real', 'REAL'],
  ['double  precision', 'real', 'DOUBLE PRECISION'],
  ['FLOAT', 'real', 'FLOAT'],
  ['NUMERIC', 'numeric', 'NUMERIC'],
  ['DECIMAL(10,5)', 'numeric', 'DECIMAL(10, 5)'],
  ['DECIMAL ( - 10 , + 5 )', 'numeric', 'DECIMAL(-10, +5)'],
  ['BOOLEAN', 'numeric', 'BOOLEAN'],
  ['STRING', 'numeric', 'STRING'],
  ['ANY', 'numeric', 'ANY'],
  ['"long text"', 'text', 'LONG TEXT'],
  ["'s' (3)", 'numeric', 'S'],
  ['[odd-type]', 'numeric', '"ODD-TYPE"'],
  ['"select"', 'numeric', '"SELECT"'],
  ['"varchar(20)"', 'text', 'VARCHAR(20)'],
  ['x [y z]', 'numeric', 'X "Y Z"'],
  ['ıntéger', 'numeric', 'ıNTéGER'],
  ['LONG /* odd */ TEXT', 'text', 'LONG TEXT'],
];

test.for(types)('columnAffinity: %s is %s', ([type, affinity]) => {
  expect(columnAffinity(type)).toBe(affinity);
});

test.for(types)('canonicalType keeps the affinity, and its own text: %s', ([type, affinity, canonical]) => {
  expect(canonicalType(type)).toBe(canonical);
  expect(canonicalType(canonical)).toBe(canonical);
  expect(columnAffinity(canonical)).toBe(affinity);
});

// CREATE TABLE AS names each affinity in its own way.
const AFFINITY_NAMES = { integer: 'INT', text: 'TEXT', blob: '', real: 'REAL', numeric: 'NUM' } as const;

test.for(types)('SQLite gives %s the affinity %s', ([type, affinity]) => {
  const scratch = new Database(':memory:');
  onTestFinished(() => {
    scratch.close();
  });
  scratch.exec(`create table t (a ${type}); create table copy as select a from t`);
  const copy = scratch.prepare("select type from pragma_table_info('copy')").get();
  expect(copy).toEqual({ type: AFFINITY_NAMES[affinity as keyof typeof AFFINITY_NAMES] });
});

const logical: readonly (readonly [sql: string, type: string])[] = [
  ['create table t (a varchar(20))', 'text'],
  ['create table t (a)', 'blob'],
  ['create table t (a INTEGER)', 'integer'],
  ['create table t (a int) strict', 'integer'],
  ['create table t (a INTEGER) strict', 'integer'],
  ['create table t (a Any) strict', 'any'],
  ['create table t (a TEXT) strict', 'text'],
  ['create table t (a) strict', 'any'],
  ['create table t (a varchar(20)) strict', 'text'],
];

test.for(logical)('logicalType of a in %s is %s', ([sql, type]) => {
  const table = aTable(sql);
  expect(table.columns.map((column) => logicalType(column, table))).toEqual([type]);
});

const strict: readonly (readonly [type: string, inStrict: string])[] = [
  ['', 'ANY'],
  ['any', 'any'],
  ['int', 'int'],
  ['INTEGER', 'INTEGER'],
  ['"text"', '"text"'],
  ['BIGINT', 'INT'],
  ['VARCHAR(10)', 'TEXT'],
  ['DOUBLE PRECISION', 'REAL'],
  ['LONGBLOB', 'BLOB'],
  ['DECIMAL(10, 2)', 'ANY'],
  ['BOOLEAN', 'ANY'],
];

test.for(strict)(
  'strictType: a column of type %s has %s in a STRICT table, which SQLite takes',
  ([type, wanted]) => {
    const scratch = new Database(':memory:');
    onTestFinished(() => {
      scratch.close();
    });
    expect(strictType(type)).toBe(wanted);
    expect(strictType(wanted)).toBe(wanted);
    scratch.exec(`create table t (a ${wanted}) strict`);
  },
);

test('a key that is no rowid by its type is none in a STRICT table either', () => {
  const scratch = new Database(':memory:');
  onTestFinished(() => {
    scratch.close();
  });
  scratch.exec(`create table t (a ${strictType('BIGINT')} primary key) strict`);
  scratch.exec('insert into t (rowid, a) values (5, 9)');
  expect(scratch.prepare('select rowid, a from t').get()).toEqual({ rowid: 5, a: 9 });
});
