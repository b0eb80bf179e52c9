import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { openTestHost, type TestHost } from '../support/test-host.ts';

let host: TestHost;
const ref = new Map<string, string>();

beforeAll(async () => {
  host = await openTestHost();
  for (const name of ['hq', 'till']) {
    const made = await host.ask('fleet.createReplica', { path: join(host.dataDir, `${name}.db`), name });
    ref.set(name, made.ref);
  }
  await exec('hq', 'create table orders (id integer primary key, note text)');
  await host.ask('fleet.addLink', { a: refOf('hq'), b: refOf('till') });
  await host.until(async () => (await catalogOf('till')).some(({ name }) => name === 'orders'));
});
afterAll(async () => host.close());

const refOf = (name: string): string => ref.get(name) ?? '';
const exec = async (name: string, sql: string) => host.ask('replica.exec', { ref: refOf(name), sql });
const catalogOf = async (name: string) => (await host.ask('replica.catalog', { ref: refOf(name) })).objects;

test('two replicas of a host are compared', async () => {
  const wish = { left: refOf('hq'), right: refOf('till') };
  expect(await host.ask('catalog.diff', { ...wish, explain: false })).toMatchObject({
    counts: { equal: 1, different: 0 },
    items: [],
  });
  expect(await host.ask('catalog.diff', { ...wish, explain: true })).toMatchObject({
    items: [
      {
        name: 'orders',
        state: 'equal',
        rules: expect.arrayContaining([expect.objectContaining({ rule: 'whiteSpace' })]) as unknown,
      },
    ],
  });
});

test('a statement is rehearsed on all of the fleet, and nothing of it is there afterwards', async () => {
  const all = await host.ask('catalog.rehearse', {
    at: refOf('hq'),
    sql: 'alter table orders add column tier text',
  });
  expect(all).toMatchObject([
    { name: 'hq', role: 'author', rehearsal: { outcome: 'executes' } },
    {
      name: 'till',
      role: 'receiver',
      note: null,
      rehearsal: {
        outcome: 'executes',
        steps: [{ reason: '`orders` had no such column here, so it was added.' }],
      },
    },
  ]);
  expect((await catalogOf('hq'))[0]?.columns.map(({ name }) => name)).toEqual(['id', 'note']);
  expect(await host.client.call('catalog.rehearse', { at: refOf('hq'), sql: 'select 1' })).toMatchObject({
    ok: false,
    error: { code: 'no-schema-statement' },
  });
});

test('what is no rehearsal of ours is refused', async () => {
  const answer = await host.client.call('replica.rehearseArrival', {
    ref: refOf('hq'),
    carried: '{"before":["x"]}',
  });
  expect(answer).toMatchObject({ ok: false, error: { code: 'copy-failed' } });
});

test('decisions about schema changes stand in the list of what happened, and in the log', async () => {
  await host.until(async () => {
    const entries = await host.ask('activity.list', { limit: 50 });
    return entries.some(({ kind, name }) => kind === 'schemaDecided' && name === 'till');
  });
  const entries = await host.ask('activity.list', { limit: 50 });
  const decided = entries.filter(({ kind }) => kind === 'schemaDecided');
  expect(decided.map(({ name, facts }) => [name, facts])).toEqual([
    [
      'till',
      {
        verdict: 'executed',
        type: 'create_table',
        object: 'orders',
        element: null,
        origin: 'hq',
        peer: 'hq',
        reason: 'There was no `orders` here, so it was made.',
      },
    ],
    ['hq', expect.objectContaining({ verdict: 'executed', peer: null, reason: 'It was written here.' })],
  ]);
  expect(host.log.events()).toContain('info schema.executed');
});

test('the history is filtered by object, verdict and type', async () => {
  const of = async (filter: object) =>
    host.ask('replica.migrations', { ref: refOf('till'), limit: 9, ...filter });
  expect(await of({ object: 'orders', verdict: 'executed', type: 'create_table' })).toHaveLength(1);
  expect(await of({ object: 'other' })).toEqual([]);
});
