import { expect, test } from 'vitest';

import { REQUEST_BYTES_MAX } from '#shared/api/envelope.ts';
import type { Handlers } from '#shared/api/types.ts';
import { ok } from '#shared/result.ts';
import { openRpcSocket, type RpcSocket } from '../support/rpc-socket.ts';
import { openTestServer, type TestServer } from '../support/rpc-server.ts';

const HANDLERS: Partial<Handlers> = {
  'activity.list': async () => ok([]),
  'fleet.remove': async () => ok(null),
};

const rpcUrl = ({ server }: TestServer): string => `ws://127.0.0.1:${server.port}/rpc`;

async function signIn(host: TestServer, secret: string): Promise<RpcSocket> {
  const upgrade = await openRpcSocket(rpcUrl(host), { authorization: `Bearer ${secret}` });
  if (!upgrade.opened) throw new Error(`refused with ${upgrade.status}`);
  return upgrade.socket;
}

interface Refusal {
  readonly title: string;
  readonly headers: (host: TestServer) => Readonly<Record<string, string>>;
  readonly path?: string;
  readonly status: number;
}

// W11. Guards HOST-001, as do the next: nothing is told without the right to hear it.
const refusals: readonly Refusal[] = [
  { title: 'no token', headers: () => ({}), status: 401 },
  { title: 'a token that was never made', headers: () => ({ authorization: 'Bearer abc.def' }), status: 401 },
  {
    title: 'the id of a token with another secret',
    headers: (host) => ({
      authorization: `Bearer ${host.tokenFor('operate').split('.')[0] ?? ''}.${'x'.repeat(43)}`,
    }),
    status: 401,
  },
  {
    title: 'another scheme',
    headers: (host) => ({ authorization: `Basic ${host.tokenFor('operate')}` }),
    status: 401,
  },
  {
    title: 'an expired token',
    headers: (host) => ({ authorization: `Bearer ${host.tokenFor('operate', host.timers.nowMs())}` }),
    status: 401,
  },
  {
    title: 'a token for sync alone',
    headers: (host) => ({ authorization: `Bearer ${host.tokenFor('sync')}` }),
    status: 403,
  },
  {
    title: 'a foreign Origin',
    headers: (host) => ({
      authorization: `Bearer ${host.tokenFor('operate')}`,
      origin: 'http://evil.example',
    }),
    status: 403,
  },
  {
    title: 'the Origin of another port',
    headers: (host) => ({
      authorization: `Bearer ${host.tokenFor('operate')}`,
      origin: 'http://127.0.0.1:1',
    }),
    status: 403,
  },
  {
    title: 'a foreign Host (DNS rebinding)',
    headers: (host) => ({ authorization: `Bearer ${host.tokenFor('operate')}`, host: 'evil.example' }),
    status: 403,
  },
  {
    title: 'another path',
    path: '/other',
    headers: (host) => ({ authorization: `Bearer ${host.tokenFor('operate')}` }),
    status: 404,
  },
  { title: 'another path and no token', path: '/other', headers: () => ({}), status: 401 },
];

test.for(refusals)(
  'W11: $title is refused with $status and not a word more',
  async ({ headers, path, status }) => {
    const host = await openTestServer(HANDLERS);
    const url = path === undefined ? rpcUrl(host) : `ws://127.0.0.1:${host.server.port}${path}`;
    expect(await openRpcSocket(url, headers(host))).toEqual({ opened: false, status, body: '' });
  },
);

test('W11: a token that may read asks and changes nothing', async () => {
  const host = await openTestServer(HANDLERS);
  const socket = await signIn(host, host.tokenFor('read'));
  socket.send(JSON.stringify({ id: 1, method: 'activity.list', input: { limit: 1 } }));
  expect(await socket.next()).toEqual({ id: 1, result: { ok: true, value: [] } });
  socket.send(JSON.stringify({ id: 2, method: 'fleet.remove', input: { ref: 'a' } }));
  expect(await socket.next()).toEqual({ id: 2, result: { ok: false, error: { code: 'not-allowed' } } });
});

test('a withdrawn token ends its sessions within a second', async () => {
  const host = await openTestServer(HANDLERS);
  const socket = await signIn(host, host.tokenFor('operate'));
  expect(host.tokens.withdraw('a operate token')).toBe(true);
  host.timers.advance(1000);
  expect(await socket.closed).toBe(1008);
});

test('a token that runs out ends its sessions within a second', async () => {
  const host = await openTestServer(HANDLERS);
  const socket = await signIn(host, host.tokenFor('operate', host.timers.nowMs() + 60_000));
  host.timers.advance(59_000);
  socket.send(JSON.stringify({ id: 1, method: 'activity.list', input: { limit: 1 } }));
  expect(await socket.next()).toMatchObject({ id: 1 });
  host.timers.advance(2_000);
  expect(await socket.closed).toBe(1008);
});

test('a message that is too large closes the socket with 1009', async () => {
  const host = await openTestServer(HANDLERS);
  const socket = await signIn(host, host.tokenFor('operate'));
  socket.send('x'.repeat(REQUEST_BYTES_MAX + 1));
  expect(await socket.closed).toBe(1009);
});

test('bytes instead of text close the socket with 1003', async () => {
  const host = await openTestServer(HANDLERS);
  const socket = await signIn(host, host.tokenFor('operate'));
  socket.send(new Uint8Array([1, 2, 3]));
  expect(await socket.closed).toBe(1003);
});

test('what is no JSON is answered as a bad request', async () => {
  const host = await openTestServer(HANDLERS);
  const socket = await signIn(host, host.tokenFor('operate'));
  socket.send('{');
  expect(await socket.next()).toMatchObject({
    id: -1,
    result: { ok: false, error: { code: 'bad-request' } },
  });
});

test('more calls than are answered at once wait and are all answered', async () => {
  const host = await openTestServer(HANDLERS);
  const socket = await signIn(host, host.tokenFor('operate'));
  const ids = Array.from({ length: 200 }, (_, id) => id);
  for (const id of ids) socket.send(JSON.stringify({ id, method: 'activity.list', input: { limit: 1 } }));
  const answers = [];
  while (answers.length < ids.length) answers.push(await socket.next());
  expect(answers.map((answer) => (answer as { readonly id: number }).id).sort((a, b) => a - b)).toEqual(ids);
});

test('a socket that answers no ping is cut', async () => {
  const host = await openTestServer(HANDLERS);
  const socket = await signIn(host, host.tokenFor('operate'));
  // Two rounds without a turn of the loop in between: the pong of the first cannot have come.
  host.timers.advance(60_000);
  expect(await socket.closed).toBe(1006);
});
