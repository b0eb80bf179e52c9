import { expect, test } from 'vitest';

import type { ReplicaState } from '#shared/model/vocabulary.ts';
import { decideReplicaState, type StateFacts } from '#main/services/replica-state.ts';
import { aStatus } from '../support/fake-fleet.ts';

const FINE: StateFacts = {
  status: aStatus('till'),
  failure: null,
  trouble: null,
  crash: null,
  isBlocked: false,
  isTooOld: false,
  isPaused: false,
  lagChanges: 0,
};

const failure = (code: 'locked' | 'damaged-file' | 'file-not-found' | 'empty-file') => ({
  code,
  path: '/till.db',
  message: 'What, and the next step.',
});

interface Case {
  readonly title: string;
  readonly facts: Partial<StateFacts>;
  readonly state: ReplicaState;
  readonly reason?: RegExp;
}

const cases: readonly Case[] = [
  { title: 'nothing else applies', facts: {}, state: 'inSync' },
  { title: 'a linked peer has more', facts: { lagChanges: 3 }, state: 'behind' },
  {
    title: 'it remembers more of a peer that it has no link to any more',
    facts: { status: aStatus('till', { state: 'behind' }) },
    state: 'inSync',
  },
  { title: 'all its links are paused', facts: { isPaused: true, lagChanges: 3 }, state: 'paused' },
  {
    title: 'another program holds the file',
    facts: { trouble: 'busy', lagChanges: 3 },
    state: 'locked',
    reason: /busy/,
  },
  {
    title: 'another host has it',
    facts: { failure: failure('locked') },
    state: 'locked',
    reason: /next step/,
  },
  { title: 'it never answered', facts: { status: null }, state: 'unreachable', reason: /not answered/ },
  {
    title: 'its file is gone',
    facts: { failure: failure('file-not-found') },
    state: 'unreachable',
    reason: /next step/,
  },
  {
    title: 'its worker died',
    facts: { crash: 'Error: out of memory\n    at here', lagChanges: 3 },
    state: 'unreachable',
    reason: /^Its worker ended \(Error: out of memory\); /,
  },
  { title: 'a batch is refused', facts: { isBlocked: true, crash: 'x' }, state: 'blocked' },
  {
    title: 'a peer pruned what comes next',
    facts: { isTooOld: true, isBlocked: true },
    state: 'tooOld',
    reason: /re-bootstrap/,
  },
  {
    title: 'its file is damaged',
    facts: { failure: failure('damaged-file'), isTooOld: true },
    state: 'damaged',
  },
  { title: 'its file is empty', facts: { failure: failure('empty-file') }, state: 'damaged' },
  {
    title: 'another Concord wrote it',
    facts: {
      failure: { ...failure('locked'), code: 'other-format', found: 9, known: 1 },
      isBlocked: true,
    },
    state: 'incompatible',
    reason: /next step/,
  },
];

test.for(cases)('a replica is $state when $title', ({ facts, state, reason }) => {
  const verdict = decideReplicaState({ ...FINE, ...facts });
  expect(verdict.state).toBe(state);
  if (reason !== undefined) expect(verdict.reason).toMatch(reason);
});
