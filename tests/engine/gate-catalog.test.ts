import { expect, test } from 'vitest';

import type {
  AddColumnFacts,
  CatalogFacts,
  ColumnStanding,
  RenameFacts,
  Standing,
} from '#main/engine/migration/catalog-facts.ts';
import type {
  CatalogVerdict,
  DefinitionConflict,
  WarningReason,
} from '#main/engine/migration/catalog-verdict.ts';
import { gateCatalog } from '#main/engine/migration/gate-catalog.ts';
import type { AdmissionPlace } from '#main/engine/migration/gate-catalog.ts';
import { migrationId } from '../support/ids.ts';

const here = { mayWait: false, laterTypeHolds: false } as const;
const beforeRows = { ...here, mayWait: true } as const;

const run: CatalogVerdict = { verdict: 'execute', step: { kind: 'run' } };
const replace: CatalogVerdict = { verdict: 'execute', step: { kind: 'replace' } };
const applied: CatalogVerdict = { verdict: 'alreadyApplied' };
const wait: CatalogVerdict = { verdict: 'waitForRows' };
const warning = (reason: WarningReason): CatalogVerdict => ({ verdict: 'convergeWithWarning', reason });
const conflict = (
  cause: DefinitionConflict['cause'],
  sides: readonly [left: string, right: string],
  column: string | null = null,
): CatalogVerdict => ({
  verdict: 'conflict',
  cause,
  object: 'orders',
  column,
  left: sides[0],
  right: sides[1],
});

const absent: Standing = { kind: 'absent' };
const equal: Standing = { kind: 'sameObject', isEqual: true, local: 'ours' };
const other: Standing = { kind: 'sameObject', isEqual: false, local: 'ours' };
const taken: Standing = { kind: 'otherObject', object: 'view' };

const table = { type: 'create_table', object: 'orders', remote: 'theirs' } as const;
const index = {
  type: 'create_index',
  object: 'orders',
  remote: 'theirs',
  missing: null,
  isUnique: false,
} as const;
const view = { type: 'create_view', object: 'orders', remote: 'theirs', isParked: false } as const;
const trigger = { ...view, type: 'create_trigger' } as const;
const rename: RenameFacts = {
  type: 'rename_table',
  object: 'orders',
  element: { kind: 'here', name: 'orders' },
  newName: 'sales',
  isRenamed: false,
  occupant: null,
  isByName: false,
};
const column: AddColumnFacts = {
  type: 'add_column',
  object: 'orders',
  column: 'bar',
  isTablePresent: true,
  standing: { kind: 'absent' },
};
const present: Extract<ColumnStanding, { kind: 'present' }> = {
  kind: 'present',
  hasSameLogicalType: true,
  localType: 'INTEGER',
  remoteType: 'TEXT',
  typedBy: migrationId(7),
  isLater: true,
  laterRegisters: [],
};
const otherType: ColumnStanding = { ...present, hasSameLogicalType: false };
const constraint = {
  type: 'add_constraint',
  object: 'orders',
  isTablePresent: true,
  isPresent: false,
} as const;
const alter = {
  type: 'alter_column',
  object: 'orders',
  missing: null,
  isEqual: false,
  validatesRows: false,
} as const;
const key = {
  type: 'alter_primary_key',
  object: 'orders',
  isTablePresent: true,
  isEqual: false,
  validatesRows: true,
} as const;
const redefine = { ...key, type: 'redefine_table', validatesRows: false } as const;
const lastWriter = { ...here, laterTypeHolds: true } as const;

