import { join } from 'node:path';

import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { openTestHost, type TestHost } from '../support/test-host.ts';

let host: TestHost;

beforeAll(async () => {
  host = await openTestHost();
});

afterAll(async () => {
  await host.close();
});

const pathOf = (name: string): string => join(host.dataDir, `${name}.db`);

const rowsOf = async (ref: string): Promise<unknown> =>
  (await host.ask('replica.query', { ref, sql: 'select id, v from t order by id' })).rows;

// The wait is SQLite's own, five seconds for a lock.
test('C064 while another program holds the file a sync waits and says so, and then goes on with nothing lost or twice', async () => {
  const { ref: a } = await host.ask('fleet.createReplica', { path: pathOf('a') });
  const { ref: b } = await host.ask('fleet.createReplica', { path: pathOf('b') });
  await host.ask('replica.exec', { ref: a, sql: 'create table t (id integer primary key, v text)' });
  await host.ask('fleet.addLink', { a, b });
  const { objects } = await host.ask('replica.catalog', { ref: a });
  await host.until(
    async () => (await host.ask('replica.catalog', { ref: b })).objects.length === objects.length,
  );

  const other = new Database(pathOf('a'));
  try {
    other.exec(`begin immediate; insert into t values (9, 'theirs')`);
    await host.ask('replica.exec', { ref: b, sql: `insert into t values (1, 'ours')` });
    await host.until(async () => (await host.replica('a')).state === 'locked');
    expect(await host.replica('a')).toMatchObject({
      reason: expect.stringContaining('Another program holds the file') as unknown,
    });
    expect(await rowsOf(a)).toEqual([]);
    other.exec('commit');
  } finally {
    other.close();
  }

  const both = [
    [1, 'ours'],
    [9, 'theirs'],
  ];
  await host.until(
    async () => JSON.stringify([await rowsOf(a), await rowsOf(b)]) === JSON.stringify([both, both]),
  );
  await host.until(async () => (await host.replica('a')).state === 'inSync');
  expect((await host.ask('replica.check', { ref: a })).problems).toEqual([]);
}, 60_000);
