import fc from 'fast-check';
import { expect, test } from 'vitest';

import { comparePrecedence, isCreation, isDrop } from '#main/engine/migration/precedence.ts';
import { MigrationType } from '#shared/model/vocabulary.ts';
import { narrowStamp } from '../support/arbitraries.ts';
import { siteId } from '../support/ids.ts';

// Guards SCHEMA-002.

const early = { hlc: 1n, site: siteId(1) };
const late = { hlc: 2n, site: siteId(1) };

test.for([
  ['drop_table', 'drop_column'],
  ['drop_table', 'alter_column'],
  ['drop_table', 'rename_table'],
  ['drop_table', 'redefine_table'],
  ['drop_table', 'add_column'],
  ['drop_table', 'create_table'],
  ['drop_table', 'drop_index'],
  ['drop_table', 'create_index'],
  ['drop_column', 'alter_column'],
  ['drop_column', 'rename_column'],
  ['drop_column', 'add_column'],
  ['alter_column', 'add_column'],
  ['alter_column', 'create_table'],
  ['add_column', 'create_table'],
  ['drop_index', 'create_index'],
  ['drop_view', 'create_view'],
  ['drop_trigger', 'create_trigger'],
  ['drop_constraint', 'add_constraint'],
] as const)('P10 %s beats %s, however late that is', ([strong, weak]) => {
  expect(comparePrecedence({ type: strong, stamp: early }, { type: weak, stamp: late })).toBeGreaterThan(0);
  expect(comparePrecedence({ type: weak, stamp: late }, { type: strong, stamp: early })).toBeLessThan(0);
});

test.for([
  ['alter_column', 'alter_column'],
  ['rename_column', 'alter_column'],
  ['drop_table', 'drop_table'],
  ['create_index', 'create_index'],
] as const)('P10 between %s and %s the later stamp wins', ([first, second]) => {
  expect(comparePrecedence({ type: first, stamp: late }, { type: second, stamp: early })).toBeGreaterThan(0);
});

test('P10 of equal times the higher site wins', () => {
  const type = 'alter_column';
  const higher = { type, stamp: { hlc: 1n, site: siteId(2) } } as const;
  expect(comparePrecedence(higher, { type, stamp: early })).toBeGreaterThan(0);
});

test('P10 precedence is a total order', () => {
  const ranked = fc.record({ type: fc.constantFrom(...MigrationType.options), stamp: narrowStamp });
  fc.assert(
    fc.property(ranked, ranked, ranked, (first, second, third) => {
      const order = Math.sign(comparePrecedence(first, second));
      expect(Math.sign(comparePrecedence(second, first)) + order).toBe(0);
      if (order >= 0 && comparePrecedence(second, third) >= 0) {
        expect(comparePrecedence(first, third)).toBeGreaterThanOrEqual(0);
      }
    }),
  );
});

test('every type is a creation, a drop, or neither', () => {
  const { options } = MigrationType;
  expect(options.filter(isCreation)).toEqual([
    'create_table',
    'add_column',
    'add_constraint',
    'create_index',
    'create_view',
    'create_trigger',
  ]);
  expect(options.filter(isDrop)).toEqual(options.filter((type) => type.startsWith('drop_')));
});
