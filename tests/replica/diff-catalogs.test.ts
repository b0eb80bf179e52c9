import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { diffCatalogs } from '#main/replica/diff-catalogs.ts';
import { isSpeltAlike } from '#main/replica/is-spelt-alike.ts';
import { compareStatements } from '#main/sql/compare-statements.ts';
import type { ObjectDefinition } from '#shared/model/catalog-diff.ts';

const table = (sql: string, change: Partial<ObjectDefinition> = {}): ObjectDefinition => ({
  kind: 'table',
  name: 't',
  sql,
  isParked: false,
  ...change,
});

describe('spelt alike', () => {
  test.for([
    { left: 'create table t (a int)', right: 'CREATE  TABLE "T"(\n[A] INT -- first\n)', alike: true },
    { left: `create table t (a default 'X')`, right: `create table t (a default 'x')`, alike: false },
    { left: 'create table t (a default TEXT)', right: 'create table t (a default text)', alike: false },
    { left: 'create table t (a int)', right: 'create table t (a integer)', alike: false },
    { left: 'create table t (a int)', right: 'create table t (a int, b)', alike: false },
    // A quoted keyword is a name, and the keyword is not.
    {
      left: 'create table t (a, primary key (a))',
      right: 'create table t (a, "primary" key (a))',
      alike: false,
    },
    { left: 'create view v as select 1', right: `create view v as select '1'`, alike: false },
  ])('$left | $right', ({ left, right, alike }) => {
    expect(isSpeltAlike(left, right)).toBe(alike);
  });

  test('what is spelt alike compares equal', () => {
    const word = fc.constantFrom('a', 'A', '"a"', '"A"', 'b', '"check"', '[b]', 'text', 'TEXT', "'a'", '1');
    const ddl = fc
      .tuple(word, word, word)
      .map(([name, type, value]) => `create table t (x, ${name} ${type} default ${value})`);
    fc.assert(
      fc.property(ddl, ddl, (left, right) => {
        if (!isSpeltAlike(left, right)) return;
        const compared = compareStatements(left, right);
        expect(!compared.ok || compared.value.equal).toBe(true);
      }),
    );
  });
});

describe('catalogs side by side', () => {
  const diff = (left: readonly ObjectDefinition[], right: readonly ObjectDefinition[], explain = false) =>
    diffCatalogs({ left, right, explain });

  test('an object that is parked on one side is different, though its definition is equal', () => {
    const view = { kind: 'view', name: 'v', sql: 'create view v as select 1' } as const;
    expect(diff([{ ...view, isParked: false }], [{ ...view, isParked: true }])).toMatchObject({
      counts: { different: 1 },
      items: [{ differences: [{ kind: 'parked', left: 'in the file', right: 'parked' }] }],
    });
  });

  test('names of different kinds are different objects', () => {
    const found = diff([table('create table t (a)')], [table('create view t as select 1', { kind: 'view' })]);
    expect(found.counts).toMatchObject({ onlyLeft: 1, onlyRight: 1 });
  });

  test('what no reader of ours reads is compared as text', () => {
    expect(diff([table('create table t (a ?)')], [table('create table t (b ?)')]).counts.different).toBe(1);
  });

  test('explained, what is equal and written differently is listed, what is the same to the letter is not', () => {
    const found = diff(
      [table('create table t (a int)'), table('create table u (a)', { name: 'u' })],
      [table('CREATE TABLE t (a INT)'), table('create table u (a)', { name: 'u' })],
      true,
    );
    expect(found.counts.equal).toBe(2);
    expect(found.items.map(({ name, rules }) => [name, rules.map(({ rule }) => rule)])).toEqual([
      ['t', expect.arrayContaining(['keywordCase'])],
    ]);
  });
});
