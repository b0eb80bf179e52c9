import type { Cursor } from '#shared/model/change-group.ts';

import { readMeta, writeMeta } from './replica-meta.ts';
import type { ReplicaStore } from './replica-store.ts';
import { toNumber } from './store-database.ts';

// A file that was restored or copied does not know it. It hears of it when a peer stands at a place that it never had, or has its
// site ID. Where its history parted from the one that goes by the same name is then known best, and is kept for the day on which
// a person takes the file on as a new site.

/**
 * Notes that this file's history parted from the one that others know, and after which seq. `cursor`: where a peer stands.
 *
 * The lowest such place counts. An era that the file knows parted at its end. Of one that it does not know only the beginning is
 * certain, below the cursor; without any, the file is taken to have parted when it was opened last.
 */
export function noteStray(store: ReplicaStore, cursor: Cursor | null): void {
  const seq = partedAfter(store, cursor);
  const before = readStray(store);
  if (before !== null && before <= seq) return;
  store.db.transaction(() => {
    writeMeta(store.db, 'straySeq', BigInt(seq));
  });
}

/** Seq of the last entry that this file has in common with the one that others know; null when nobody said that it strayed. */
export function readStray({ db }: Pick<ReplicaStore, 'db'>): number | null {
  const seq = readMeta(db, 'straySeq');
  return typeof seq === 'bigint' ? toNumber(seq) : null;
}

/** The last seq before this file was opened now. */
export const beforeThisEra = ({ db, era }: Pick<ReplicaStore, 'db' | 'era'>): number =>
  toNumber(db.preparePluck<[string]>('select first_seq from _concord_era where era = ?').get(era)) - 1;

function partedAfter(store: ReplicaStore, cursor: Cursor | null): number {
  const latest = beforeThisEra(store);
  if (cursor?.epoch !== store.epoch) return latest;
  const end = store.db
    .preparePluck<[string]>(
      `select n.first_seq - 1 from _concord_era as e join _concord_era as n on n.n > e.n where e.era = ? order by n.n limit 1`,
    )
    .get(cursor.era);
  if (end !== undefined) return Math.min(latest, toNumber(end));
  const below = store.db
    .preparePluck<[number]>('select max(first_seq) - 1 from _concord_era where first_seq <= ?')
    .get(cursor.seq);
  return below === undefined || below === null ? latest : Math.min(latest, toNumber(below));
}
