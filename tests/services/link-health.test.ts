import { expect, test } from 'vitest';

import type { LinkHealth } from '#shared/api/fleet-replica.ts';
import { LINK_AT_REST, type LinkState } from '#main/peers/link-state.ts';
import type { LinkError } from '#main/peers/peer-link.ts';
import { decideLinkHealth, type LinkFacts } from '#main/services/link-health.ts';

const up: LinkState = { ...LINK_AT_REST, phase: 'idle', connected: true };
const failing = (lastError: LinkState['lastError']): LinkState => ({ ...up, phase: 'waiting', lastError });
const tooOld: LinkError = { code: 'refused', refusal: { code: 'too-old', message: 'Re-bootstrap it.' } };

interface Case {
  readonly title: string;
  readonly facts: Partial<LinkFacts>;
  readonly health: LinkHealth;
  readonly reason: string | null;
}

const cases: readonly Case[] = [
  { title: 'all has arrived', facts: {}, health: 'healthy', reason: null },
  { title: 'something is on its way', facts: { lag: 1 }, health: 'behind', reason: null },
  {
    title: 'one direction fails',
    facts: { states: [up, failing({ code: 'unreachable', reason: 'ECONNREFUSED' })], lag: 1 },
    health: 'unreachable',
    reason: 'The peer cannot be reached (ECONNREFUSED); it is tried again by itself.',
  },
  {
    title: 'one end has a blocked batch of the other, though it does not answer now',
    facts: { blocked: 'orders differs.', states: [failing({ code: 'timed-out', afterMs: 10_000 })] },
    health: 'blocked',
    reason: 'orders differs.',
  },
  {
    title: 'one end is too old, blocked or not',
    facts: { blocked: 'orders differs.', states: [up, failing(tooOld)] },
    health: 'tooOld',
    reason: 'Re-bootstrap it.',
  },
  {
    title: 'a person paused it, whatever else',
    facts: { paused: true, blocked: 'orders differs.', states: [failing(tooOld)] },
    health: 'paused',
    reason: null,
  },
];

test.for(cases)('a link is $health when $title', ({ facts, health, reason }) => {
  const verdict = decideLinkHealth({ paused: false, states: [up, up], blocked: null, lag: 0, ...facts });
  expect(verdict).toEqual({ health, reason });
});
