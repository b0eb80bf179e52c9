import { expect, test } from 'vitest';

import { securityHeaders } from '#main/rpc/security-headers.ts';
import { noFeed, noMetrics, openTestServer, type TestServer } from '../support/rpc-server.ts';

const bearer = (host: TestServer): Readonly<Record<string, string>> => ({
  authorization: `Bearer ${host.tokenFor('read')}`,
});

test.for([
  { title: 'a foreign Host', path: '/sign-in', headers: { host: 'evil.example' }, status: 403 },
  {
    title: 'a Host of another name and our port',
    path: '/',
    headers: { host: 'evil.example:80' },
    status: 403,
  },
  { title: 'a foreign Origin', path: '/sign-in', headers: { origin: 'https://evil.example' }, status: 403 },
  { title: 'another method', path: '/', method: 'DELETE', headers: {}, status: 405 },
  { title: 'a post to nowhere', path: '/', method: 'POST', headers: {}, status: 405 },
])('$title is refused with $status', async ({ title: _title, status, ...wish }) => {
  const host = await openTestServer();
  const answer = await host.send(wish);
  expect({ status: answer.status, body: answer.body }).toEqual({ status, body: '' });
});

test.for([
  { title: 'a file that is not there', path: '/none.js' },
  { title: 'a way out of the folder', path: '/../secrets.json' },
  { title: 'an encoded way out', path: '/%2e%2e/secrets.json' },
  { title: 'a way out behind an own folder', path: '/assets/../../secrets.json' },
  { title: 'a backslash', path: '/..%5csecrets.json' },
  { title: 'a zero byte', path: '/page.js%00.html' },
  { title: 'broken encoding', path: '/%e0%a4%a.js' },
  { title: 'the console database beside the page', path: '/console.db' },
])('$title is not found', async ({ path }) => {
  const host = await openTestServer();
  expect((await host.send({ path, headers: bearer(host) })).status).toBe(404);
});

test('every screen has an address of its own: a path without an extension is the page', async () => {
  const host = await openTestServer();
  const answer = await host.send({ path: '/replica/abc?tab=catalog', headers: bearer(host) });
  expect({ status: answer.status, type: answer.headers['content-type'] }).toEqual({
    status: 200,
    type: 'text/html; charset=utf-8',
  });
});

test('every answer carries the policy, and the page may connect to its own host alone', async () => {
  const host = await openTestServer();
  const own = `ws://127.0.0.1:${host.server.port}`;
  for (const path of ['/sign-in', '/none.js', '/page.js']) {
    const { headers } = await host.send({ path, headers: bearer(host) });
    expect(headers).toMatchObject(securityHeaders([own]));
  }
});

test('a second server on the port is told that it is taken', async () => {
  const { openHttpServer } = await import('#main/rpc/open-http-server.ts');
  const host = await openTestServer();
  const { port } = host.server;
  const second = await openHttpServer(
    { host: '127.0.0.1', port, names: [], tls: null, rendererDir: '.', operator: 'ines' },
    {
      rpcHost: { dispatch: () => Promise.reject(new Error('never asked')), onPush: () => () => undefined },
      feed: noFeed,
      metrics: noMetrics,
      handleSyncUpgrade: () => false,
      tokens: host.tokens,
      clock: { nowMs: host.timers.nowMs, isWallClock: false },
      random: { bytes: (count) => new Uint8Array(count) },
      timers: host.timers,
      log: host.log,
    },
  );
  expect(second).toEqual({ ok: false, error: { code: 'port-in-use', host: '127.0.0.1', port } });
});
