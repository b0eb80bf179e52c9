import { expect, test } from 'vitest';

import { orderMigrations } from '#main/engine/migration/order-migrations.ts';
import type { Migration } from '#shared/model/change-group.ts';
import type { MigrationType } from '#shared/model/vocabulary.ts';
import { columnId, migrationId, siteId, tableId } from '../support/ids.ts';
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
  expect(order([at(1, 'add_constraint'), at(2, 'add_column'), at(3, 'add_constraint')])).toEqual([
    [1, 2],
    [3],
  ]);
});

const note = { columns: [{ id: columnId(2), name: 'note' }] };
const named = { columns: [], element: 'n' };
const knowing = { knew: { [siteId(1)]: 9n } };

const overtaken: readonly (readonly [
  string,
  readonly Migration[],
  readonly [readonly number[], readonly number[]],
])[] = [
  [
    'A21 a tightening and the drop of its table',
    [
      at(1, 'alter_column', { ...note, ddl: 'alter table orders alter column note set not null' }),
      at(2, 'drop_table', { ddl: 'drop table orders' }),
    ],
    [[2, 1], []],
  ],
  [
    'A21 a constraint and the drop of its table, with something between them',
    [
      at(1, 'add_constraint', { ...named, ddl: 'alter table orders add constraint n unique (note)' }),
      at(2, 'add_column', { columns: [{ id: columnId(3), name: 'x' }] }),
      at(3, 'drop_table', { ddl: 'drop table orders' }),
    ],
    [[2, 3, 1], []],
  ],
  [
    'A20 a constraint that is added and dropped',
    [
      at(1, 'add_constraint', { ...named, ddl: 'alter table orders add constraint n unique (note)' }),
      at(2, 'drop_constraint', { ...named, element: 'N', ddl: 'alter table orders drop constraint N' }),
    ],
    [[2, 1], []],
  ],
  [
    'A20 a constraint that is added, renamed and dropped',
    [
      at(1, 'add_constraint', { ...named, ddl: 'alter table orders add constraint n unique (note)' }),
      at(2, 'rename_constraint', {
        ...named,
        element: 'm',
        ddl: 'alter table orders rename constraint n to m',
      }),
      at(3, 'drop_constraint', { ...named, element: 'm', ddl: 'alter table orders drop constraint m' }),
    ],
    [[2, 3, 1], []],
  ],
  [
    'A20 a drop of another constraint takes nothing back',
    [
      at(1, 'add_constraint', { ...named, ddl: 'alter table orders add constraint n unique (note)' }),
      at(2, 'drop_constraint', { ...named, element: 'm', ddl: 'alter table orders drop constraint m' }),
    ],
    [[1, 2], []],
  ],
  [
    'A20 a drop that did not know of it takes nothing back',
    [
      at(1, 'add_constraint', { ...named, ddl: 'alter table orders add constraint n unique (note)' }),
      at(2, 'drop_constraint', {
        ...named,
        stamp: { hlc: 2n, site: siteId(2) },
        knew: {},
        ddl: 'alter table orders drop constraint n',
      }),
    ],
    [[1, 2], []],
  ],
  [
    'A22 a constraint and the drop of its column',
    [
      at(1, 'add_constraint', {
        ...named,
        ddl: 'alter table orders add constraint n unique (note)',
        mentions: [{ table: tableId(1), name: 'orders', ...note }],
      }),
      at(2, 'drop_column', note),
    ],
    [[2, 1], []],
  ],
  [
    'A17 a tightening and its release: of one register the later holds',
    [
      at(1, 'alter_column', { ...note, ddl: 'alter table orders alter column note set not null' }),
      at(2, 'alter_column', { ...note, ddl: 'alter table orders alter column note drop not null' }),
    ],
    [[], [2, 1]],
  ],
  [
    'A16 a tightening and another register: both have their effect',
    [
      at(1, 'alter_column', { ...note, ddl: 'alter table orders alter column note set not null' }),
      at(2, 'alter_column', { ...note, ddl: 'alter table orders alter column note set default 1' }),
    ],
    [[], [1, 2]],
  ],
];

test.for(overtaken)('what is taken back in its unit comes behind what does so: %s', ([, unit, expected]) => {
  expect(order(unit)).toEqual(expected);
});

test('A21 A22 a unique index comes behind the drop of itself, its column or its table', () => {
  const unique = at(1, 'create_index', {
    kind: 'index',
    object: 'i',
    columns: [],
    ddl: 'create unique index i on orders (note)',
    mentions: [{ table: tableId(1), name: 'orders', ...note }],
  });
  const drops = [
    at(2, 'drop_index', { kind: 'index', object: 'I', columns: [], ...knowing, ddl: 'drop index I' }),
    at(2, 'drop_column', note),
    at(2, 'drop_table'),
  ];
  for (const drop of drops) {
    const { beforeRows, afterRows } = orderMigrations([unique, drop], {
      validatesRows: ({ type }) => type === 'create_index',
      objectOf: ({ tableId: table, object }) => table ?? object,
    });
    expect([beforeRows, afterRows]).toEqual([[drop, unique], []]);
  }
});

test('the order is kept per object: another table does not keep it from waiting', () => {
  expect(order([at(1, 'alter_column'), at(2, 'add_column', { object: 'shops' })])).toEqual([[2], [1]]);
});
