import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { openTestHost, type TestHost } from '../support/test-host.ts';

let host: TestHost;
beforeAll(async () => {
  host = await openTestHost();
});
afterAll(async () => {
  await host.close();
});

const read = async (role: 'read' | 'sync' | null): Promise<Response> =>
  fetch(`${host.url}/metrics`, {
    headers: role === null ? {} : { authorization: `Bearer ${host.tokenFor(role)}` },
  });

/** Sums by name and replica, over all other labels. */
async function measured(): Promise<ReadonlyMap<string, number>> {
  const text = await (await read('read')).text();
  const sums = new Map<string, number>();
  for (const [, name, replica, value] of text.matchAll(/^(\w+)\{replica="([^"]*)"[^}]*\} (\S+)$/gm)) {
    const key = `${name} ${replica}`;
    sums.set(key, (sums.get(key) ?? 0) + Number(value));
  }
  return sums;
}

test('metrics tell of each replica and peer in the text of Prometheus, and of one that left no more', async () => {
  const refs: string[] = [];
  for (const name of ['till', 'store']) {
    const { ref } = await host.ask('fleet.createReplica', { path: join(host.dataDir, `${name}.db`) });
    refs.push(ref);
  }
  const [till = '', store = ''] = refs;
  await host.ask('replica.exec', {
    ref: till,
    sql: 'create table sale (id integer primary key, total real); insert into sale values (1, 9.5), (2, 1)',
  });
  await host.ask('fleet.addLink', { a: till, b: store });
  await host.until(async () => (await host.replica('store')).status?.tables === 1);
  await host.until(async () => (await host.replica('store')).state === 'inSync');

  await expect.poll(async () => (await measured()).get('concord_admitted_migrations_total store')).toBe(1);
  const values = await measured();
  expect(values.get('concord_admitted_facts_total store')).toBe(2);
  expect(values.get('concord_replica_head till')).toBeGreaterThan(0);
  expect(values.get('concord_replica_size_bytes till')).toBeGreaterThan(4_096);
  expect(values.get('concord_replica_held_rows store')).toBe(0);
  expect(values.get('concord_replica_blocked_batches store')).toBe(0);
  expect(values.get('concord_peer_watermark store')).toBe(values.get('concord_peer_head store'));
  const text = await (await read('read')).text();
  expect(text).toMatch(/concord_replica_state\{replica="store",site="[^"]{22}",state="inSync"\} 1/);
  expect(text).toContain('# TYPE concord_admitted_facts_total counter');

  await host.ask('fleet.remove', { ref: till });
  expect((await measured()).has('concord_replica_head till')).toBe(false);
});

test('W11 metrics are for whoever may read: not without a token, not with one to sync alone', async () => {
  expect((await read(null)).status).toBe(401);
  expect((await read('sync')).status).toBe(403);
  expect((await read('read')).headers.get('content-type')).toContain('text/plain');
});
