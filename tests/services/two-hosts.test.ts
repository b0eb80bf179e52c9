import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { queryPlain } from '#main/store/plain-connection.ts';
import { openTestHost, type TestHost } from '../support/test-host.ts';

// Two hosts on one machine: `near` shows and acts on what `far` holds, and both sync over a WebSocket with a token.

let near: TestHost;
let far: TestHost;

beforeAll(async () => {
  near = await openTestHost();
  far = await openTestHost();
});

afterAll(async () => {
  await near.close();
  await far.close();
});

const pathAt = (host: TestHost, name: string): string => join(host.dataDir, `${name}.db`);

async function make(host: TestHost, name: string, sql?: string): Promise<string> {
  const { ref } = await host.ask('fleet.createReplica', { path: pathAt(host, name) });
  if (sql !== undefined) await host.ask('replica.exec', { ref, sql });
  return ref;
}

const ITEM = 'create table item (id integer primary key, name text)';

async function countItems(host: TestHost, ref: string): Promise<unknown> {
  const answer = await host.client.call('replica.query', { ref, sql: 'select count(*) from item' });
  return answer.ok ? answer.value.rows[0]?.[0] : answer.error.code;
}

test.for([
  { title: 'a wrong token', token: 'abc.def', code: 'token-refused' },
  { title: 'a token for sync alone', token: null, code: 'token-refused' },
])('another host is not shown with $title', async ({ token, code }) => {
  const given = token ?? far.tokenFor('sync');
  expect(await near.client.call('fleet.connectHost', { url: far.url, token: given })).toEqual({
    ok: false,
    error: { code, url: far.url },
  });
  expect((await near.ask('fleet.get', {})).hosts).toEqual([]);
});

test('an address where nobody answers, or that is none, is said', async () => {
  expect(
    await near.client.call('fleet.connectHost', { url: 'http://127.0.0.1:1', token: 'x' }),
  ).toMatchObject({
    error: { code: 'host-not-reached', detail: 'ECONNREFUSED' },
  });
  expect(await near.client.call('fleet.connectHost', { url: 'ftp://far', token: 'x' })).toMatchObject({
    error: { code: 'bad-url' },
  });
});

test('a host does not show itself', async () => {
  const { replicas } = await near.ask('fleet.get', {});
  const self = { url: near.url.replace('127.0.0.1', 'localhost'), token: near.tokenFor('operate') };
  expect(await near.client.call('fleet.connectHost', self)).toMatchObject({ error: { code: 'host-exists' } });
  expect(await near.ask('fleet.get', {})).toMatchObject({ hosts: [], replicas });
});

test('replicas of another host are shown and acted on as own ones', async () => {
  const refThere = await make(far, 'till', ITEM);
  const { refs } = await near.ask('fleet.connectHost', { url: far.url, token: far.tokenFor('operate') });
  expect(refs).toHaveLength(1);
  const [ref = ''] = refs;
  expect(await near.replica('till')).toMatchObject({
    ref,
    host: far.url,
    path: pathAt(far, 'till'),
    state: 'inSync',
  });
  expect(await near.ask('replica.catalog', { ref })).toEqual(
    await far.ask('replica.catalog', { ref: refThere }),
  );
  await near.ask('replica.exec', { ref, sql: "insert into item values (1, 'tea')" });
  expect(await countItems(far, refThere)).toBe(1);
  expect(await near.client.call('fleet.remove', { ref })).toEqual({
    ok: false,
    error: { code: 'on-remote-host', url: far.url },
  });
  expect(await near.client.call('fleet.connectHost', { url: far.url, token: 'x' })).toMatchObject({
    error: { code: 'host-exists' },
  });
});

test('a failure at the other host names the replica as it is named here', async () => {
  const { ref } = await near.replica('till');
  const missing = `${ref.split('/')[0] ?? ''}/none`;
  expect(await near.client.call('replica.catalog', { ref: missing })).toEqual({
    ok: false,
    error: { code: 'replica-unknown', ref: missing },
  });
});

test('what changes there is pushed here, under its name here', async () => {
  const { ref } = await near.replica('till');
  const isPushed = () => near.pushes.some(({ push }) => push.topic === 'replica' && push.ref === ref);
  await far.ask('replica.exec', { ref: ref.split('/')[1] ?? '', sql: "insert into item values (2, 'jam')" });
  await near.until(async () => Promise.resolve(isPushed()));
});

test('catalogs here and there are compared, and a statement is rehearsed on both', async () => {
  const till = await near.replica('till');
  const scale = await make(near, 'scale', 'create table item (id integer primary key, name blob)');
  for (const [left, right] of [
    [scale, till.ref],
    [till.ref, scale],
  ] as const) {
    expect(await near.ask('catalog.diff', { left, right, explain: false })).toMatchObject({
      counts: { different: 1 },
      items: [{ name: 'item', differences: [{ kind: 'type', subject: 'name' }] }],
    });
  }
  const sql = 'alter table item add column price real';
  expect(await near.ask('catalog.rehearse', { at: till.ref, sql, on: [scale] })).toMatchObject([
    { ref: till.ref, name: 'till', role: 'author', rehearsal: { outcome: 'executes' } },
    { ref: scale, name: 'scale', role: 'receiver', rehearsal: { outcome: 'waits' } },
  ]);
  expect(await near.ask('catalog.rehearse', { at: scale, sql, on: [till.ref] })).toMatchObject([
    { rehearsal: { outcome: 'executes' } },
    { ref: till.ref, note: null, rehearsal: { outcome: 'waits' } },
  ]);
  await near.ask('fleet.remove', { ref: scale });
});

