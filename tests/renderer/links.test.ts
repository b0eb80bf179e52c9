import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';

import type { Request } from '#shared/api/envelope.ts';
import { createClient } from '#renderer/api/client.ts';
import { createIpcLink } from '#renderer/api/ipc-link.ts';
import { LinkLost } from '#renderer/api/link.ts';
import type { LostReason } from '#renderer/api/link.ts';
import { connectPushes, keysOfPush } from '#renderer/api/push-to-queries.ts';
import { createWebSocketLink } from '#renderer/api/web-socket-link.ts';

import { createFakeHost } from '../support/fake-host.ts';

/** A socket whose other end the test holds. */
function createFakeSocket() {
  const target = new EventTarget();
  const sent: unknown[] = [];
  return {
    socket: Object.assign(target, {
      send: (text: string) => sent.push(JSON.parse(text)),
    }) as unknown as WebSocket,
    sent,
    open: () => target.dispatchEvent(new Event('open')),
    close: () => target.dispatchEvent(new Event('close')),
    say: (message: unknown) =>
      target.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(message) })),
  };
}

/** The browser around the link: sockets it opens, timers it sets, what HTTP would say. */
function createFakeWorld(why: LostReason = 'noAnswer') {
  const sockets: ReturnType<typeof createFakeSocket>[] = [];
  const timers: { readonly run: () => void; readonly delayMs: number; cancelled: boolean }[] = [];
  return {
    sockets,
    timers,
    newest: () => {
      const socket = sockets.at(-1);
      if (socket === undefined) throw new Error('No socket was opened');
      return socket;
    },
    world: {
      openSocket: () => {
        const socket = createFakeSocket();
        sockets.push(socket);
        return socket.socket;
      },
      askWhyLost: () => Promise.resolve(why),
      nowMs: () => 1000,
      later: (run: () => void, delayMs: number) => {
        const timer = { run, delayMs, cancelled: false };
        timers.push(timer);
        return () => {
          timer.cancelled = true;
        };
      },
    },
  };
}

const aRequest = (id: number): Request => ({ id, method: 'fleet.get', input: {} });
const settled = () =>
  new Promise((resolve) => {
    queueMicrotask(() => {
      queueMicrotask(() => {
        resolve(null);
      });
    });
  });

test('a request made while the pipe opens waits for it and is answered by its id', async () => {
  const { world, newest } = createFakeWorld();
  const link = createWebSocketLink(world);
  const answer = link.send(aRequest(7));
  expect(newest().sent).toEqual([]);
  newest().open();
  expect(newest().sent).toEqual([aRequest(7)]);
  newest().say({ id: 7, result: { ok: true, value: 1 } });
  expect(await answer).toEqual({ id: 7, result: { ok: true, value: 1 } });
});

test('what is under way when the pipe breaks is lost, and later requests are refused at once', async () => {
  const { world, newest } = createFakeWorld();
  const link = createWebSocketLink(world);
  newest().open();
  const answer = link.send(aRequest(1));
  newest().close();
  await expect(answer).rejects.toBeInstanceOf(LinkLost);
  await expect(link.send(aRequest(2))).rejects.toBeInstanceOf(LinkLost);
  expect(link.state.read()).toEqual({
    status: 'lost',
    why: 'noAnswer',
    sinceMs: 1000,
    attempts: 1,
    nextTryMs: 1500,
  });
});

test('tries go on with growing waits, and stop growing', async () => {
  const { world, newest, timers } = createFakeWorld();
  createWebSocketLink(world);
  for (let round = 0; round < 8; round += 1) {
    newest().close();
    await settled();
    timers.at(-1)?.run();
  }
  expect(timers.map(({ delayMs }) => delayMs)).toEqual([500, 1000, 2000, 4000, 8000, 15_000, 15_000, 15_000]);
});

test('once it opens again the link is open and counts anew', async () => {
  const { world, newest, timers } = createFakeWorld();
  const link = createWebSocketLink(world);
  newest().open();
  newest().close();
  await settled();
  timers.at(-1)?.run();
  newest().open();
  expect(link.state.read()).toEqual({ status: 'open' });
});

test('a session that is not known any more is not tried again', async () => {
  const { world, newest, timers } = createFakeWorld('signedOut');
  const link = createWebSocketLink(world);
  newest().close();
  await settled();
  expect(timers.at(-1)?.cancelled).toBe(true);
  expect(link.state.read()).toMatchObject({ status: 'lost', why: 'signedOut', nextTryMs: null });
});

