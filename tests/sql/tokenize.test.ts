import fc from 'fast-check';
import { expect, test } from 'vitest';

import { scanTokens } from '#main/sql/scan-tokens.ts';
import { tokenize } from '#main/sql/tokenize.ts';

const kinds: readonly (readonly [sql: string, ...kinds: string[]])[] = [
  ['abc', 'word'],
  ['a$1_', 'word'],
  ['naïve', 'word'],
  ['🎵x', 'word'],
  ['"a""b"', 'quotedIdentifier'],
  ['[a]', 'quotedIdentifier'],
  ['`a``b`', 'quotedIdentifier'],
  ["'it''s'", 'string'],
  ["x'0aF0'", 'blob'],
  ["X''", 'blob'],
  ['12', 'number'],
  ['1_000.5e-1_0', 'number'],
  ['.5', 'number'],
  ['1.', 'number'],
  ['0xFF_FF', 'number'],
  ['->>', 'operator'],
  ['->', 'operator'],
  ['||', 'operator'],
  ['<>', 'operator'],
  ['==', 'operator'],
  ['?', 'parameter'],
  ['?12', 'parameter'],
  [':name', 'parameter'],
  ['@name', 'parameter'],
  ['$a::b(c)', 'parameter'],
  ['-- to the end', 'comment'],
  ['/* a * b */', 'comment'],
  ['/* never closed', 'comment'],
  [' \t\n\f\r', 'space'],
  ['\ufeff', 'space'],
  ['a.b', 'word', 'operator', 'word'],
  ["a->>'$'", 'word', 'operator', 'string'],
  ['1-1', 'number', 'operator', 'number'],
  ['1--1', 'number', 'comment'],
  ['[a]b', 'quotedIdentifier', 'word'],
  ['x"a"', 'word', 'quotedIdentifier'],
  ['-- a\nb', 'comment', 'space', 'word'],
  ["'a'b", 'string', 'word'],
];

test.for(kinds)('tokenize takes %s apart', ([sql, ...expected]) => {
  const tokens = tokenize(sql);
  expect(tokens.ok && tokens.value.map(({ kind }) => kind)).toEqual(expected);
});

const broken: readonly (readonly [sql: string, code: string, line: number, column: number, near: string])[] =
  [
    ["select 'x", 'unterminated-token', 1, 8, "'x"],
    ['a\n  "b', 'unterminated-token', 2, 3, '"b'],
    ['[x', 'unterminated-token', 1, 1, '[x'],
    ['`x``', 'unterminated-token', 1, 1, '`x``'],
    ["x'0", 'unterminated-token', 1, 1, "x'0"],
    ["x'0'", 'unknown-token', 1, 1, "x'0'"],
    ["x'zz'", 'unknown-token', 1, 1, "x'zz'"],
    ['12ab', 'unknown-token', 1, 1, '12ab'],
    ['0x', 'unknown-token', 1, 1, '0x'],
    ['1__0', 'unknown-token', 1, 1, '1__0'],
    ['a ! b', 'unknown-token', 1, 3, '!'],
    ['a \\ b', 'unknown-token', 1, 3, '\\'],
    [`'${'x'.repeat(100)}`, 'unterminated-token', 1, 1, `'${'x'.repeat(39)}`],
  ];

test.for(broken)('tokenize refuses %s with %s', ([sql, code, line, column, near]) => {
  expect(tokenize(sql)).toEqual({ ok: false, error: { code, line, column, near } });
});

test('a text of many megabytes is one token', () => {
  const text = "x''".repeat(4_000_000);
  for (const long of [
    `'${text}'`,
    `/*${text.replaceAll("'", '*')}*/`,
    `"${text}"`,
    text.replaceAll("'", 'x'),
  ]) {
    expect(scanTokens(long)).toHaveLength(1);
  }
});

test('the tokens of any text, joined, are the text', () => {
  const sqlish = fc.string({
    unit: fc.constantFrom(...Array.from('abxE0 1.\'"`[]()-/*\n;_$:?🎵é')),
    maxLength: 40,
  });
  fc.assert(
    fc.property(sqlish, (text) => {
      const tokens = scanTokens(text);
      expect(tokens.map((token) => token.text).join('')).toBe(text);
      expect(
        tokens.every((token) => text.slice(token.start, token.end) === token.text && token.text !== ''),
      ).toBe(true);
    }),
  );
});
