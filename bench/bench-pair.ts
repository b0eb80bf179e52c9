import { rmSync } from 'node:fs';
import { join } from 'node:path';

import type { Page } from '#shared/model/change-group.ts';
import { sha256 } from '#main/platform/sha256.ts';
import { secureRandom } from '#main/platform/secure-random.ts';
import { systemClock } from '#main/platform/system-clock.ts';
import { initReplica } from '#main/replica/init-replica.ts';
import type { PeerIdentity, Replica } from '#main/replica/replica.ts';

/** A replica of one repetition; its file goes when it is closed. */
export interface BenchedReplica {
  readonly replica: Replica;
  readonly path: string;
  /** Closes it and leaves its file. */
  readonly release: () => void;
  readonly close: () => void;
}

/** A new replica in the folder, with these statements run through Concord. */
export function openReplicaWith(folder: string, name: string, sql: string): BenchedReplica {
  const silent = (): void => undefined;
  const path = join(folder, `${name}.db`);
  const made = initReplica({
    path,
    ports: {
      clock: systemClock,
      random: secureRandom,
      hash: sha256,
      log: { info: silent, warn: silent, error: silent },
    },
    host: { id: name, address: null },
  });
  if (!made.ok) throw new Error(made.error.message);
  const ran = made.value.exec(sql);
  if (!ran.ok) throw new Error(ran.error.message);
  let isOpen = true;
  const release = (): void => {
    if (isOpen) made.value.close();
    isOpen = false;
  };
  return {
    replica: made.value,
    path,
    release,
    close: () => {
      release();
      for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
    },
  };
}

export const asPeer = (replica: Replica): PeerIdentity => ({
  ...replica.identity(),
  nowMs: systemClock.nowMs(),
});

/** Pulls page by page until nothing is left; `carry` is what the wire does to a page. */
export function pullAll(to: Replica, from: Replica, carry: (page: Page) => Page): void {
  for (;;) {
    const plan = to.planPull(asPeer(from));
    if (!plan.ok) throw new Error(plan.error.message);
    const page = from.readPage(to.identity().site, plan.value);
    if (!page.ok) throw new Error(page.error.message);
    const carried = carry(page.value);
    const report = to.admitPage(asPeer(from), carried);
    if (report.blocked !== null) throw new Error(report.blocked.message);
    if (!carried.more) return;
  }
}
