import { createConnection, createServer, type AddressInfo } from 'node:net';

import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';

import { pullFromPeer } from '#main/peers/pull-from-peer.ts';
import { createFakeEndpoint } from '../support/fake-endpoint.ts';
import { epoch, era, siteId } from '../support/ids.ts';
import { createManualTimers } from '../support/manual-timers.ts';
import { aHello, openRawPeer } from '../support/raw-peer.ts';
import { aHost, aServer, connect, connected, TOKENS } from '../support/sync-server.ts';

const aServedPair = async (facts = 1000) => {
  const a = createFakeEndpoint({ number: 1, facts });
  const b = createFakeEndpoint({ number: 2, facts });
  const host = aHost(a);
  const server = await aServer(host);
  return { a, b, host, server };
};

test('W15 over a socket: page after page until there is no more', async () => {
  const { a, b, server } = await aServedPair(2);
  a.write('1', '2', '3', '4', '5');
  const link = await connected({ host: server.address, site: a.site, endpoint: b });

  const report = await pullFromPeer({ endpoint: b, link });

  expect(report).toMatchObject({ ended: 'quiet', pages: 3, factsApplied: 5 });
  expect(b.notes()).toEqual(['1', '2', '3', '4', '5']);
});

test('W10 both directions over one socket: the host pulls when invited', async () => {
  const { a, b, server } = await aServedPair(2);
  a.write('from a');
  b.write('1', '2', '3');
  const link = await connected({ host: server.address, site: a.site, endpoint: b });

  await pullFromPeer({ endpoint: b, link });
  await link.invite();
  const again = await link.invite();

  expect(a.notes()).toEqual(['1', '2', '3', 'from a']);
  expect(b.notes()).toEqual(['1', '2', '3', 'from a']);
  expect(again).toMatchObject({ ok: true, value: { ended: 'quiet', read: 0 } });
});

test('the host pulls by itself when the peer tells of news, and the other way round', async () => {
  const { a, b, server } = await aServedPair();
  const link = await connected({ host: server.address, site: a.site, endpoint: b });
  const heardOfA = new Promise((resolve) => link.onHead(resolve));
  const arrived = new Promise((resolve) => a.onHead(resolve));

  b.write('from b');
  await arrived;
  const head = await heardOfA;

  expect(a.notes()).toEqual(['from b']);
  expect(head).toBe(1);
});

test('an invited pull that ends blocked says so, on both sides the same', async () => {
  const { a, b, server } = await aServedPair();
  b.write('1', '2');
  a.refuse('2');
  const link = await connected({ host: server.address, site: a.site, endpoint: b });

  const pulled = await link.invite();

  expect(pulled).toMatchObject({ ok: true, value: { ended: 'blocked', blocked: { object: '2' } } });
});

test('W09 a client that only reads pulls and is never pulled from', async () => {
  const { a, b, server } = await aServedPair();
  a.write('from a');
  b.write('from b');
  const link = await connected({ host: server.address, site: a.site, endpoint: b, offers: false });

  const report = await pullFromPeer({ endpoint: b, link });
  const pulled = await link.invite();
  const later = await pullFromPeer({ endpoint: b, link });

  expect(report).toMatchObject({ ended: 'quiet', factsApplied: 1 });
  expect(pulled).toMatchObject({ ok: true, value: { ended: 'refused', read: 0 } });
  expect(later).toMatchObject({ ended: 'quiet' });
  expect(a.notes()).toEqual(['from a']);
  expect(b.calls()).not.toContain('readPage');
});

