import Database from 'better-sqlite3';
import { expect, test } from 'vitest';

import { comparableDefault } from '#main/sql/comparable-default.ts';

// Each group fills in one value; no two groups the same.
const groups: readonly (readonly string[])[] = [
  ['NULL', 'null', '(NULL)', '((null))'],
  ["'x'", '"x"', 'x', '[x]', '`x`', "('x')"],
  ["'X'", '"X"', 'X'],
  ["''", '""'],
  ["'it''s'", '"it\'s"'],
  ["'1'", '"1"'],
  ['1', '+1', '(1)', '+ 1', 'TRUE', 'true', '(true)', '0x1', '1_0e-1_0'.slice(0, 1)],
  ['"true"', "'true'"],
  ['0', 'FALSE', '-0', '0x0'],
  ['-9', '- 9', '(-9)', '( - 9 )'],
  ['16', '0x10', '0X10'],
  ['1000', '1_000'],
  ['1000.0', '1e3', '1E3', '1_000.0', '1.0e+3'],
  ['0.5', '.5', '5e-1'],
  ['9223372036854775807', '0x7fffffffffffffff'],
  ['-9223372036854775808', '0x8000000000000000'],
  ['9223372036854775808', '9223372036854775808.0'],
  ['1e400', '2e400'],
  ["x'00ff'", "X'00FF'"],
  ['(1 + 2)', '( 1+2 )', '((1) + (2))'],
  ["(lower('A'))", "(LOWER( 'A' ))"],
];

const values = groups.flatMap((group, at) => group.map((text) => ({ text, at })));

test.for(values)('comparableDefault sees which defaults are one: $text', ({ text, at }) => {
  const own = comparableDefault(text);
  const equals = values.filter((other) => comparableDefault(other.text) === own).map((other) => other.at);
  expect(equals).toEqual((groups[at] ?? []).map(() => at));
});

test('SQLite fills in what the groups say', () => {
  const scratch = new Database(':memory:');
  const stored = values.map(({ text }) => {
    scratch.exec(`create table t (a default ${text}); insert into t default values`);
    const value = scratch.prepare("select typeof(a) || ' ' || quote(a) from t").pluck().get();
    scratch.exec('drop table t');
    return value;
  });
  scratch.close();
  for (const [at, { text, at: group }] of values.entries()) {
    const first = values.findIndex((other) => other.at === group);
    expect([text, stored[at]]).toEqual([text, stored[first]]);
  }
});

test('no default is what NULL fills in, and a moment is a moment', () => {
  expect(comparableDefault(undefined)).toBe(comparableDefault('NULL'));
  expect(comparableDefault('current_timestamp')).toBe(comparableDefault('(CURRENT_TIMESTAMP)'));
  expect(comparableDefault('current_timestamp')).not.toBe(comparableDefault('"current_timestamp"'));
  expect(comparableDefault('current_timestamp')).not.toBe(comparableDefault('current_time'));
});

test('in parentheses a quoted word is a column, which no default can be, and not a text', () => {
  expect(comparableDefault('("x")')).not.toBe(comparableDefault('"x"'));
});