const cases: readonly (readonly [string, CatalogFacts, CatalogVerdict, AdmissionPlace?])[] = [
  ['create table: absent', { ...table, standing: absent }, run],
  ['G02 create table: there, equal', { ...table, standing: equal }, applied],
  [
    'G04 D01 create table: there, different',
    { ...table, standing: other },
    conflict('divergentDefinition', ['ours', 'theirs']),
  ],
  [
    'create table: a view has the name',
    { ...table, standing: taken },
    conflict('nameCollision', ['view orders', 'table orders']),
  ],

  ['create index: absent', { ...index, standing: absent }, run],
  ['G08 create index: there, equal', { ...index, standing: equal }, applied],
  [
    'G08 create index: there, different',
    { ...index, standing: other },
    conflict('divergentDefinition', ['ours', 'theirs']),
  ],
  [
    'G09 create index: its table is absent',
    { ...index, standing: absent, missing: 'table' },
    warning('tableAbsent'),
  ],
  [
    'A22 create index: its column is absent',
    { ...index, standing: absent, missing: 'column' },
    warning('columnAbsent'),
  ],
  [
    'G11 create index: a table has the name',
    { ...index, standing: { kind: 'otherObject', object: 'table' } },
    conflict('nameCollision', ['table orders', 'index orders']),
  ],
  ['A19 create unique index: rows first', { ...index, standing: absent, isUnique: true }, wait, beforeRows],
  ['create unique index: rows are there', { ...index, standing: absent, isUnique: true }, run],
  ['create index: it does not wait for rows', { ...index, standing: absent }, run, beforeRows],

  ['create view: absent', { ...view, standing: absent }, run],
  ['create view: there, equal', { ...view, standing: equal }, applied],
  ['create view: there, different', { ...view, standing: other }, replace],
  ['create view: something is missing', { ...view, standing: absent, isParked: true }, warning('parked')],
  [
    'create view: a view has the name of another kind',
    { ...view, standing: { kind: 'otherObject', object: 'index' } },
    conflict('nameCollision', ['index orders', 'view orders']),
  ],
  ['create trigger: there, different', { ...trigger, standing: other }, replace],
  [
    'create trigger: another object has the name',
    { ...trigger, standing: taken },
    conflict('nameCollision', ['view orders', 'trigger orders']),
  ],

  ['G07 drop table: there', { type: 'drop_table', object: 'orders', isPresent: true }, run],
  ['G06 drop table: absent', { type: 'drop_table', object: 'orders', isPresent: false }, applied],
  ['G07 drop index: there', { type: 'drop_index', object: 'orders', isPresent: true }, run],
  ['G06 drop index: absent', { type: 'drop_index', object: 'orders', isPresent: false }, applied],
  ['A02 drop column: absent', { type: 'drop_column', object: 'orders', isPresent: false }, applied],
  ['A06 drop constraint: absent', { type: 'drop_constraint', object: 'orders', isPresent: false }, applied],

  ['R01 rename table: old there', rename, run],
  ['R09 rename table: renamed already', { ...rename, isRenamed: true }, applied],
  [
    'R03 rename table: both there',
    { ...rename, occupant: 'sales' },
    conflict('nameCollision', ['sales', 'orders as sales']),
  ],
  ['R05 rename table: dropped here', { ...rename, element: { kind: 'absent' } }, warning('elementAbsent')],
  [
    'R05 rename table: dropped here, and another has the new name',
    { ...rename, element: { kind: 'absent' }, occupant: 'sales' },
    warning('elementAbsent'),
  ],
  [
    'rename by name: only the new one there',
    { ...rename, isByName: true, element: { kind: 'absent' }, occupant: 'sales' },
    applied,
  ],
  [
    'rename by name: neither there',
    { ...rename, isByName: true, element: { kind: 'absent' } },
    warning('elementAbsent'),
  ],
  [
    'R06 rename without the old name',
    { ...rename, isByName: true, element: { kind: 'unnamed' } },
    warning('sourceUnnamed'),
  ],
  ['A03 rename column: old there', { ...rename, type: 'rename_column' }, run],
  [
    'A06 rename constraint: renamed already',
    { ...rename, type: 'rename_constraint', isRenamed: true },
    applied,
  ],

  ['A01 add column: absent', column, run],
  ['A01 add column: there, same type', { ...column, standing: present }, applied],
  [
    'P05 D05 A01 add column: there, another type',
    { ...column, standing: otherType },
    conflict('columnType', ['INTEGER', 'TEXT'], 'bar'),
  ],
  [
    'P05 add column: another type, and the later holds',
    { ...column, standing: otherType },
    { verdict: 'execute', step: { kind: 'adopt', registers: ['dataType'] } },
    lastWriter,
  ],
  [
    'P05 add column: another type, and ours is later',
    { ...column, standing: { ...otherType, isLater: false } },
    { verdict: 'superseded', by: migrationId(7) },
    lastWriter,
  ],
  [
    'add column: same type, later default',
    { ...column, standing: { ...present, laterRegisters: ['default'] } },
    { verdict: 'execute', step: { kind: 'adopt', registers: ['default'] } },
  ],
  [
    'P05 add column: another type and a later default',
    { ...column, standing: { ...otherType, laterRegisters: ['default', 'dataType'] } },
    { verdict: 'execute', step: { kind: 'adopt', registers: ['dataType', 'default'] } },
    lastWriter,
  ],
  [
    'add column: a renamed one has the name',
    { ...column, standing: { kind: 'movedHere' } },
    conflict('nameCollision', ['bar', 'bar'], 'bar'),
  ],
  ['A10 add column: table absent', { ...column, isTablePresent: false }, warning('tableAbsent')],

  ['A04 add constraint: absent', constraint, run],
  ['A04 A05 A23 add constraint: there', { ...constraint, isPresent: true }, applied],
  ['A19 add constraint: rows first', constraint, wait, beforeRows],
  ['A10 add constraint: table absent', { ...constraint, isTablePresent: false }, warning('tableAbsent')],

  ['A07 alter column: differs', alter, run],
  ['A07 alter column: equal', { ...alter, isEqual: true }, applied],
  ['A08 alter column: column absent', { ...alter, missing: 'column' }, warning('columnAbsent')],
  ['A10 alter column: table absent', { ...alter, missing: 'table' }, warning('tableAbsent')],
  ['A16 A18 set not null: rows first', { ...alter, validatesRows: true }, wait, beforeRows],

  ['A09 alter primary key: differs', key, run],
  ['A09 alter primary key: equal', { ...key, isEqual: true }, applied],
  ['A10 alter primary key: table absent', { ...key, isTablePresent: false }, warning('tableAbsent')],
  ['alter primary key: rows first', key, wait, beforeRows],
  ['D04 redefine table: differs', redefine, run, beforeRows],
  ['D04 redefine table: equal', { ...redefine, isEqual: true }, applied],
  ['redefine table: table absent', { ...redefine, isTablePresent: false }, warning('tableAbsent')],
];

test.for(cases)('%s', ([, facts, expected, place = here]) => {
  expect(gateCatalog(facts, place)).toEqual(expected);
});