test.for([
  { title: 'no token', token: null, site: siteId(1), code: 'unauthorized' },
  { title: 'a wrong token', token: 'guess', site: siteId(1), code: 'unauthorized' },
  {
    title: 'a wrong token, a replica that is not here',
    token: 'guess',
    site: siteId(9),
    code: 'unauthorized',
  },
  { title: 'a token without the right', token: TOKENS.none, site: siteId(1), code: 'forbidden' },
  { title: 'a token for another replica', token: TOKENS.one, site: siteId(3), code: 'forbidden' },
  {
    title: 'a token for another, a replica that is not here',
    token: TOKENS.one,
    site: siteId(9),
    code: 'forbidden',
  },
  {
    title: 'a token of all, a replica that is not here',
    token: TOKENS.all,
    site: siteId(9),
    code: 'no-such-replica',
  },
] as const)('W11 $title: $code', async ({ token, site, code }) => {
  const a = createFakeEndpoint({ number: 1 });
  const other = createFakeEndpoint({ number: 3 });
  const server = await aServer(aHost(a, other));
  const b = createFakeEndpoint({ number: 2 });

  const opened = await connect({ host: server.address, site, endpoint: b, token });

  expect(opened).toMatchObject({ ok: false, error: { code } });
  expect(server.sync.sessions()).toEqual([]);
});

// Guards SYNC-004.
test('W11 who is refused is told a status and nothing else', async () => {
  const { server } = await aServedPair();
  const here = await answerTo(server.address, { site: siteId(1), token: 'guess' });
  const notHere = await answerTo(server.address, { site: siteId(9), token: 'guess' });

  expect(here).toBe(
    'HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Bearer\r\nConnection: close\r\nContent-Length: 0\r\n\r\n',
  );
  expect(notHere).toBe(here);
});

test.for([
  { title: 'a browser', headers: 'Origin: http://evil.example\r\n', path: siteId(1), status: 403 },
  { title: 'a path without a site ID', headers: '', path: 'orders', status: 400 },
  { title: 'an upgrade that is no WebSocket', headers: 'Upgrade: h2c\r\n', path: siteId(1), status: 400 },
])('refuses $title', async ({ headers, path, status }) => {
  const { a, server, host } = await aServedPair();
  const answer = await answerTo(server.address, { site: path, token: TOKENS.all, headers });

  expect(answer).toContain(`HTTP/1.1 ${status} `);
  expect(answer).not.toContain(a.site);
  expect(host.inUse()).toBe(0);
});

test('leaves other paths to the host', async () => {
  const { server } = await aServedPair();
  const socket = new WebSocket(`${server.address}/rpc`);
  const failed = await new Promise((resolve) => socket.once('error', resolve));

  expect(failed).toBeInstanceOf(Error);
  expect(server.log.events()).toEqual([]);
});

test('a right that is withdrawn ends the session at once, and for good', async () => {
  const { a, b, host, server } = await aServedPair();
  const link = await connected({ host: server.address, site: a.site, endpoint: b });
  const ended = new Promise((resolve) => link.onClosed(resolve));

  host.withdraw();

  expect(await ended).toEqual({ code: 'unauthorized' });
  expect(await link.hello()).toMatchObject({ ok: false });
});

test('a replica that is closed says goodbye to its peers; they may come again', async () => {
  const { a, b, host, server } = await aServedPair();
  const link = await connected({ host: server.address, site: a.site, endpoint: b });
  const ended = new Promise((resolve) => link.onClosed(resolve));

  host.closeReplicas();

  expect(await ended).toMatchObject({ code: 'closed' });
});

// Guards SYNC-005.
test('an end gives the replica back, also when the other side is cut off in the middle', async () => {
  const { a, host, server } = await aServedPair();
  a.write('1', '2', '3');
  const peer = await openRawPeer(server.address, { site: a.site, token: TOKENS.all });
  peer.send(aHello());
  await peer.next();
  peer.send({ type: 'pull', facts: 1, conflicts: [] });
  const [session] = server.sync.sessions();

  peer.socket.terminate();
  await session?.over;

  expect(host.inUse()).toBe(0);
  expect(a.listeners()).toBe(0);
  expect(server.sync.sessions()).toEqual([]);
});

test('closing the server waits until no replica is in use', async () => {
  const { a, b, host, server } = await aServedPair();
  b.write('1');
  await connected({ host: server.address, site: a.site, endpoint: b });

  await server.close();

  expect(host.inUse()).toBe(0);
  expect(server.sync.sessions()).toEqual([]);
});

