import fc from 'fast-check';
import { expect, test } from 'vitest';

import { isRawText, jsonToSqlValue, sqlValueToJson } from '#shared/model/json-sql-value.ts';
import { JsonSqlValue } from '#shared/model/sql-value.ts';
import type { SqlValue } from '#shared/model/sql-value.ts';
import { anySqlValue } from '../support/arbitraries.ts';

const cases: readonly (readonly [string, SqlValue, unknown])[] = [
  ['NULL', null, null],
  ['text', 'naïve', 'naïve'],
  ['a safe integer', 5n, 5],
  ['the highest safe integer', 9007199254740991n, 9007199254740991],
  ['the first unsafe integer', 9007199254740992n, { int: '9007199254740992' }],
  ['the highest integer', 9223372036854775807n, { int: '9223372036854775807' }],
  ['the lowest integer', -9223372036854775808n, { int: '-9223372036854775808' }],
  ['a real with a fraction', 1.5, 1.5],
  ['an integral real', 1, { real: '1' }],
  ['a huge real', 1e21, { real: '1e+21' }],
  ['negative zero', -0, { real: '-0' }],
  ['infinity', Infinity, { real: 'inf' }],
  ['negative infinity', -Infinity, { real: '-inf' }],
  ['a blob', Uint8Array.of(0, 255), { blob: '00ff' }],
  ['text with NUL', 'a\0', { text: '6100' }],
  ['text that is not UTF-8', { textBytes: Uint8Array.of(0xc3) }, { text: 'c3' }],
];

test.for(cases)('B08 %s has its form in JSON, and comes back', ([, value, json]) => {
  expect(sqlValueToJson(value)).toEqual(json);
  expect(jsonToSqlValue(json)).toEqual({ ok: true, value });
});

test('B08 every value comes back from JSON text, bit for bit', () => {
  fc.assert(
    fc.property(anySqlValue, (value) => {
      const json: unknown = JSON.parse(JSON.stringify(sqlValueToJson(value)));
      expect(JsonSqlValue.safeParse(json).success).toBe(true);
      const back = jsonToSqlValue(json);
      expect(back).toEqual({ ok: true, value });
      expect(back.ok && Object.is(typeof back.value, typeof value)).toBe(true);
      if (typeof value === 'number') expect(back.ok && Object.is(back.value, value)).toBe(true);
    }),
    { numRuns: 1000 },
  );
});

test.for([
  [{ int: '5' }, 5n],
  [{ int: '-0' }, 0n],
  [{ real: '1.5' }, 1.5],
  [{ text: '61' }, 'a'],
  [-0, 0n],
] as const)('%j is read, though it is not what is written', ([json, value]) => {
  expect(jsonToSqlValue(json)).toEqual({ ok: true, value });
});

test.for([
  [1e20, '{"real":"..."}'],
  [{ int: '9223372036854775808' }, '64 bits'],
  [{ int: '1.0' }, 'a value is'],
  [{ real: 'nan' }, 'decimal number'],
  [{ real: '1e999' }, 'decimal number'],
  [{ real: '' }, 'decimal number'],
  [{ blob: 'F' }, 'a value is'],
  [{ blob: '00', text: '00' }, 'a value is'],
  [true, 'a value is'],
  [[1], 'a value is'],
  [5n, '"5" is no SQL value'],
  [undefined, 'undefined is no SQL value'],
] as const)('%o is no value', ([json, why]) => {
  const read = jsonToSqlValue(json);
  expect(read.ok ? '' : read.error.message).toContain(why);
});

test('NaN is no value of SQLite', () => {
  expect(() => sqlValueToJson(Number.NaN)).toThrow('NaN');
});

test('raw text is told from blobs and text', () => {
  expect(isRawText({ textBytes: Uint8Array.of(0xc3) })).toBe(true);
  for (const value of [null, '', 1, 1n, new Uint8Array()]) expect(isRawText(value)).toBe(false);
});
