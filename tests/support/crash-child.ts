import { readFileSync } from 'node:fs';
import { deserialize } from 'node:v8';

import { sha256 } from '#main/platform/sha256.ts';
import { serveReplicaOn } from '#main/replica/open-replica.ts';
import type { PeerIdentity } from '#main/replica/replica.ts';
import { watchWrites } from '#main/scenario/watch-writes.ts';
import { openDatabase } from '#main/store/open-database.ts';
import type { Page } from '#shared/model/change-group.ts';

import { createMemoryLog } from './memory-log.ts';
import { createSeededRandom } from './seeded-random.ts';

// A process that admits pages into a replica and kills itself in the middle, without a word to anybody: run by
// crash.test.ts with the file of its orders.

/** What the process is to do. */
export interface CrashOrders {
  readonly path: string;
  readonly peer: PeerIdentity;
  readonly pages: readonly Page[];
  readonly nowMs: number;
  /** Run before the pages are admitted. */
  readonly sql?: string;
  /** It dies before this write, counted from 1. */
  readonly dieAtWrite: number;
}

const [, , file] = process.argv;
// Written by the test alone.
const orders = deserialize(readFileSync(file ?? '')) as CrashOrders;
const opened = openDatabase({ path: orders.path });
if (!opened.ok) throw new Error(opened.error.message);
let writes = Number.NEGATIVE_INFINITY;
const db = watchWrites(opened.value, () => {
  writes += 1;
  if (writes >= orders.dieAtWrite) process.kill(process.pid, 'SIGKILL');
});
const served = serveReplicaOn(db, {
  path: orders.path,
  ports: {
    clock: { nowMs: () => orders.nowMs, isWallClock: false },
    random: createSeededRandom(1),
    hash: sha256,
    log: createMemoryLog(),
  },
  host: { id: 'crash', address: null },
});
if (!served.ok) throw new Error(served.error.message);
writes = 0;
if (orders.sql !== undefined) served.value.exec(orders.sql);
for (const page of orders.pages) served.value.admitPage(orders.peer, page);
served.value.close();
process.stdout.write(`${writes}`);
