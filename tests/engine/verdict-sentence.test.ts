import { expect, test } from 'vitest';

import {
  verdictSentence,
  type NamedMigration,
  type VerdictReason,
} from '#main/engine/migration/verdict-sentence.ts';
import { MigrationType, Verdict } from '#shared/model/vocabulary.ts';

const addTier: NamedMigration = { type: 'add_column', object: 'orders', element: 'tier' };
const named = (type: MigrationType, element: string | null = null): NamedMigration => ({
  type,
  object: 'orders',
  element,
});

const rows: readonly (Partial<VerdictReason> & { readonly says: string })[] = [
  { code: 'written here', says: 'It was written here.' },
  { says: '`orders` had no such column here, so it was added.' },
  { code: 'afterRows', says: 'It checks rows, so it ran after those that came with it.' },
  { code: 'afterTable', says: 'It came before what it is on was here, and was made when that came.' },
  {
    migration: named('create_table'),
    verdict: 'alreadyApplied',
    code: 'by x',
    by: named('create_table'),
    says: 'It is one with `create table orders`, which was here first.',
  },
  { verdict: 'alreadyApplied', code: 'x', says: 'The catalog was in this state already.' },
  {
    verdict: 'superseded',
    by: named('drop_table'),
    says: '`drop table orders` goes before it: what is dropped is not changed any more.',
  },
  {
    verdict: 'superseded',
    by: named('redefine_table'),
    says: '`redefine table orders`, a decision, has answered it.',
  },
  {
    migration: named('rename_column', 'a'),
    verdict: 'superseded',
    by: named('rename_column', 'b'),
    says: '`rename column orders.b` was made later, and the later one holds.',
  },
  {
    verdict: 'superseded',
    by: named('create_table'),
    says: 'It is about an older life than `create table orders`, which is here now.',
  },
  { verdict: 'superseded', says: 'Something that is recorded here goes before it.' },
  {
    verdict: 'convergedWithWarning',
    code: 'tableAbsent',
    says: 'Its table is not here, so there was nothing to do.',
  },
  {
    verdict: 'convergedWithWarning',
    code: 'A reason of its own.',
    says: 'A reason of its own.',
  },
];

test.for(rows)('$says', ({ says, ...given }) => {
  expect(verdictSentence({ migration: addTier, verdict: 'executed', code: '', by: null, ...given })).toBe(
    says,
  );
});

test('every type and every verdict has a sentence', () => {
  for (const type of MigrationType.options) {
    for (const verdict of Verdict.options) {
      const said = verdictSentence({ migration: named(type), verdict, code: 'parked', by: null });
      expect(said).toMatch(verdict === 'conflict' || verdict === 'executed' ? /./ : /^\S.*\.$/);
    }
    expect(verdictSentence({ migration: named(type), verdict: 'executed', code: '', by: null })).toMatch(
      /^\S.*\.$/,
    );
  }
});
