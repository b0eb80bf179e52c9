import fc from 'fast-check';
import { expect, test } from 'vitest';

import { ddlTokens } from '#renderer/ui/ddl-model.ts';
import { fingerprintSign, majorFingerprint } from '#renderer/ui/fingerprint-model.ts';
import { nextRowIndex } from '#renderer/ui/grid-model.ts';
import type { GridEntry } from '#renderer/ui/grid-model.ts';
import { extendSequence, shortcutOf } from '#renderer/ui/shortcut-model.ts';
import { valueText } from '#shared/model/sql-value-text.ts';

const group: GridEntry<string> = { kind: 'group', key: 'g', label: 'g', note: '' };
const row = (name: string): GridEntry<string> => ({ kind: 'row', row: name });
const entries = [group, row('a'), row('b'), group, row('c')];

test.for([
  [-1, 'ArrowDown', 1],
  [1, 'ArrowDown', 2],
  [2, 'j', 4],
  [4, 'ArrowDown', 4],
  [4, 'k', 2],
  [-1, 'ArrowUp', 4],
  [1, 'ArrowUp', 1],
  [2, 'Home', 1],
  [1, 'End', 4],
  [1, 'PageDown', 4],
  [4, 'PageUp', 1],
  [1, 'x', -1],
] as const)('from entry %i the key %s leads to entry %i', ([from, key, to]) => {
  expect(nextRowIndex({ entries, from, key })).toBe(to);
});

test('in a grid without rows no key leads anywhere', () => {
  expect(nextRowIndex({ entries: [group], from: -1, key: 'ArrowDown' })).toBe(-1);
});

const press = (key: string, held: Partial<Record<'ctrlKey' | 'metaKey' | 'altKey', boolean>> = {}) =>
  shortcutOf({ key, ctrlKey: false, metaKey: false, altKey: false, ...held });

test('keys are called alike on every system', () => {
  expect(press('K', { ctrlKey: true })).toBe('mod+k');
  expect(press('k', { metaKey: true })).toBe('mod+k');
  expect(press('?')).toBe('?');
  expect(press('Shift')).toBeNull();
  expect(press('f', { altKey: true })).toBe('alt+f');
});

test('a sequence is complete with its last key, and a key that leads nowhere starts anew', () => {
  const known = ['g f', 'g b', 'n'];
  expect(extendSequence({ sequence: [], key: 'g', known })).toEqual({ sequence: ['g'], matched: null });
  expect(extendSequence({ sequence: ['g'], key: 'f', known })).toEqual({ sequence: [], matched: 'g f' });
  expect(extendSequence({ sequence: ['g'], key: 'n', known })).toEqual({ sequence: [], matched: 'n' });
  expect(extendSequence({ sequence: ['g'], key: 'g', known })).toEqual({ sequence: ['g'], matched: null });
});

test('DDL is split without losing a character, and quoted keywords are none', () => {
  const ddl = `create table "select" (a text default 'not null', -- primary\n b int)`;
  const tokens = ddlTokens(ddl);
  expect(tokens.map(({ text }) => text).join('')).toBe(ddl);
  expect(tokens.filter(({ isKeyword }) => isKeyword).map(({ text }) => text)).toEqual([
    'create',
    'table',
    'text',
    'default',
    'int',
  ]);
  fc.assert(
    fc.property(
      fc.string(),
      (text) =>
        ddlTokens(text)
          .map((token) => token.text)
          .join('') === text,
    ),
  );
});

test('a fingerprint always looks the same, and its bars stay within the chip', () => {
  expect(fingerprintSign('k7qf2m81d0')).toEqual(fingerprintSign('k7qf2m81d0'));
  fc.assert(
    fc.property(fc.string({ minLength: 6 }), (fingerprint) => {
      const { hue, bars } = fingerprintSign(fingerprint);
      expect(hue % 30).toBe(0);
      expect(hue).toBeLessThan(360);
      expect(bars).toHaveLength(6);
      expect(bars.every((height) => height >= 4 && height <= 12)).toBe(true);
    }),
  );
});

test('the major fingerprint is the one that most have', () => {
  expect(majorFingerprint(['a', 'b', 'b'])).toBe('b');
  expect(majorFingerprint([])).toBeNull();
});

test.for([
  [null, 'NULL'],
  ["it's", "'it''s'"],
  [2.5, '2.5'],
  [{ int: '9007199254740993' }, '9007199254740993'],
  [{ blob: 'c0ffee' }, "x'c0ffee'"],
] as const)('the value %o is written as SQL', ([value, said]) => {
  expect(valueText(value)).toBe(said);
});
