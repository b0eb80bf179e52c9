import { expect, test } from 'vitest';

import { ActivityKind } from '#shared/api/activity-procedures.ts';
import { CallError } from '#renderer/api/client.ts';
import type { AnyFailure } from '#renderer/api/client.ts';
import { matchingItems, paletteItems, PALETTE_MAX } from '#renderer/app/palette-model.ts';
import { blockedEntries, blockedListVerdict } from '#renderer/features/blocked/blocked-list-model.ts';
import { activityLine } from '#renderer/ui/activity-model.ts';
import { failureWords } from '#renderer/ui/failure-words.ts';
import { sentenceText } from '#renderer/ui/sentence-model.ts';

import { aBlockedReplica, aBrief, aFleet, aReplica, shopsFleet } from '../support/fake-fleet.ts';
import { anActivity } from '../support/fake-views.ts';

test.for(ActivityKind.options)('the happening %s is a whole sentence, with facts and without', (kind) => {
  for (const facts of [
    {},
    {
      object: 'orders',
      peer: 'hq',
      changes: 3,
      migrations: 1,
      rows: 5,
      option: 'takeRemote',
      because: 'why.',
      reason: 'gone',
      url: 'u',
      token: 't',
    },
  ]) {
    const { sentence } = activityLine(anActivity(1, { kind, facts }));
    expect(sentenceText(sentence)).toMatch(/^\S.{8,}[^.]\.$/);
    expect(sentenceText(sentence)).not.toMatch(/undefined|null|NaN/);
  }
});

const failures: readonly AnyFailure[] = [
  { code: 'host-unreachable', detail: 'x' },
  { code: 'not-allowed' },
  { code: 'internal' },
  { code: 'damaged-file', path: '/a.db', message: '/a.db is damaged. Restore it from a backup.' },
  { code: 'replica-unavailable', ref: 'r', state: 'locked', reason: 'Another program holds it.' },
  { code: 'link-exists', id: 'x' },
  { code: 'other-contract', theirs: 2, ours: 1 },
  { code: 'example-exists', folder: '/x' },
  { code: 'resolution-failed', message: 'Two rows have one key.' },
  { code: 'timed-out', limitMs: 10_000 },
  { code: 'result-too-large', limitBytes: 5_000_000 },
];

test.for(failures)('the failure $code says why and what next, without its code', (failure) => {
  const { why, next, details } = failureWords(new CallError(failure));
  expect(why).toMatch(/\S\.?$/);
  expect(next).toMatch(/\.$/);
  expect(`${why} ${next}`).not.toContain(failure.code);
  expect(`${why} ${next}`).not.toMatch(/\b(please|oops|error|invalid)\b/i);
  expect(details).toContain(failure.code);
});

test('what is no failure of the contract is said as a case that is not known', () => {
  expect(failureWords(new TypeError('x is undefined')).why).toBe(
    'The console met a case that it does not know.',
  );
  expect(failureWords(new TypeError('x is undefined')).details).toBe('TypeError: x is undefined');
});

test('the palette offers open conflicts first, then replicas worst first', () => {
  const labels = paletteItems(shopsFleet()).map(({ label }) => label);
  expect(labels.slice(0, 5)).toEqual([
    'Decide orders on market',
    'Decide orders on till-1',
    'Decide orders on till-2',
    'market',
    'till-1',
  ]);
  expect(new Set(paletteItems(shopsFleet()).map(({ id }) => id)).size).toBe(labels.length);
});

test('all words typed must be found, and what begins with them comes first', () => {
  const items = paletteItems(shopsFleet());
  expect(matchingItems(items, 'sync hq').map(({ label }) => label)).toEqual(['Sync hq now', 'hq']);
  expect(matchingItems(items, 'nothing like it')).toEqual([]);
  const many = paletteItems(
    aFleet({ replicas: Array.from({ length: 500 }, (_, index) => aReplica(`t${index}`)) }),
  );
  expect(matchingItems(many, '')).toHaveLength(PALETTE_MAX);
});

test('blocks of one conflict stand under one head', () => {
  const entries = blockedEntries(shopsFleet().replicas);
  expect(
    entries.map((entry) => (entry.kind === 'group' ? `# ${entry.label}, ${entry.note}` : entry.row.name)),
  ).toEqual(['# table orders, 3 blocks, one decision', 'market', 'till-1', 'till-2']);
  expect(blockedListVerdict([aReplica('hq')])).toBeNull();
});

test.for([
  {
    facts: {
      verdict: 'executed',
      type: 'add_column',
      object: 'orders',
      element: 'tier',
      origin: 'market',
      peer: 'hq',
      reason: '`orders` had no such column here, so it was added.',
    },
    says: 'till-1: add column orders.tier of market was executed. orders had no such column here, so it was added.',
    state: 'inSync',
  },
  {
    facts: {
      verdict: 'executed',
      type: 'drop_view',
      object: 'sums',
      element: null,
      origin: 'till-1',
      peer: null,
      reason: 'It was written here.',
    },
    says: 'till-1: drop view sums was written here.',
    state: 'inSync',
  },
  {
    facts: { verdict: 'convergedWithWarning', type: 'create_view', object: 'sums', origin: 'hq', peer: 'hq' },
    says: 'till-1: create view sums of hq converged, with a warning.',
    state: 'behind',
  },
])('a decision about a schema change reads: $says', ({ facts, says, state }) => {
  const line = activityLine(anActivity(1, { kind: 'schemaDecided', facts, ref: 'till-1', name: 'till-1' }));
  expect(sentenceText(line.sentence)).toBe(says);
  expect(line.state).toBe(state);
});

test('a conflict that stops a replica in the lines of several peers is one decision', () => {
  const brief = (fromName: string) => aBrief({ from: fromName, fromName });
  const fleet = aFleet({
    replicas: [{ ...aBlockedReplica('harbour'), blocked: [brief('hq'), brief('market')] }],
  });
  expect(paletteItems(fleet).filter(({ label }) => label.startsWith('Decide'))).toHaveLength(1);
  const verdict = blockedListVerdict(fleet.replicas);
  expect(verdict === null ? null : sentenceText(verdict.headline)).toBe(
    '2 batches wait for you: orders stops harbour.',
  );
});
