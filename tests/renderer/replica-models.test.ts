import { expect, test } from 'vitest';

import type { FleetReplica } from '#shared/api/fleet-replica.ts';
import { ConflictId } from '#shared/model/ids.ts';
import { ReplicaState, Verdict } from '#shared/model/vocabulary.ts';
import { catalogEntries, columnRules } from '#renderer/features/replica/catalog-model.ts';
import { heldValuesText, keyText, migrationTitle } from '#renderer/features/replica/migration-model.ts';
import { peerName, peerProgress } from '#renderer/features/replica/peers-model.ts';
import { VERDICT_LOOK } from '#renderer/ui/verdict-look.ts';
import { replicaVerdict } from '#renderer/features/replica/replica-verdict-model.ts';
import { hlcToMs } from '#renderer/ui/hlc-model.ts';
import { sentenceText } from '#renderer/ui/sentence-model.ts';

import {
  MINUTE_MS,
  NOW_MS,
  aBlockedReplica,
  aBrief,
  aPeer,
  aReplica,
  aSite,
  idText,
  shopsFleet,
} from '../support/fake-fleet.ts';
import { aCatalog, aMigration } from '../support/fake-views.ts';

interface Case {
  readonly title: string;
  readonly replica: FleetReplica;
  readonly hasLinks?: boolean;
  readonly headline: string;
  readonly consequence: string;
}

const HOUR_MS = 60 * MINUTE_MS;

const cases: readonly Case[] = [
  {
    title: 'in sync',
    replica: aReplica('hq'),
    headline: 'hq is in sync.',
    consequence: 'All that its peers have is here. The last sync was 4 s ago.',
  },
  {
    title: 'alone',
    replica: aReplica('hq'),
    hasLinks: false,
    headline: 'hq stands alone: it has no link yet.',
    consequence: 'Nothing is sent anywhere. Link it to another replica to let changes flow.',
  },
  {
    title: 'blocked on a divergent definition',
    replica: aBlockedReplica('till-3'),
    headline: 'till-3 is blocked: orders has another shape here than what comes from hq.',
    consequence: '41 min, 1,284 changes behind it. Its own work still goes out, except for that table.',
  },
  {
    title: 'blocked for another cause',
    replica: aBlockedReplica('till-3', { cause: 'rowsBreakConstraint' }),
    headline: 'till-3 is blocked: a batch of hq for orders is refused, rows break a constraint.',
    consequence: '41 min, 1,284 changes behind it. Its own work still goes out, except for that table.',
  },
  {
    title: 'behind',
    replica: aReplica('till-5', { state: 'behind', lag: { changes: 64, oldestMs: NOW_MS - 32 * MINUTE_MS } }),
    headline: 'till-5 is behind: 64 changes of its peers have not arrived.',
    consequence: 'The oldest waits for 32 min. They come by themselves.',
  },
  {
    title: 'unreachable',
    replica: aReplica('van-1', {
      state: 'unreachable',
      reason: 'Its host refuses the connection.',
      lastSyncMs: NOW_MS - 3 * HOUR_MS,
    }),
    headline: 'van-1 has not answered for 3 h.',
    consequence: 'Its host refuses the connection. Nothing is lost; it catches up when it is back.',
  },
];

test.for(cases)('a replica says of being $title', ({ replica, hasLinks = true, headline, consequence }) => {
  const verdict = replicaVerdict({ replica, hasLinks, nowMs: NOW_MS });
  expect(sentenceText(verdict.headline)).toBe(headline);
  expect(sentenceText(verdict.consequence)).toBe(consequence);
});

test('a replica that is blocked in the lines of several peers speaks of the longest, and says what waits too', () => {
  const brief = (from: string, behindChanges: number) => aBrief({ from, fromName: from, behindChanges });
  const say = (replica: FleetReplica): string => {
    const { headline, consequence } = replicaVerdict({ replica, hasLinks: true, nowMs: NOW_MS });
    return `${sentenceText(headline)} ${sentenceText(consequence)}`;
  };
  const twice = { ...aBlockedReplica('harbour'), blocked: [brief('hq', 5), brief('market', 774)] };
  expect(say(twice)).toBe(
    'harbour is blocked: orders has another shape here than what comes from market. 41 min, 774 changes behind it. ' +
      'Its own work still goes out, except for that table. The line of hq waits for the same decision.',
  );
  const conflictId = ConflictId.parse(idText('other-conflict'));
  const other = { ...twice, blocked: [brief('market', 774), { ...brief('hq', 5), conflictId }] };
  expect(say(other)).toMatch(/ 1 more line is blocked\.$/);
});

