import { expect, test } from 'vitest';

import { assert, AssertionError, present, unreachable } from '#shared/assert.ts';
import { err, ok } from '#shared/result.ts';

test('ok wraps a value, and stands for nothing to hand back without one', () => {
  expect(ok(3)).toEqual({ ok: true, value: 3 });
  expect(ok()).toEqual({ ok: true, value: undefined });
});

test('err keeps the facts beside the code', () => {
  expect(err({ code: 'locked', path: 'a.db' })).toEqual({
    ok: false,
    error: { code: 'locked', path: 'a.db' },
  });
});

test('assert throws with its message only when the condition does not hold', () => {
  expect(() => {
    assert(1 + 1 === 2, 'arithmetic holds');
  }).not.toThrow();
  expect(() => {
    assert(1 + 1 > 2, 'arithmetic holds');
  }).toThrow('arithmetic holds');
});

test('present hands falsy values back, and refuses only what is missing', () => {
  expect(present(0, 'a count')).toBe(0);
  expect(present('', 'a name')).toBe('');
  expect(() => present(undefined, 'a row')).toThrow('a row');
});

test('unreachable names the value that should not be', () => {
  // The compiler forbids the call, which is the point of it; only a value from outside can get there.
  expect(() => unreachable('surprise' as never)).toThrow(AssertionError);
});