test('a replica here and one there sync both ways over one socket', async () => {
  const till = await near.replica('till');
  const here = await make(near, 'office');
  const { id } = await near.ask('fleet.addLink', { a: here, b: till.ref });
  await near.until(async () => (await countItems(near, here)) === 2);
  await near.ask('replica.exec', { ref: here, sql: "insert into item values (3, 'rum')" });
  await near.until(async () => (await countItems(near, till.ref)) === 3);
  const linkNow = async () => (await near.ask('fleet.get', {})).links.find((link) => link.id === id);
  await near.until(async () => {
    const link = await linkNow();
    return link?.health === 'healthy' && link.lagAtoB === 0 && link.lagBtoA === 0;
  });
  expect(await linkNow()).toMatchObject({ via: 'webSocket', bName: 'till' });
});

test('a peer is reached with a token for sync alone, and syncs both ways', async () => {
  const there = await make(far, 'shared', `${ITEM}; insert into item values (1, 'tea')`);
  const here = await make(near, 'mine');
  const site = (await far.ask('replica.get', { ref: there })).status?.site ?? '';
  const url = `${far.url.replace('http', 'ws')}/${site}`;
  await near.ask('fleet.addPeer', { ref: here, url, token: far.tokenFor('sync'), name: 'shared at far' });
  await near.until(async () => (await countItems(near, here)) === 1);
  await near.ask('replica.exec', { ref: here, sql: "insert into item values (2, 'jam')" });
  await near.ask('fleet.syncNow', { refs: [here] });
  expect(queryPlain(pathAt(far, 'shared'), 'select count(*) from item')).toEqual({ ok: true, value: [[2n]] });
});

test('W11: without a token, or with one that may only read, nothing arrives and the link says why', async () => {
  const there = await make(far, 'closed', `${ITEM}; insert into item values (1, 'tea')`);
  const here = await make(near, 'stranger');
  const site = (await far.ask('replica.get', { ref: there })).status?.site ?? '';
  const url = `${far.url.replace('http', 'ws')}/${site}`;
  const link = await near.ask('fleet.addPeer', { ref: here, url, token: 'abc.def' });
  const linkNow = async () => (await near.ask('fleet.get', {})).links.find(({ id }) => id === link.id);
  await near.until(async () => (await linkNow())?.health === 'unreachable');
  expect(await linkNow()).toMatchObject({
    reason: 'The peer does not know the token: give the link a new one.',
  });
  expect((await near.ask('replica.checklist', { ref: here })).items[1]).toMatchObject({
    check: 'identity',
    verdict: 'stops',
  });

  await near.ask('fleet.removeLink', link);
  const reader = await near.ask('fleet.addPeer', { ref: here, url, token: far.tokenFor('read') });
  const readerNow = async () => (await near.ask('fleet.get', {})).links.find(({ id }) => id === reader.id);
  await near.until(async () => (await readerNow())?.health === 'unreachable');
  expect(await readerNow()).toMatchObject({
    reason: 'The token may not sync this replica: give the link one that may.',
  });
  expect((await near.ask('replica.catalog', { ref: here })).objects).toEqual([]);
});

test('a file that another host holds is read and not written', async () => {
  await make(far, 'held there', `${ITEM}; insert into item values (1, 'tea')`);
  near.addToFleet({ ref: 'read-only', path: pathAt(far, 'held there'), name: 'held there, read here' });
  await near.until(async () => {
    const { replicas } = await near.ask('fleet.get', {});
    return replicas.some(({ ref, status }) => ref === 'read-only' && status !== null);
  });
  const here = await near.replica('held there, read here');
  expect(here).toMatchObject({ state: 'locked', reason: expect.stringContaining(far.url) as unknown });
  const { objects } = await near.ask('replica.catalog', { ref: here.ref });
  expect(objects.map(({ name, rows }) => [name, rows])).toEqual([['item', 1]]);
  expect(await near.client.call('replica.exec', { ref: here.ref, sql: 'delete from item' })).toMatchObject({
    error: { code: 'replica-unavailable', state: 'locked' },
  });
  await near.ask('fleet.remove', { ref: here.ref });
});

test('two replicas of the other host are linked there', async () => {
  await make(far, 'one');
  await make(far, 'two');
  await near.until(async () => (await near.ask('fleet.get', {})).replicas.some(({ name }) => name === 'two'));
  const [one, two] = [await near.replica('one'), await near.replica('two')];
  const { id } = await near.ask('fleet.addLink', { a: one.ref, b: two.ref });
  const { links } = await far.ask('fleet.get', {});
  expect(links.map((link) => `${one.ref.split('/')[0] ?? ''}/${link.id}`)).toContain(id);
  await near.ask('fleet.pauseLink', { id });
  expect((await far.ask('fleet.get', {})).links.find((link) => id.endsWith(link.id))).toMatchObject({
    paused: true,
  });
});

test('a host that withdraws the token is shown as not reached, its replicas as last heard', async () => {
  far.withdraw('operate');
  await near.until(async () => (await near.replica('till')).state === 'unreachable');
  const till = await near.replica('till');
  expect(till.status).not.toBeNull();
  expect((await near.ask('fleet.get', {})).hosts).toMatchObject([{ url: far.url, reachable: false }]);
  expect(await near.client.call('replica.catalog', { ref: till.ref })).toMatchObject({
    error: { code: 'replica-unavailable', state: 'unreachable', ref: till.ref },
  });
});

test('a host that is taken out takes its replicas and the links to them along', async () => {
  await near.ask('fleet.disconnectHost', { url: far.url });
  const { replicas, links, hosts } = await near.ask('fleet.get', {});
  expect(hosts).toEqual([]);
  expect(replicas.every(({ host }) => host === 'this machine')).toBe(true);
  expect(links.every(({ b }) => !b?.includes('/'))).toBe(true);
});