test('closing the server waits for who is still being let in', async () => {
  const { a, b, host } = await aServedPair();
  let letIn = (): void => undefined;
  const asked = new Promise<void>((resolve) => {
    letIn = resolve;
  });
  let proceed = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    proceed = resolve;
  });
  const slow = await aServer({
    authorize: async (request) => {
      letIn();
      await held;
      return host.authorize(request);
    },
  });
  const opening = connect({ host: slow.address, site: a.site, endpoint: b });
  await asked;

  const closing = slow.sync.close();
  proceed();
  await closing;

  expect(host.inUse()).toBe(0);
  expect((await opening).ok).toBe(false);
});

test('what the hello says is carried on: the clock with ours, the head as it was told since', async () => {
  let nowMs = 1_000_000;
  const a = createFakeEndpoint({ number: 1, nowMs: () => nowMs + 30_000 });
  const b = createFakeEndpoint({ number: 2, nowMs: () => nowMs });
  const server = await aServer(aHost(a));
  const link = await connected({ host: server.address, site: a.site, endpoint: b });
  const told = new Promise((resolve) => link.onHead(resolve));

  a.write('1', '2');
  await told;
  nowMs += 3_600_000;

  expect(await link.hello()).toMatchObject({ ok: true, value: { head: 2, nowMs: nowMs + 30_000 } });
});

test('the same site ID at both ends is refused, for good', async () => {
  const { a, server } = await aServedPair();
  const copy = createFakeEndpoint({ number: 1, era: 5 });

  const opened = await connect({ host: server.address, site: a.site, endpoint: copy });

  expect(opened).toMatchObject({
    ok: false,
    error: { code: 'refused', refusal: { code: 'duplicate-site' } },
  });
});

test('a file that was opened again takes the place of its older opening', async () => {
  const { a, b, server } = await aServedPair();
  const older = await connected({ host: server.address, site: a.site, endpoint: b });
  const ended = new Promise((resolve) => older.onClosed(resolve));
  const reopened = createFakeEndpoint({ number: 2, era: 6 });

  const newer = await connected({ host: server.address, site: a.site, endpoint: reopened });

  expect(await ended).toMatchObject({ code: 'closed' });
  expect(await newer.hello()).toMatchObject({ ok: true });
});

// Guards SYNC-006.
test('an opening that comes back after a newer one is a copy of the file, and is refused', async () => {
  const { a, b, server } = await aServedPair();
  await connected({ host: server.address, site: a.site, endpoint: b });
  await connected({
    host: server.address,
    site: a.site,
    endpoint: createFakeEndpoint({ number: 2, era: 6 }),
  });

  const back = await connected({ host: server.address, site: a.site, endpoint: b });
  const why = await new Promise((resolve) => back.onClosed(resolve));

  expect(why).toMatchObject({ code: 'refused', refusal: { code: 'duplicate-site' } });
});

test('another replica than the one that was asked for is not taken', async () => {
  const { a, b } = await aServedPair();
  const lying = {
    ...aHost(),
    authorize: async () => aHost(a).authorize({ token: TOKENS.all, site: a.site }),
  };
  const server = await aServer(lying);

  const opened = await connect({ host: server.address, site: siteId(8), endpoint: b });

  expect(opened).toMatchObject({
    ok: false,
    error: { code: 'wrong-replica', asked: siteId(8), found: a.site },
  });
});

test('W02 no common protocol version: fatal, closed, and both sides say which versions they speak', async () => {
  const a = createFakeEndpoint({ number: 1 });
  const server = await aServer(aHost(a), { protocol: [2, 3] });

  const opened = await connect({
    host: server.address,
    site: a.site,
    endpoint: createFakeEndpoint({ number: 2 }),
  });
  const peer = await openRawPeer(server.address, { site: a.site, token: TOKENS.all });
  peer.send(aHello({ protocol: [4, 9] }));
  const { code, messages } = await peer.rest();

  expect(opened).toMatchObject({
    ok: false,
    error: { code: 'no-common-protocol', ours: [1, 1], theirs: [2, 3] },
  });
  expect(messages).toMatchObject([
    { type: 'hello', protocol: [2, 3] },
    { type: 'error', code: 'no-common-protocol', fatal: true, facts: { protocol: [2, 3] } },
  ]);
  expect(code).toBe(1008);
});

