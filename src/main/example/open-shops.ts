import { join } from 'node:path';

import { assert, present } from '#shared/assert.ts';
import type { SiteId } from '#shared/model/ids.ts';
import type { CatalogView } from '#shared/model/views.ts';
import type { Clock, Hash, Ports, Random } from '../engine/ports.ts';
import { createInProcessLink } from '../peers/in-process-link.ts';
import { pullFromPeer } from '../peers/pull-from-peer.ts';
import { createReplicaEndpoint, type SyncEndpoint } from '../peers/sync-endpoint.ts';
import { silentLog } from '../platform/json-lines-log.ts';
import { initReplica } from '../replica/init-replica.ts';
import type { Replica } from '../replica/replica.ts';
import { createPlacedRandom } from '../scenario/seeded-random.ts';
import { SHOPS, type Act, type ShopName } from './example-story.ts';

export interface Shops {
  /** Lets one thing of the story happen, at its time. */
  readonly act: (act: Act) => Promise<void>;
  readonly site: (name: ShopName) => SiteId;
  readonly catalog: (name: ShopName) => CatalogView;
  readonly close: () => void;
}

interface Shop {
  readonly replica: Replica;
  readonly endpoint: SyncEndpoint;
}

const CLIENT = { name: 'concord example', version: '1' };
const HOST = { id: 'concord example', address: null };
/** Before the first thing of the story happens. */
const OPENING_MS = 22 * 86_400_000;

/** Makes the replicas of the shops in an empty folder, under one clock that the story moves on. */
export function openShops(deps: {
  readonly folder: string;
  readonly hash: Hash;
  readonly random: Random;
  readonly endMs: number;
}): Shops {
  let nowMs = deps.endMs - OPENING_MS;
  const clock: Clock = { nowMs: () => nowMs, isWallClock: false };
  const shops = new Map<ShopName, Shop>();
  for (const [place, { name }] of SHOPS.entries()) {
    const ports: Ports = {
      clock,
      hash: deps.hash,
      log: silentLog,
      random: createPlacedRandom(deps.random, place),
    };
    const made = initReplica({ path: join(deps.folder, `${name}.db`), ports, host: HOST });
    assert(made.ok, `the example's folder is new and ours: ${name}`);
    shops.set(name, { replica: made.value, endpoint: createReplicaEndpoint({ replica: made.value, clock }) });
  }

  return {
    act: async (act) => {
      nowMs = deps.endMs - act.agoMs;
      if (act.kind === 'sql') run(act.on, act.sql);
      else for (const [to, from] of act.pulls) await pull(to, from);
    },
    site: (name) => shop(name).replica.identity().site,
    catalog: (name) => shop(name).replica.catalog(),
    close: () => {
      for (const { replica } of shops.values()) replica.close();
    },
  };

  function shop(name: ShopName): Shop {
    return present(shops.get(name), `every shop is open: ${name}`);
  }

  function run(name: ShopName, sql: string): void {
    const result = shop(name).replica.exec(sql);
    assert(result.ok, `the story's SQL runs on ${name}: ${result.ok ? '' : result.error.message}`);
  }

  async function pull(to: ShopName, from: ShopName): Promise<void> {
    const [own, peer] = [shop(to).endpoint, shop(from).endpoint];
    const link = createInProcessLink({ own, peer, client: CLIENT });
    const report = await pullFromPeer({ endpoint: own, link });
    assert(
      report.ended === 'quiet' || report.ended === 'blocked',
      `${to} pulls from ${from}: ${report.ended}`,
    );
  }
}
