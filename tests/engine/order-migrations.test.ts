import { expect, test } from 'vitest';

import { isRowValidating } from '#main/engine/migration/is-row-validating.ts';
import type { ValidationFacts } from '#main/engine/migration/is-row-validating.ts';
import { orderMigrations } from '#main/engine/migration/order-migrations.ts';
import type { Migration } from '#shared/model/change-group.ts';
import type { MigrationType } from '#shared/model/vocabulary.ts';
import { migrationId, siteId } from '../support/ids.ts';
import { aMigration } from '../support/wire-builders.ts';

const at = (time: number, type: MigrationType, parts: Partial<Migration> = {}): Migration =>
  aMigration({ id: migrationId(time), type, stamp: { hlc: BigInt(time), site: siteId(1) }, ...parts });

const facts = {
  // In these tests a constraint and a set not null check rows, and nothing else does.
  validatesRows: ({ type }: Migration) => type === 'add_constraint' || type === 'alter_column',
  objectOf: ({ object }: Migration) => object,
};

const order = (migrations: readonly Migration[]) => {
  const { beforeRows, afterRows } = orderMigrations(migrations, facts);
  const ids = (list: readonly Migration[]) => list.map(({ stamp }) => Number(stamp.hlc));
  return [ids(beforeRows), ids(afterRows)];
};

test('G14 migrations go in the order of their stamps, however they came', () => {
  expect(order([at(3, 'create_index'), at(1, 'create_table'), at(2, 'add_column')])).toEqual([[1, 2, 3], []]);
});

test('A12 of one stamp they go as they came', () => {
  const stamp = { hlc: 1n, site: siteId(1) };
  const written = [
    at(5, 'create_table', { stamp }),
    at(4, 'add_column', { stamp }),
    at(6, 'create_index', { stamp }),
  ];
  expect(orderMigrations(written, facts).beforeRows.map(({ id }) => id)).toEqual(written.map(({ id }) => id));
});

test('A18 what checks rows waits for the rows of its unit', () => {
  expect(order([at(1, 'add_column'), at(2, 'alter_column')])).toEqual([[1], [2]]);
});

test('A20 what something later of the object does not wait for, does not wait', () => {
  expect(order([at(1, 'add_constraint'), at(2, 'drop_constraint')])).toEqual([[1, 2], []]);
  expect(order([at(1, 'add_constraint'), at(2, 'add_column'), at(3, 'add_constraint')])).toEqual([
    [1, 2],
    [3],
  ]);
});

test('A21 a tightening before a drop of its table goes first, too', () => {
  expect(order([at(1, 'alter_column'), at(2, 'drop_table')])).toEqual([[1, 2], []]);
});

test('the order is kept per object: another table does not keep it from waiting', () => {
  expect(order([at(1, 'alter_column'), at(2, 'add_column', { object: 'shops' })])).toEqual([[2], [1]]);
});

const plain: ValidationFacts = {
  type: 'alter_column',
  alteration: null,
  isUnique: false,
  isStrict: false,
  isKeyColumn: false,
};

test.for<readonly [string, Partial<ValidationFacts>, boolean]>([
  ['a constraint checks rows', { type: 'add_constraint' }, true],
  ['a primary key checks rows', { type: 'alter_primary_key' }, true],
  ['a unique index checks rows', { type: 'create_index', isUnique: true }, true],
  ['a plain index checks nothing', { type: 'create_index' }, false],
  ['set not null checks rows', { alteration: 'setNotNull' }, true],
  ['drop not null checks nothing', { alteration: 'dropNotNull' }, false],
  ['a default checks nothing', { alteration: 'setDefault', isStrict: true }, false],
  ['a data type checks the rows of a STRICT table', { alteration: 'setDataType', isStrict: true }, true],
  ['a data type checks no others', { alteration: 'setDataType' }, false],
  ['a collation can make keys equal', { alteration: 'setCollation', isKeyColumn: true }, true],
  ['a collation of no key checks nothing', { alteration: 'setCollation' }, false],
  ['a resolution checks nothing', { type: 'redefine_table' }, false],
])('A16 %s', ([, parts, expected]) => {
  expect(isRowValidating({ ...plain, ...parts })).toBe(expected);
});
