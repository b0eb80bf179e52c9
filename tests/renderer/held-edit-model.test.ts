import { describe, expect, test } from 'vitest';

import { kindOfType, parseTyped, typedOf } from '#renderer/features/replica/held-edit-model.ts';
import type { JsonSqlValue } from '#shared/model/sql-value.ts';

describe('a value as it stands in a field', () => {
  test.each<JsonSqlValue>([
    null,
    '',
    'text with \n lines',
    42,
    -7,
    12.5,
    { int: '9223372036854775807' },
    { real: '3' },
    { real: '-inf' },
    { blob: '00ff' },
    { blob: '' },
    { text: 'ff' },
  ])('%j comes back as it was', (value) => {
    expect(parseTyped(typedOf(value))).toEqual({ ok: true, value });
  });

  test.each([
    ['integer', ' +42 ', 42],
    ['integer', '9007199254740993', { int: '9007199254740993' }],
    ['real', '12', { real: '12' }],
    ['real', '1e-3', 0.001],
    ['real', '.5', 0.5],
    ['blob', '00 FF', { blob: '00ff' }],
  ] as const)('%s %j is taken for %j', (kind, text, value) => {
    expect(parseTyped({ kind, text })).toEqual({ ok: true, value });
  });

  test.each([
    ['integer', '', 'A whole number has digits alone'],
    ['integer', '1.5', 'A whole number has digits alone'],
    ['integer', '9223372036854775808', 'SQLite keeps whole numbers of 64 bits.'],
    ['real', 'twelve', 'A number with a fraction is written like'],
    ['real', '1e999', 'A number with a fraction is written like'],
    ['blob', '0f0', 'Bytes are written as pairs'],
    ['blob', 'xx', 'Bytes are written as pairs'],
  ] as const)('%s %j is refused with how it is written', (kind, text, says) => {
    expect(parseTyped({ kind, text })).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining(says) as string },
    });
  });
});

test.each([
  ['INTEGER', 'integer'],
  ['VARCHAR(20)', 'text'],
  ['DOUBLE PRECISION', 'real'],
  ['BLOB', 'blob'],
  ['', 'text'],
  ['DATE', 'text'],
] as const)('what is typed into an empty %s is first taken for %s', (type, kind) => {
  expect(kindOfType(type)).toBe(kind);
});
