import { expect, test } from 'vitest';

import type { FeedDoor, FeedFailure } from '#main/services/feed-service.ts';
import { ok, err } from '#shared/result.ts';
import { siteId } from '../support/ids.ts';
import { openTestServer, type TestServer } from '../support/rpc-server.ts';

type Asked = Parameters<FeedDoor['read']>;

/** A feed of one change, that notes what it was asked. */
function aFeed(failure?: FeedFailure) {
  const asked: Asked[] = [];
  const door: FeedDoor = {
    read: (...given) => {
      asked.push(given);
      if (failure !== undefined) return Promise.resolve(err(failure));
      const change = {
        seq: 7,
        table: 't',
        key: { id: 9_007_199_254_740_993n },
        values: { id: 9_007_199_254_740_993n, r: 1, b: new Uint8Array([0, 255]), n: null },
        stamp: { hlc: 0n, site: siteId(1) },
      };
      const gone = { ...change, seq: 8, values: null };
      return Promise.resolve(ok({ changes: [change, gone], next: 'later', resume: 'later' }));
    },
  };
  return { door, asked };
}

const get = async (
  host: TestServer,
  path: string,
  role: 'read' | 'operate' | 'sync' | null = 'read',
): Promise<{ readonly status: number; readonly body: unknown }> => {
  const headers: Record<string, string> =
    role === null ? {} : { authorization: `Bearer ${host.tokenFor(role)}` };
  const { status, body } = await host.send({ path, headers });
  return { status, body: body === '' ? null : JSON.parse(body) };
};

test('a page of the feed as JSON: every value exactly, deletions as such, next and resume', async () => {
  const { door, asked } = aFeed();
  const host = await openTestServer({}, [], door);
  const { status, body } = await get(
    host,
    `/replicas/${siteId(1)}/changes?cursor=abc&limit=5&tables=t,a%252Cb&wait=2`,
  );
  expect(status).toBe(200);
  expect(body).toEqual({
    changes: [
      {
        seq: 7,
        table: 't',
        key: { id: { int: '9007199254740993' } },
        op: 'upsert',
        values: { id: { int: '9007199254740993' }, r: { real: '1' }, b: { blob: '00ff' }, n: null },
        hlc: `1970-01-01T00:00:00.000Z-0000-${siteId(1)}`,
      },
      {
        seq: 8,
        table: 't',
        key: { id: { int: '9007199254740993' } },
        op: 'delete',
        values: null,
        hlc: `1970-01-01T00:00:00.000Z-0000-${siteId(1)}`,
      },
    ],
    next: 'later',
    resume: 'later',
  });
  expect(asked).toEqual([[siteId(1), { cursor: 'abc', limit: 5, tables: ['t', 'a,b'], waitMs: 2_000 }]]);
});

test.for([
  ['a word that it does not know', '?since=1', 'since'],
  ['a word twice', '?limit=1&limit=2', 'limit'],
  ['a wait that is too long', '?wait=61', 'wait'],
  ['a limit that is no number', '?limit=many', 'limit'],
] as const)('F03 %s is refused by its name', async ([, search, word]) => {
  const { door, asked } = aFeed();
  const host = await openTestServer({}, [], door);
  const { status, body } = await get(host, `/replicas/x/changes${search}`);
  expect(status).toBe(400);
  expect(JSON.stringify(body)).toContain(word);
  expect(asked).toEqual([]);
});

test.for([
  ['bad-limit', 400],
  ['bad-cursor', 400],
  ['no-such-table', 404],
  ['replica-unknown', 404],
  ['cursor-lost', 410],
  ['replica-unavailable', 503],
] as const)('the refusal %s has the status %d and says why', async ([code, expected]) => {
  const host = await openTestServer({}, [], aFeed({ code, message: 'because' }).door);
  const { status, body } = await get(host, '/replicas/x/changes');
  expect(status).toBe(expected);
  expect(body).toEqual({ error: { code, message: 'because' } });
});

test('W11 without a token, or with one to sync alone, nothing of the feed is given', async () => {
  const { door, asked } = aFeed();
  const host = await openTestServer({}, [], door);
  expect((await get(host, '/replicas/x/changes', null)).status).toBe(401);
  expect((await get(host, '/replicas/x/changes', 'sync')).status).toBe(403);
  expect(asked).toEqual([]);
});

test('W11 a token for some sites reads the feed of those alone', async () => {
  const { door, asked } = aFeed();
  const host = await openTestServer({}, [], door);
  const { secret } = host.tokens.create({
    name: 'one site',
    role: 'read',
    sites: [siteId(1)],
    expiresMs: null,
  });
  const headers = { authorization: `Bearer ${secret}` };
  expect((await host.send({ path: `/replicas/${siteId(1)}/changes`, headers })).status).toBe(200);
  expect((await host.send({ path: `/replicas/${siteId(2)}/changes`, headers })).status).toBe(403);
  expect((await host.send({ path: '/replicas/till-7/changes', headers })).status).toBe(403);
  expect(asked).toHaveLength(1);
});
