import Database from 'better-sqlite3';

import { openReplicaWith } from '../bench-pair.ts';
import { openSyncPair } from '../sync-pair.ts';
import { workloadDdl } from '../workload.ts';
import type { Candidate } from './candidate.ts';
import { outcomeIn } from './sqlite-replica.ts';

/** Concord, in files, every page over the bytes of its wire. */
export const concord: Candidate = {
  share: 1,
  open: (folder) => {
    const here = openReplicaWith(folder, 'a', workloadDdl.uuid);
    const there = openReplicaWith(folder, 'b', '');
    const { play } = openSyncPair(here, there);
    return Promise.resolve({
      work: play,
      outcome: () => {
        const raw = new Database(there.path, { readonly: true });
        const outcome = outcomeIn(raw);
        raw.close();
        return outcome;
      },
    });
  },
};
