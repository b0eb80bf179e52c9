import { expect, test } from 'vitest';

import { canMakeKeysEqual } from '#main/engine/migration/can-make-keys-equal.ts';
import { isRowValidating, type ValidationFacts } from '#main/engine/migration/is-row-validating.ts';
import { MigrationType } from '#shared/model/vocabulary.ts';
import { statementOf } from '../support/shape-world.ts';

const plain: ValidationFacts = {
  type: 'alter_column',
  alteration: null,
  isUnique: false,
  isStrict: false,
  canMakeKeysEqual: false,
};

test.for<readonly [string, Partial<ValidationFacts>, boolean]>([
  ['a constraint checks rows', { type: 'add_constraint' }, true],
  ['a key that can make rows equal checks them', { type: 'alter_primary_key', canMakeKeysEqual: true }, true],
  ['a key that holds the old one checks nothing', { type: 'alter_primary_key' }, false],
  ['a unique index checks rows', { type: 'create_index', isUnique: true }, true],
  ['a plain index checks nothing', { type: 'create_index' }, false],
  ['set not null checks rows', { alteration: 'setNotNull' }, true],
  ['drop not null checks nothing', { alteration: 'dropNotNull' }, false],
  ['a default checks nothing', { alteration: 'setDefault', isStrict: true }, false],
  ['a dropped default checks nothing', { alteration: 'dropDefault', isStrict: true }, false],
  ['a data type checks the rows of a STRICT table', { alteration: 'setDataType', isStrict: true }, true],
  ['a data type checks no others', { alteration: 'setDataType' }, false],
  [
    'a collation that can make keys equal checks rows',
    { alteration: 'setCollation', canMakeKeysEqual: true },
    true,
  ],
  ['another collation checks nothing', { alteration: 'setCollation', isStrict: true }, false],
])('A16 %s', ([, parts, expected]) => {
  expect(isRowValidating({ ...plain, ...parts })).toBe(expected);
});

test('A16 nothing else checks rows', () => {
  const checking = ['add_constraint', 'alter_primary_key', 'create_index', 'alter_column'];
  for (const type of MigrationType.options.filter((one) => !checking.includes(one))) {
    const facts = { ...plain, type, isUnique: true, isStrict: true, canMakeKeysEqual: true } as const;
    expect(isRowValidating(facts)).toBe(false);
  }
});

const T = `create table t (k integer primary key, a text collate nocase not null, b text, c text unique, d text,
  unique (b collate rtrim))`;

test.for<readonly [string, string, boolean]>([
  ['a collation of a column with a UNIQUE', 'alter column c set collate nocase', true],
  ['a collation that tells all values apart', 'alter column c set collate Binary', false],
  ['a collation of the key', 'alter column k set collate nocase', true],
  ['a collation of a column in no key', 'alter column a set collate rtrim', false],
  ['a collation where the key has one of its own', 'alter column b set collate nocase', false],
  ['a collation of a column in a unique index', 'alter column d set collate nocase', true],
  ['a key beside the old one', 'alter primary key (a)', true],
  ['a key that holds the old one and what has a value', 'alter primary key (a, k desc)', false],
  ['a key that holds the old one and what may be NULL', 'alter primary key (k, b)', true],
  ['a key that compares otherwise', 'alter primary key (k collate nocase)', true],
  ['a default', 'alter column c set default 1', false],
])('A16 what can make keys equal: %s', ([, text, expected]) => {
  const [table, altering, index] = [
    statementOf(T),
    statementOf(`alter table t ${text}`),
    statementOf('create unique index i on t (d)'),
  ];
  if (table.kind !== 'createTable' || altering.kind !== 'alterTable' || index.kind !== 'createIndex')
    throw new Error('Other statements were written.');
  expect(canMakeKeysEqual(table.table, altering.action, [index.index])).toBe(expected);
});

test('A16 a first key, and an index over an expression, can make keys equal', () => {
  const table = statementOf('create table t (a text, b text)');
  const index = statementOf('create unique index i on t (lower(a))');
  if (table.kind !== 'createTable' || index.kind !== 'createIndex') throw new Error('Other statements.');
  const columns = [{ column: 'a', descending: false }];
  expect(canMakeKeysEqual(table.table, { kind: 'alterPrimaryKey', columns })).toBe(true);
  const collate = { kind: 'setCollation', column: 'a', collation: 'nocase' } as const;
  expect(canMakeKeysEqual(table.table, collate, [index.index])).toBe(true);
  expect(canMakeKeysEqual(table.table, collate)).toBe(false);
});