test('trying now does not wait, and does not open two sockets', async () => {
  const { world, newest, timers, sockets } = createFakeWorld();
  const link = createWebSocketLink(world);
  newest().close();
  await settled();
  link.retryNow();
  expect(timers.at(-1)?.cancelled).toBe(true);
  expect(sockets).toHaveLength(2);
  newest().open();
  link.retryNow();
  expect(sockets).toHaveLength(2);
});

test('what answers no request is a push', () => {
  const { world, newest } = createFakeWorld();
  const link = createWebSocketLink(world);
  const heard: unknown[] = [];
  const end = link.onPush((message) => heard.push(message));
  newest().open();
  newest().say({ push: { topic: 'fleet' } });
  end();
  newest().say({ push: { topic: 'held' } });
  expect(heard).toEqual([{ push: { topic: 'fleet' } }]);
});

test('over the bridge of the desktop the link is always open', async () => {
  const bridge = {
    call: (request: unknown) => Promise.resolve({ echoed: request }),
    onPush: () => () => undefined,
    pickFile: () => Promise.resolve(null),
  };
  const link = createIpcLink(bridge);
  expect(link.state.read()).toEqual({ status: 'open' });
  expect(await link.send(aRequest(3))).toEqual({ echoed: aRequest(3) });
});

test('a broken pipe is the failure host-unreachable, never a rejection', async () => {
  const { world, newest } = createFakeWorld();
  const client = createClient(createWebSocketLink(world));
  const answer = client.call('fleet.get', {});
  newest().close();
  expect(await answer).toMatchObject({ ok: false, error: { code: 'host-unreachable' } });
});

test.for([
  [{ nonsense: true }, 'no envelope at all'],
  [{ id: 1, result: { ok: true, value: { replicas: 'none' } } }, 'a value that does not fit'],
  [{ id: 1, result: { ok: false, error: { code: 'made-up' } } }, 'a failure that is not in the contract'],
])('the answer %j (%s) counts as a bug of the host', async ([answer]) => {
  const client = createClient({ ...createFakeHost().link, send: () => Promise.resolve(answer) });
  expect(await client.call('fleet.get', {})).toEqual({ ok: false, error: { code: 'internal' } });
});

test('the failures of a call and those of any call come through as they are', async () => {
  const say = (error: unknown) =>
    createClient({
      ...createFakeHost().link,
      send: () => Promise.resolve({ id: 1, result: { ok: false, error } }),
    });
  expect(await say({ code: 'replica-unknown', ref: 'x' }).call('replica.get', { ref: 'x' })).toEqual({
    ok: false,
    error: { code: 'replica-unknown', ref: 'x' },
  });
  expect(await say({ code: 'not-allowed' }).call('replica.get', { ref: 'x' })).toEqual({
    ok: false,
    error: { code: 'not-allowed' },
  });
});

test.for([
  [{ topic: 'fleet' }, [['fleet'], ['checklist']]],
  [{ topic: 'replica', ref: 'hq' }, [['replica', 'hq'], ['checklist']]],
  [{ topic: 'blocked', ref: 'hq' }, [['blocked', 'hq'], ['checklist']]],
  [{ topic: 'held' }, [['held'], ['checklist']]],
  [{ topic: 'activity' }, [['activity']]],
] as const)('a push %j is answered by asking for %j again', ([push, keys]) => {
  expect(keysOfPush(push)).toEqual(keys);
});

test('pushes that come together are answered once, and everything is asked again after a loss', () => {
  const host = createFakeHost();
  const queryClient = new QueryClient();
  const asked: unknown[] = [];
  queryClient.invalidateQueries = (filters) => {
    asked.push(filters?.queryKey ?? 'all');
    return Promise.resolve();
  };
  const runs: (() => void)[] = [];
  const later = (run: () => void) => {
    runs.push(run);
    return () => undefined;
  };
  const end = connectPushes({ link: host.link, queryClient, later });
  host.push({ topic: 'activity' });
  host.push({ topic: 'activity' });
  host.push({ topic: 'held', ref: 'hq' });
  expect(asked).toEqual([]);
  expect(runs).toHaveLength(1);
  runs[0]?.();
  expect(asked).toEqual([['activity'], ['held', 'hq'], ['checklist']]);
  host.setLinkState({ status: 'lost', why: 'noAnswer', sinceMs: 0, attempts: 1, nextTryMs: null });
  host.setLinkState({ status: 'open' });
  expect(asked.at(-1)).toBe('all');
  end();
  host.push({ topic: 'fleet' });
  expect(runs).toHaveLength(1);
});
