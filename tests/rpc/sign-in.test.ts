import { expect, test } from 'vitest';

import { openRpcSocket } from '../support/rpc-socket.ts';
import { openTestServer, type PlainAnswer, type TestServer } from '../support/rpc-server.ts';

const HOUR_MS = 60 * 60_000;

const post = (host: TestServer, body: unknown): Promise<PlainAnswer> =>
  host.send({
    path: '/sign-in',
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

const codeOf = (host: TestServer): string => host.server.makeSignInLink().split('#')[1] ?? '';

const cookieOf = (answer: PlainAnswer): string => answer.headers['set-cookie']?.[0] ?? '';

async function signedIn(host: TestServer): Promise<string> {
  return cookieOf(await post(host, { code: codeOf(host) })).split(';')[0] ?? '';
}

test('the code of a link signs one browser in, by a cookie that no script and no other site can use', async () => {
  const host = await openTestServer();
  const answer = await post(host, { code: codeOf(host) });
  expect(answer.status).toBe(204);
  expect(cookieOf(answer)).toMatch(
    new RegExp(`^concord_${host.server.port}=[\\w-]{43}; Path=/; Max-Age=43200; HttpOnly; SameSite=Strict$`),
  );
});

test('a code is good once', async () => {
  const host = await openTestServer();
  const code = codeOf(host);
  await post(host, { code });
  const second = await post(host, { code });
  expect({ status: second.status, cookie: cookieOf(second) }).toEqual({ status: 401, cookie: '' });
});

test('a code is good for an hour', async () => {
  const host = await openTestServer();
  const code = codeOf(host);
  host.timers.advance(HOUR_MS);
  expect((await post(host, { code })).status).toBe(401);
});

test.for([
  { title: 'a code that was never made', body: { code: 'abc' }, status: 401 },
  { title: 'a token that was never made', body: { token: 'abc.def' }, status: 401 },
  { title: 'neither code nor token', body: { name: 'ines' }, status: 400 },
  { title: 'no JSON', body: '{', status: 400 },
  { title: 'more than a sign-in is', body: JSON.stringify({ code: 'x'.repeat(5000) }), status: 400 },
])('$title signs nobody in', async ({ body, status }) => {
  const host = await openTestServer();
  const answer = await post(host, body);
  expect({ status: answer.status, cookie: cookieOf(answer), body: answer.body }).toEqual({
    status,
    cookie: '',
    body: '',
  });
});

test('a token signs in as well, and not one for sync', async () => {
  const host = await openTestServer();
  expect((await post(host, { token: host.tokenFor('read') })).status).toBe(204);
  expect((await post(host, { token: host.tokenFor('sync') })).status).toBe(401);
});

test('with the cookie the page is served, without it the sign-in page, to a program nothing', async () => {
  const host = await openTestServer();
  const cookie = await signedIn(host);
  const page = await host.send({ path: '/', headers: { cookie } });
  expect(page.body).toContain('<title>Concord</title>');
  const stranger = await host.send({ path: '/', headers: { accept: 'text/html' } });
  expect(stranger.status).toBe(401);
  expect(stranger.body).toContain('Sign in to Concord');
  const program = await host.send({ path: '/page.js' });
  expect({
    status: program.status,
    body: program.body,
    challenge: program.headers['www-authenticate'],
  }).toEqual({
    status: 401,
    body: '',
    challenge: 'Bearer',
  });
});

test('a session ends with its token', async () => {
  const host = await openTestServer();
  const answer = await post(host, { token: host.tokenFor('operate') });
  const cookie = cookieOf(answer).split(';')[0] ?? '';
  expect((await host.send({ path: '/', headers: { cookie } })).status).toBe(200);
  host.tokens.withdraw('a operate token');
  expect((await host.send({ path: '/', headers: { cookie } })).status).toBe(401);
});

test('a session ends after twelve hours, and when it is signed out', async () => {
  const host = await openTestServer();
  const [first, second] = [await signedIn(host), await signedIn(host)];
  await host.send({ path: '/sign-out', method: 'POST', headers: { cookie: first } });
  expect((await host.send({ path: '/', headers: { cookie: first } })).status).toBe(401);
  host.timers.advance(12 * HOUR_MS);
  expect((await host.send({ path: '/', headers: { cookie: second } })).status).toBe(401);
});

test('the cookie opens a socket from the own page, and from no other', async () => {
  const host = await openTestServer();
  const cookie = await signedIn(host);
  const url = `ws://127.0.0.1:${host.server.port}/rpc`;
  const own = await openRpcSocket(url, { cookie, origin: `http://127.0.0.1:${host.server.port}` });
  expect(own.opened).toBe(true);
  // A browser sends the cookie along, but always says from where.
  expect(await openRpcSocket(url, { cookie })).toMatchObject({ opened: false, status: 401 });
  expect(await openRpcSocket(url, { cookie, origin: 'http://evil.example' })).toMatchObject({
    opened: false,
    status: 403,
  });
});
