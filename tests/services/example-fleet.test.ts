import { afterAll, beforeAll, expect, test } from 'vitest';

import type { BlockedBrief } from '#shared/api/fleet-replica.ts';
import { openTestHost, type TestHost } from '../support/test-host.ts';

// The way of issue 2 through one host: the example, three stuck replicas, a look at both answers, one decision, and
// the others free by themselves. The tests build on each other, in order.

let host: TestHost;
let stuck: { readonly ref: string; readonly name: string; readonly blocked: BlockedBrief };

beforeAll(async () => {
  host = await openTestHost();
  await host.ask('fleet.makeExample', {});
  await host.until(async () => (await stuckNames()).length === 3);
  const hq = await host.replica('hq');
  const [blocked] = hq.blocked;
  if (blocked === undefined) throw new Error('hq is not blocked.');
  stuck = { ref: hq.ref, name: hq.name, blocked };
});

afterAll(() => host.close());

async function stuckNames(): Promise<readonly string[]> {
  const { replicas } = await host.ask('fleet.get', {});
  return replicas.filter(({ state }) => state === 'blocked').map(({ name }) => name);
}

test('three of five replicas are blocked on the same definition of orders', async () => {
  const { replicas, links, exampleExists } = await host.ask('fleet.get', {});
  expect(replicas.map(({ name, group }) => [name, group])).toEqual([
    ['hq', 'Head office'],
    ['harbour', 'Harbour Street'],
    ['till-1', 'Harbour Street'],
    ['till-2', 'Harbour Street'],
    ['market', 'Market Square'],
  ]);
  expect(await stuckNames()).toEqual(['hq', 'harbour', 'market']);
  const conflicts = replicas.flatMap(({ blocked }) =>
    blocked.map(({ object, conflictId }) => [object, conflictId]),
  );
  expect(new Set(conflicts.map(String)).size).toBe(1);
  expect(exampleExists).toBe(true);
  expect(
    links.filter(({ health }) => health === 'blocked').map(({ a, b }) => [nameOf(a), nameOf(b)]),
  ).toEqual([
    ['hq', 'harbour'],
    ['harbour', 'market'],
  ]);

  function nameOf(ref: string | null): string | undefined {
    return replicas.find((replica) => replica.ref === ref)?.name;
  }
});

test('the example is made once', async () => {
  expect(await host.client.call('fleet.makeExample', {})).toMatchObject({
    error: { code: 'example-exists' },
  });
});

test('the blocked batch names both sides and who else is stuck', async () => {
  const { conflictId } = stuck.blocked;
  const detail = await host.ask('blocked.get', { ref: stuck.ref, conflictId });
  expect(detail).toMatchObject({ object: 'orders', cause: 'divergentDefinition', fromName: 'harbour' });
  expect(detail.localDdl).not.toBe(detail.remoteDdl);
  expect(detail.sides.map(({ side, name }) => [side, name])).toEqual([
    ['local', 'hq'],
    ['remote', 'till-1'],
  ]);
  expect(detail.alsoStuck.map(({ name }) => name).sort()).toEqual(['harbour', 'market']);
  expect(detail.options).toEqual(expect.arrayContaining(['takeRemote', 'keepLocal']));
});

test.for(['takeRemote', 'keepLocal'] as const)(
  '%s says beforehand what it changes where, and changes nothing',
  async (option) => {
    const { conflictId } = stuck.blocked;
    const before = await host.ask('replica.catalog', { ref: stuck.ref });
    const preview = await host.ask('blocked.preview', { ref: stuck.ref, conflictId, option });
    const roles = preview.replicas.map(({ name, role, shape }) => [
      name,
      role,
      shape === null ? null : shape.rows > 0,
    ]);
    expect(roles).toEqual([
      ['hq', 'here', true],
      ['harbour', 'stuck', true],
      ['market', 'stuck', true],
      ['till-1', 'other', true],
      ['till-2', 'other', true],
    ]);
    expect(preview.changesLocalShape).toBe(option === 'takeRemote');
    expect(preview.rowsConverted > 0).toBe(option === 'takeRemote');
    expect(await host.ask('replica.catalog', { ref: stuck.ref })).toEqual(before);
  },
);

test('the check-list stops at the blocked batch', async () => {
  const { items } = await host.ask('replica.checklist', { ref: stuck.ref });
  expect(items.map(({ check, verdict }) => [check, verdict])).toEqual([
    ['link', 'ok'],
    ['identity', 'ok'],
    ['protocol', 'ok'],
    ['clock', 'ok'],
    ['schema', 'note'],
    ['cursor', 'note'],
    ['held', 'ok'],
    ['blocked', 'stops'],
  ]);
});

test('a conflict that is not there has nothing to decide', async () => {
  const conflictId = 'AAAAAAAAAAAAAAAAAAAAAA' as BlockedBrief['conflictId'];
  const nothing = { error: { code: 'no-such-conflict' } };
  expect(await host.client.call('blocked.get', { ref: stuck.ref, conflictId })).toMatchObject(nothing);
  const wish = { ref: stuck.ref, conflictId, option: 'takeRemote', because: 'try' } as const;
  expect(await host.client.call('blocked.resolve', wish)).toMatchObject(nothing);
});

test('one decision frees all who were stuck, and is in the journal', async () => {
  const { conflictId } = stuck.blocked;
  const wish = {
    ref: stuck.ref,
    conflictId,
    option: 'takeRemote',
    because: 'the tills have the newer one',
  } as const;
  const outcome = await host.ask('blocked.resolve', wish);
  expect(outcome.replicas.map(({ name, wasStuck, stillStuck }) => [name, wasStuck, stillStuck])).toEqual([
    ['hq', true, false],
    ['harbour', true, false],
    ['market', true, false],
    ['till-1', false, false],
    ['till-2', false, false],
  ]);
  await host.until(async () => {
    const { replicas } = await host.ask('fleet.get', {});
    return replicas.every(({ state }) => state === 'inSync');
  });
  const { replicas } = await host.ask('fleet.get', {});
  expect(new Set(replicas.map(({ status }) => status?.fingerprint)).size).toBe(1);
  const journal = await host.ask('replica.journal', { ref: stuck.ref, limit: 10 });
  expect(journal).toMatchObject([
    { who: 'the test', because: 'the tills have the newer one', option: 'takeRemote' },
  ]);
  const activity = await host.ask('activity.list', { limit: 100 });
  expect(
    activity
      .filter(({ kind }) => kind === 'freed')
      .map(({ name }) => name)
      .sort(),
  ).toEqual(['harbour', 'hq', 'market']);
});

test('all rows of orders are on all replicas, whichever shape they were written in', async () => {
  const { replicas } = await host.ask('fleet.get', {});
  const counts = await Promise.all(
    replicas.map(async ({ ref }) => {
      const { objects } = await host.ask('replica.catalog', { ref });
      return objects.find(({ name }) => name === 'orders')?.rows;
    }),
  );
  expect(new Set(counts).size).toBe(1);
  expect(counts[0]).toBeGreaterThan(300);
});

test('nothing went wrong on the way', () => {
  expect(host.log.events().filter((event) => event.startsWith('error'))).toEqual([]);
});
