import { expect, test } from 'vitest';

import { registerOf } from '#main/engine/migration/register.ts';

test.for([
  ['create_table', 'existence'],
  ['drop_table', 'existence'],
  ['add_column', 'existence'],
  ['rename_table', 'name'],
  ['rename_column', 'name'],
  ['rename_constraint', 'name'],
  ['alter_primary_key', 'primaryKey'],
  ['redefine_table', 'shape'],
] as const)('P07 %s sets the %s', ([type, register]) => {
  expect(registerOf(type)).toBe(register);
});

test.for([
  ['setDataType', 'dataType'],
  ['setNotNull', 'notNull'],
  ['dropNotNull', 'notNull'],
  ['setDefault', 'default'],
  ['dropDefault', 'default'],
  ['setCollation', 'collation'],
] as const)('P03 %s sets the %s of a column', ([alteration, register]) => {
  expect(registerOf({ alteration })).toBe(register);
});
