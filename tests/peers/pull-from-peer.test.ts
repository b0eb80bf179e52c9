import { expect, test } from 'vitest';

import { createInProcessLink } from '#main/peers/in-process-link.ts';
import type { PeerLink } from '#main/peers/peer-link.ts';
import { pullFromPeer } from '#main/peers/pull-from-peer.ts';
import { err, ok } from '#shared/result.ts';
import { createFakeEndpoint } from '../support/fake-endpoint.ts';
import { aPair, client } from '../support/sync-pair.ts';

test('W15 asks page after page until there is no more', async () => {
  const { a, b, fromA } = aPair({ facts: 2 });
  a.write('1', '2', '3', '4', '5');

  const report = await pullFromPeer({ endpoint: b, link: fromA });

  expect(report).toMatchObject({ ended: 'quiet', pages: 3, read: 5, admittedGroups: 5, factsApplied: 5 });
  expect(b.notes()).toEqual(a.notes());
});

test('a quiet sync reads nothing', async () => {
  const { a, b, fromA } = aPair();
  a.write('1');
  await pullFromPeer({ endpoint: b, link: fromA });

  const report = await pullFromPeer({ endpoint: b, link: fromA });

  expect(report).toMatchObject({ ended: 'quiet', pages: 1, read: 0, admittedGroups: 0 });
});

test('tells the peer as it was heard, and how far its clock is ahead', async () => {
  const a = createFakeEndpoint({ number: 1, nowMs: () => 5_000 });
  const b = createFakeEndpoint({ number: 2, nowMs: () => 2_000 });
  a.write('1');

  const report = await pullFromPeer({
    endpoint: b,
    link: createInProcessLink({ own: b, peer: a, client }),
  });

  expect(report).toMatchObject({ skewMs: 3_000, peer: { site: a.site, head: 1, nowMs: 5_000 } });
});

test('the head of the peer is that of the last page, not of the hello', async () => {
  const { a, b, fromA } = aPair({ facts: 1 });
  a.write('1');
  const heard: number[] = [];
  const endpoint = {
    ...b,
    admitPage: async (...admitted: Parameters<typeof b.admitPage>) => {
      heard.push(admitted[0].head);
      if (heard.length === 1) a.write('2', '3');
      return b.admitPage(...admitted);
    },
  };

  const first = await pullFromPeer({ endpoint, link: fromA });
  const second = await pullFromPeer({ endpoint, link: fromA });

  expect(first.peer?.head).toBe(1);
  expect(second.peer?.head).toBe(3);
  expect(heard).toEqual([1, 3, 3]);
});

test('a peer that goes on writing is heard with each page', async () => {
  const { a, b, fromA } = aPair({ facts: 1 });
  a.write('1', '2');
  const heads: number[] = [];
  const endpoint = {
    ...b,
    planPull: async (peer: Parameters<typeof b.planPull>[0]) => {
      heads.push(peer.head);
      a.write(`more ${heads.length}`);
      return b.planPull(peer);
    },
  };

  const report = await pullFromPeer({ endpoint, link: fromA }, { shouldStop: () => heads.length === 3 });

  expect(heads).toEqual([2, 3, 4]);
  expect(report.peer?.head).toBe(5);
});

test('stops at what is refused; what came before it has landed', async () => {
  const { a, b, fromA } = aPair({ facts: 1 });
  a.write('1', '2', '3');
  b.refuse('2');

  const report = await pullFromPeer({ endpoint: b, link: fromA });

  expect(report).toMatchObject({ ended: 'blocked', factsApplied: 1, blocked: { object: '2' } });
  expect(b.notes()).toEqual(['1']);
});

test('tries what is blocked first when told so', async () => {
  const { a, b, fromA } = aPair();
  a.write('1');

  await pullFromPeer({ endpoint: b, link: fromA }, { retryBlocked: true });

  expect(b.calls()).toEqual(['retryBlocked', 'planPull', 'admitPage']);
});

// Guards SYNC-001.
test('stops between two pages when asked to, and goes on there', async () => {
  const { a, b, fromA } = aPair({ facts: 1 });
  a.write('1', '2', '3');
  let pages = 0;
  const options = { onPage: () => void (pages += 1), shouldStop: () => pages === 2 };

  const stopped = await pullFromPeer({ endpoint: b, link: fromA }, options);
  const rest = await pullFromPeer({ endpoint: b, link: fromA });

  expect(stopped).toMatchObject({ ended: 'paused', pages: 2 });
  expect(rest).toMatchObject({ ended: 'quiet', pages: 1 });
  expect(b.notes()).toEqual(['1', '2', '3']);
});

test.for([
  { code: 'too-old', ended: 'too-old', told: { error: { code: 'too-old' }, blocked: null } },
  { code: 'epoch-changed', ended: 'blocked', told: { error: null, blocked: { cause: 'epochChanged' } } },
  { code: 'duplicate-site', ended: 'blocked', told: { error: null, blocked: { cause: 'duplicateSite' } } },
] as const)('ends as $ended when the source answers $code, and when the puller finds it', async (refusal) => {
  const { code, ended, told } = refusal;
  const { a, b, fromA, fromB } = aPair();
  a.refusePulls({ code, message: 'no' });
  a.refusePlans({ code, message: 'no' });

  const bySource = await pullFromPeer({ endpoint: b, link: fromA });
  const byPuller = await pullFromPeer({ endpoint: a, link: fromB });

  expect(bySource).toMatchObject({ ended, ...told });
  expect(byPuller).toMatchObject({ ended, ...told });
  expect([a.calls(), b.calls()].flat()).toContain(`refusedBy ${code}`);
});

test('ends as unreachable when the link gives no answer', async () => {
  const { b, fromA } = aPair();
  fromA.close();

  const report = await pullFromPeer({ endpoint: b, link: fromA });

  expect(report).toMatchObject({ ended: 'unreachable', pages: 0, peer: null, error: { code: 'closed' } });
});

test('lets go of a peer that promises more for ever', async () => {
  const { a, b, fromA } = aPair();
  a.write('1');
  const endless: PeerLink = {
    ...fromA,
    pull: async (request) => {
      const page = await fromA.pull(request);
      return page.ok ? ok({ ...page.value, more: true }) : err(page.error);
    },
  };

  const report = await pullFromPeer({ endpoint: b, link: endless });

  expect(report).toMatchObject({ ended: 'failed', error: { code: 'bad-peer' } });
  expect(report.pages).toBeLessThan(20);
});

test('W10 both ways: each has what both wrote, and nothing goes back to its author', async () => {
  const { a, b, fromA, fromB } = aPair();
  a.write('from a');
  b.write('from b');

  await pullFromPeer({ endpoint: a, link: fromB });
  await pullFromPeer({ endpoint: b, link: fromA });
  const backAtA = await pullFromPeer({ endpoint: a, link: fromB });

  expect(backAtA.admittedGroups).toBe(0);
  expect(a.notes()).toEqual(['from a', 'from b']);
  expect(b.notes()).toEqual(['from a', 'from b']);
});

test('passes on what another replica wrote, with its author', async () => {
  const { a, b, fromA } = aPair();
  const c = createFakeEndpoint({ number: 3 });
  a.write('1');
  await pullFromPeer({ endpoint: b, link: fromA });

  await pullFromPeer({ endpoint: c, link: createInProcessLink({ own: c, peer: b, client }) });
  const back = await pullFromPeer({ endpoint: a, link: createInProcessLink({ own: a, peer: c, client }) });

  expect(c.notes()).toEqual(['1']);
  expect(back).toMatchObject({ read: 1, admittedGroups: 0 });
});
