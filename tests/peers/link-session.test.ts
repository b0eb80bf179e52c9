import { expect, onTestFinished, test } from 'vitest';

import { createInProcessLink } from '#main/peers/in-process-link.ts';
import { createListeners } from '#main/peers/create-listeners.ts';
import { createLinkSession, type LinkSession } from '#main/peers/link-session.ts';
import type { LinkState } from '#main/peers/link-state.ts';
import type { LinkError, PeerLink } from '#main/peers/peer-link.ts';
import type { SyncReport } from '#main/peers/sync-report.ts';
import { err, ok } from '#shared/result.ts';
import { createFakeEndpoint } from '../support/fake-endpoint.ts';
import { createManualTimers } from '../support/manual-timers.ts';
import { createMemoryLog } from '../support/memory-log.ts';
import { client } from '../support/sync-pair.ts';

/** A session by which `b` pulls from `a`, over links that the test can refuse and break. */
function aSession() {
  const timers = createManualTimers(1_000_000);
  const a = createFakeEndpoint({ number: 1, nowMs: timers.nowMs });
  const b = createFakeEndpoint({ number: 2, nowMs: timers.nowMs });
  const log = createMemoryLog();
  const breaks = createListeners<LinkError>();
  let refusal: LinkError | null = null;
  let connects = 0;

  const session = createLinkSession({
    endpoint: b,
    clock: { nowMs: timers.nowMs, isWallClock: false },
    random: { bytes: () => Uint8Array.of(0) },
    timers,
    log,
    connect: async () => {
      connects += 1;
      return refusal === null ? ok(breakable()) : err(refusal);
    },
  });
  onTestFinished(session.close);

  function breakable(): PeerLink {
    const link = createInProcessLink({ own: b, peer: a, client });
    return { ...link, onClosed: (listener) => breaks.add(listener) };
  }

  return {
    ...{ a, b, session, timers, log },
    connects: () => connects,
    refuse: (error: LinkError | null) => {
      refusal = error;
    },
    breakLink: (why: LinkError) => breaks.tell(why),
    nextReport: async () => reportOf(session),
  };
}

const reportOf = async (session: LinkSession): Promise<SyncReport> =>
  new Promise((resolve) => {
    const off = session.onReport((report) => {
      off();
      resolve(report);
    });
  });

const UNREACHABLE: LinkError = { code: 'unreachable', reason: 'ECONNREFUSED' };

test('pulls at the start and at each new head', async () => {
  const { a, b, session, nextReport } = aSession();
  a.write('1');

  const first = nextReport();
  session.start();
  await first;
  const second = nextReport();
  a.write('2');
  await second;

  expect(b.notes()).toEqual(['1', '2']);
  expect(session.state()).toMatchObject({
    phase: 'idle',
    connected: true,
    lastSyncMs: 1_000_000,
    failures: 0,
  });
});

test('does nothing before its start', async () => {
  const { session, connects } = aSession();

  const report = await session.syncNow();

  expect(report.ended).toBe('paused');
  expect(connects()).toBe(0);
});

test('a head that was told while a page was on its way is asked for right after', async () => {
  const { a, b, session, nextReport } = aSession();
  a.write('1');
  const unsubscribe = b.onHead(() => {
    unsubscribe();
    a.write('2');
  });

  const first = nextReport();
  session.start();
  await first;
  await nextReport();

  expect(b.notes()).toEqual(['1', '2']);
});

test('a head that is known already is not asked for', async () => {
  const { a, session, nextReport } = aSession();
  a.write('1');
  const first = nextReport();
  session.start();
  await first;
  const reads = a.calls().length;

  a.write();
  await session.pause();

  expect(a.calls().length).toBe(reads);
});

// Guards SYNC-007, as does the next.
test('W06 a passing error is tried again after 1 s, doubling, until it comes through', async () => {
  const { a, session, timers, refuse, nextReport } = aSession();
  refuse(UNREACHABLE);
  let done = nextReport();
  session.start();
  await done;
  const waits: number[] = [];

  for (const _ of [1, 2, 3, 4, 5, 6, 7, 8]) {
    const [wait] = timers.pending();
    waits.push(wait ?? 0);
    done = nextReport();
    timers.advance(wait ?? 0);
    await done;
  }
  const waiting = session.state();
  refuse(null);
  a.write('1');
  done = nextReport();
  timers.advance(60_000);
  await done;

  expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
  expect(waiting).toMatchObject({ phase: 'waiting', connected: false, failures: 9, lastError: UNREACHABLE });
  expect(waiting.nextTryMs).toBe(timers.nowMs());
  expect(session.state()).toMatchObject({ phase: 'idle', failures: 0, lastError: null, nextTryMs: null });
});

