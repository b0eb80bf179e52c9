import { expect, test } from 'vitest';

import { schemaNotes } from '#main/services/schema-notes.ts';
import type { SchemaEvent } from '#shared/model/schema-event.ts';
import { aSite, hlcAt, NOW_MS } from '../support/fake-fleet.ts';

const anEvent = (change: Partial<SchemaEvent> = {}): SchemaEvent => ({
  verdict: 'executed',
  type: 'create_table',
  kind: 'table',
  object: 'orders',
  element: null,
  migration: null,
  origin: aSite('market'),
  hlc: hlcAt(NOW_MS, 'market'),
  from: aSite('hq'),
  reason: 'There was no `orders` here, so it was made.',
  conflictId: null,
  atMs: NOW_MS,
  ...change,
});

const NAMES = new Map([
  [aSite('market'), 'market'],
  [aSite('hq'), 'hq'],
]);
const notes = (events: readonly SchemaEvent[]) => schemaNotes(events, (site) => NAMES.get(site) ?? site);

test('each decision is told with what, whose, from whom and why', () => {
  expect(notes([anEvent({ verdict: 'superseded', element: 'tier', reason: 'Why.' })])).toEqual([
    {
      kind: 'schemaDecided',
      facts: {
        verdict: 'superseded',
        type: 'create_table',
        object: 'orders',
        element: 'tier',
        origin: 'market',
        peer: 'hq',
        reason: 'Why.',
      },
    },
  ]);
});

test('a conflict is left to the line that says who is blocked', () => {
  expect(notes([anEvent({ verdict: 'conflict' })])).toEqual([]);
});

test('of a whole catalog only the warnings are told one by one', () => {
  const many = Array.from({ length: 40 }, () => anEvent());
  const told = notes([...many, anEvent({ verdict: 'convergedWithWarning', object: 'sums' })]);
  expect(told).toMatchObject([
    { kind: 'schemaDecided', facts: { verdict: 'convergedWithWarning', object: 'sums' } },
    { kind: 'migrationsAdmitted', facts: { migrations: 40, peer: 'hq' } },
  ]);
});