test('a host that is not there is unreachable, with the reason', async () => {
  const server = await aServer(aHost());
  await server.close();

  const opened = await connect({
    host: server.address,
    site: siteId(1),
    endpoint: createFakeEndpoint({ number: 2 }),
  });
  const nonsense = await connect({
    host: 'not an address',
    site: siteId(1),
    endpoint: createFakeEndpoint({ number: 2 }),
  });

  expect(opened).toEqual({ ok: false, error: { code: 'unreachable', reason: 'ECONNREFUSED' } });
  expect(nonsense).toEqual({ ok: false, error: { code: 'unreachable', reason: 'ERR_INVALID_URL' } });
});

test.for([
  { title: 'a host that never answers', answer: null, error: { code: 'timed-out', afterMs: 10_000 } },
  { title: 'a host of another kind', answer: 'SSH-2.0-OpenSSH\r\n', error: { code: 'unreachable' } },
  {
    title: 'a web server',
    answer: 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n',
    error: { code: 'unreachable', reason: 'HTTP 200' },
  },
])('$title is no peer', async ({ answer, error }) => {
  const timers = createManualTimers();
  const strange = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      if (answer === null) timers.advance(10_000);
      else socket.end(answer);
    });
  });
  await new Promise<void>((resolve) => strange.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void strange.close());
  const { port } = strange.address() as AddressInfo;

  const opened = await connect({
    host: `ws://127.0.0.1:${port}`,
    site: siteId(1),
    endpoint: createFakeEndpoint({ number: 2 }),
    timers,
  });

  expect(opened).toMatchObject({ ok: false, error });
});

test('a host that is closing takes nobody in', async () => {
  const { a, b, server } = await aServedPair();
  await server.sync.close();

  const opened = await connect({ host: server.address, site: a.site, endpoint: b });

  expect(opened).toEqual({ ok: false, error: { code: 'unreachable', reason: 'HTTP 503' } });
});

test('a bug of the host ends the upgrade with a status and one line in the log', async () => {
  const server = await aServer({ authorize: async () => Promise.reject(new Error('boom')) });

  const answer = await answerTo(server.address, { site: siteId(1), token: TOKENS.all });

  expect(answer).toContain('HTTP/1.1 500 ');
  expect(server.log.events()).toEqual(['error peers.upgrade-threw']);
});

test('a page that cannot be read is answered as internal, and the session lives on', async () => {
  const { a, b, server, host } = await aServedPair();
  let isBroken = true;
  const served = {
    ...a,
    readPage: async (...asked: Parameters<typeof a.readPage>) =>
      isBroken ? Promise.reject(new Error('boom')) : a.readPage(...asked),
  };
  const shaky = await aServer({ ...host, authorize: aHost(served).authorize });
  a.write('1');
  const link = await connected({ host: shaky.address, site: a.site, endpoint: b });

  const failed = await pullFromPeer({ endpoint: b, link });
  isBroken = false;
  const report = await pullFromPeer({ endpoint: b, link });

  expect(failed).toMatchObject({ ended: 'failed', error: { code: 'peer-failed', peerCode: 'internal' } });
  expect(report).toMatchObject({ ended: 'quiet', factsApplied: 1 });
  expect(shaky.log.events()).toEqual(['error peers.read-page-threw']);
  expect(server.log.events()).toEqual([]);
});

test('the hello says who is there', async () => {
  const { a, server } = await aServedPair();
  a.write('1', '2');
  const peer = await openRawPeer(server.address, { site: a.site, token: TOKENS.one });

  expect(await peer.next()).toMatchObject({
    type: 'hello',
    protocol: [1, 1],
    site: a.site,
    epoch: epoch(1),
    era: era(1),
    head: 2,
    client: { name: 'test', version: '0' },
  });
  peer.socket.terminate();
});

async function answerTo(
  address: string,
  asked: { readonly site: string; readonly token: string; readonly headers?: string },
): Promise<string> {
  const { port, hostname } = new URL(address);
  const socket = createConnection(Number(port), hostname);
  const upgrade = asked.headers?.includes('Upgrade') === true ? '' : 'Upgrade: websocket\r\n';
  socket.write(
    `GET /sync/${asked.site} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\n${upgrade}${asked.headers ?? ''}` +
      `Authorization: Bearer ${asked.token}\r\n\r\n`,
  );
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