test.for<LinkError>([
  { code: 'unauthorized' },
  { code: 'forbidden' },
  { code: 'no-common-protocol', ours: [1, 1], theirs: [2, 2] },
  { code: 'refused', refusal: { code: 'duplicate-site', message: '' } },
  { code: 'peer-failed', peerCode: 'bad-message', fatal: true },
])('W06 a fatal error stops it until a person asks: $code', async (error) => {
  const { session, timers, refuse, connects, nextReport } = aSession();
  refuse(error);
  let done = nextReport();
  session.start();
  await done;

  expect(session.state()).toMatchObject({ phase: 'stopped', lastError: error, nextTryMs: null });
  expect(timers.pending()).toEqual([]);

  refuse(null);
  done = nextReport();
  void session.syncNow();
  await done;

  expect(session.state()).toMatchObject({ phase: 'idle', lastError: null });
  expect(connects()).toBe(2);
});

test('a link that ends by itself is opened again', async () => {
  const { a, b, session, timers, breakLink, connects, nextReport } = aSession();
  let done = nextReport();
  session.start();
  await done;

  breakLink({ code: 'timed-out', afterMs: 45_000 });
  expect(session.state()).toMatchObject({ phase: 'waiting', connected: false });
  a.write('1');
  done = nextReport();
  timers.advance(1_000);
  await done;

  expect(b.notes()).toEqual(['1']);
  expect(connects()).toBe(2);
});

test('T15 a blocked line keeps its link, tries again by itself, and comes free', async () => {
  const { a, b, session, timers, connects, nextReport } = aSession();
  a.write('1', '2');
  b.refuse('2');
  let done = nextReport();
  session.start();
  await done;
  const blocked = session.state();

  b.accept('2');
  done = nextReport();
  timers.advance(1_000);
  await done;

  expect(blocked).toMatchObject({ phase: 'waiting', connected: true, blocked: { object: '2' }, failures: 1 });
  expect(b.calls()).toContain('retryBlocked');
  expect(session.state()).toMatchObject({ phase: 'idle', blocked: null, failures: 0 });
  expect(connects()).toBe(1);
});

test('news at the peer bring the next try of a blocked line nearer, though not below 1 s', async () => {
  const { a, b, session, timers, nextReport } = aSession();
  a.write('1');
  b.refuse('1');
  let done = nextReport();
  session.start();
  await done;
  for (let tries = 0; tries < 5; tries += 1) {
    done = nextReport();
    timers.advance(timers.pending()[0] ?? 0);
    await done;
  }

  expect(timers.pending()).toEqual([32_000]);
  a.write('the answer');
  expect(timers.pending()).toEqual([1_000]);
  a.write('more');
  expect(timers.pending()).toEqual([1_000]);
});

test('a pause takes the link down, whatever happens meanwhile; a start takes it up', async () => {
  const { a, b, session, timers, nextReport } = aSession();
  let done = nextReport();
  session.start();
  await done;

  await session.pause();
  a.write('1');
  timers.advance(600_000);
  const report = await session.syncNow();

  expect(report.ended).toBe('paused');
  expect(session.state()).toMatchObject({ phase: 'paused', connected: false });
  expect(b.notes()).toEqual([]);
  expect(a.listeners()).toBe(0);

  done = nextReport();
  session.start();
  await done;
  expect(b.notes()).toEqual(['1']);
});

test('a pause in the middle lets the page under way land, and no more', async () => {
  const { a, b, session } = aSession();
  const states: LinkState['phase'][] = [];
  session.onChange(({ phase }) => states.push(phase));
  a.write('1');

  session.start();
  await session.pause();

  expect(states.at(-1)).toBe('paused');
  expect(b.notes().length).toBeLessThanOrEqual(1);
  expect(a.listeners()).toBe(0);
});

test('what is closed stays closed', async () => {
  const { session, connects } = aSession();

  await session.close();
  session.start();
  const report = await session.syncNow();

  expect(report.ended).toBe('paused');
  expect(connects()).toBe(0);
});

test('a bug is logged, shown as internal, and tried again', async () => {
  const { a, session, log, timers, nextReport } = aSession();
  const done = nextReport();
  a.refusePulls({
    get code(): 'too-old' {
      throw new Error('boom');
    },
    message: '',
  });
  session.start();
  await done;

  expect(log.events()).toEqual(['error peers.sync-threw']);
  expect(session.state()).toMatchObject({ phase: 'waiting', lastError: { code: 'internal' } });
  expect(timers.pending()).toEqual([1_000]);
});
