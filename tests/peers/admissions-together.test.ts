import { expect, onTestFinished, test } from 'vitest';

import { createInProcessLink } from '#main/peers/in-process-link.ts';
import { pullFromPeer } from '#main/peers/pull-from-peer.ts';
import { createReplicaEndpoint } from '#main/peers/sync-endpoint.ts';
import { createReplicaWorld, problemsOf } from '../support/replica-world.ts';
import type { TestReplica } from '../support/replica-world.ts';
import { client } from '../support/sync-pair.ts';

const endpointOf = (replica: TestReplica) => ({
  ...createReplicaEndpoint({ replica: replica.core(), clock: replica.ports.clock }),
  site: replica.core().identity().site,
});

const ROWS = 40;
const CELLS = 'select id, v, w from t order by id';

test('T14 admissions that start together are taken one after the other: the newest cell is in the table and in its record', async () => {
  const world = createReplicaWorld();
  onTestFinished(world.close);
  // Pages of three rows: the two lines take turns.
  const [hub, early, late, fresh] = ['hub', 'early', 'late', 'fresh'].map((name) =>
    world.init(name, { settings: { pageFacts: 3 } }),
  ) as [TestReplica, TestReplica, TestReplica, TestReplica];
  hub.exec('create table t (id integer primary key, v text, w text)');
  for (let id = 1; id <= ROWS; id += 1) hub.exec(`insert into t values (${id}, 'hub', 'hub')`);
  early.pull(hub);
  late.pull(hub);
  for (let id = 1; id <= ROWS; id += 1) {
    // Both write every cell; on even rows the one is later, on odd rows the other.
    const [first, second] = id % 2 === 0 ? [early, late] : [late, early];
    world.wait(10);
    first.exec(`update t set v = '${first.name}', w = '${first.name}' where id = ${id}`);
    world.wait(10);
    second.exec(`update t set v = '${second.name}' where id = ${id}`);
  }

  const at = endpointOf(hub);
  const pulls = [early, late].map(async (peer) =>
    pullFromPeer({ endpoint: at, link: createInProcessLink({ own: at, peer: endpointOf(peer), client }) }),
  );
  const reports = await Promise.all(pulls);

  expect(reports.map(({ ended }) => ended)).toEqual(['quiet', 'quiet']);
  const expected = Array.from({ length: ROWS }, (_, place) => {
    const id = place + 1;
    return [BigInt(id), id % 2 === 0 ? 'late' : 'early', id % 2 === 0 ? 'early' : 'late'];
  });
  expect(hub.rows(CELLS)).toEqual(expected);
  // The record says the same as the table: whoever hears of it from here has the newest cells, and so have the authors.
  fresh.pull(hub);
  early.pull(hub);
  late.pull(hub);
  for (const replica of [fresh, early, late]) expect(replica.rows(CELLS)).toEqual(expected);
  expect([hub, early, late, fresh].flatMap(problemsOf)).toEqual([]);
});