test.for(ReplicaState.options)('the state %s has a sentence that begins with the name', (state) => {
  const verdict = replicaVerdict({ replica: aReplica('x', { state }), hasLinks: true, nowMs: NOW_MS });
  expect(sentenceText(verdict.headline)).toMatch(/^x (is|has) .+\.$/);
  expect(sentenceText(verdict.consequence)).toMatch(/\.$/);
});

test('no sentence uses a word that look.md forbids', () => {
  const said = ReplicaState.options.map((state) => {
    const { headline, consequence } = replicaVerdict({
      replica: aReplica('x', { state }),
      hasLinks: true,
      nowMs: NOW_MS,
    });
    return `${sentenceText(headline)} ${sentenceText(consequence)}`;
  });
  expect(said.join(' ')).not.toMatch(/\b(please|oops|error|invalid|reset|ignore|discard)\b/i);
});

test('the catalog stands by kind, tables first, names in order', () => {
  const words = catalogEntries(aCatalog('inSync').objects).map((entry) =>
    entry.kind === 'group' ? `# ${entry.label} ${entry.note}` : entry.row.name,
  );
  expect(words).toEqual([
    '# Tables 5 objects',
    'customers',
    'orders',
    'print_queue',
    'products',
    'stock',
    '# Indexes 1 object',
    'ix_stock_product',
  ]);
});

test('what holds for a column stands beside its type', () => {
  const column = {
    name: 'a',
    type: 'TEXT',
    notNull: true,
    defaultText: "'x'",
    collation: 'NOCASE',
    primaryKey: 1,
    generated: false,
  };
  expect(columnRules(column)).toBe("key, NOT NULL, default 'x', NOCASE");
  expect(
    columnRules({
      ...column,
      notNull: false,
      defaultText: null,
      collation: 'BINARY',
      primaryKey: 0,
      generated: true,
    }),
  ).toBe('generated');
});

test('migrations, keys, values and decisions are said in words', () => {
  expect(migrationTitle(aMigration(1))).toBe('create table orders');
  expect(migrationTitle(aMigration(1, { type: 'add_column', element: 'tier' }))).toBe(
    'add column orders.tier',
  );
  expect(keyText([{ int: '7' }, 'a'])).toBe("7, 'a'");
  expect(heldValuesText({ code: 'GV-1', amount: 25 })).toBe("code 'GV-1', amount 25");
  expect(Verdict.options.every((verdict) => VERDICT_LOOK[verdict].word.length > 3)).toBe(true);
});

test('progress is all only when all is admitted', () => {
  expect(peerProgress(aPeer('hq', { watermark: 9_999, peerHead: 10_000 }))).toMatchObject({
    percent: 99,
    state: 'behind',
    words: '9,999 of 10,000',
  });
  expect(peerProgress(aPeer('hq', { watermark: 0, peerHead: 0 }))).toMatchObject({
    percent: 100,
    state: 'inSync',
  });
  expect(peerProgress(aPeer('hq', { watermark: 5, peerHead: 3 }))).toMatchObject({ percent: 100 });
  expect(peerProgress(aPeer('hq', { blocked: true })).state).toBe('blocked');
});

test('a site is called by its replica, or by the head of its ID', () => {
  expect(peerName(aSite('market'), shopsFleet())).toBe('market');
  expect(peerName('Qm3v0t8KQ7a1YwxxxxxxxA', shopsFleet())).toBe('Qm3v0t8K…');
});

test('an HLC tells its wall clock', () => {
  expect(hlcToMs('2026-06-01T00:00:00.250Z-0003-Qm3v0t8KQ7a1YwxxxxxxxA')).toBe(Date.UTC(2026, 5, 1) + 250);
});
