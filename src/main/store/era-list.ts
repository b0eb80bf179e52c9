import type { Cursor } from '#shared/model/change-group.ts';
import { Era } from '#shared/model/ids.ts';

import type { Ports } from '../engine/ports.ts';
import { readLastNotice } from './log-notice.ts';
import { drawId, readEpoch } from './replica-meta.ts';
import { toNumber } from './store-database.ts';
import type { StoreDatabase, StoredValue } from './store-database.ts';

/** Begins the era of an opening by a host. Runs in a transaction. */
export function beginEra(db: StoreDatabase, ports: Pick<Ports, 'clock' | 'random'>): Era {
  const era = drawId(Era, ports.random);
  db.prepare<unknown[]>(`insert into _concord_era (first_seq, era, opened_ms) values (?, ?, ?)`).run(
    readLastNotice(db).seq + 1,
    era,
    ports.clock.nowMs(),
  );
  return era;
}

/** Notes that something was served in this opening: one write for each. Not in a transaction. */
export function noteServed({ db, era }: { readonly db: StoreDatabase; readonly era: Era }): void {
  const isNoted = db
    .preparePluck<[string]>(`select 1 from _concord_era where era = ? and served = 1`)
    .get(era);
  if (isNoted !== undefined) return;
  db.transaction(() => {
    db.prepare<[string]>(`update _concord_era set served = 1 where era = ?`).run(era);
  });
}

/** The last seq of the latest opening in which anything was served; 0 when nothing ever was. */
export function lastServedSeq(db: StoreDatabase): number {
  const n = db.preparePluck<[], bigint>(`select max(n) from _concord_era where served = 1`).get() ?? null;
  if (n === null) return 0;
  const next = db
    .preparePluck<[bigint]>(`select first_seq from _concord_era where n > ? order by n limit 1`)
    .get(n);
  return next === undefined ? readLastNotice(db).seq : toNumber(next) - 1;
}

export type CursorVerdict =
  | { readonly code: 'ok' }
  /** The file was made anew or bootstrapped since. */
  | { readonly code: 'epoch-changed' }
  /** The file was restored or copied back: the cursor's place is in no era of it. */
  | { readonly code: 'era-unknown' }
  | { readonly code: 'past-era' };

/**
 * Whether a cursor that this replica once gave still means a place in its log.
 *
 * An era ends where the next one begins, and the latest at the newest group: a cursor beyond that speaks of entries
 * that are not, or no longer, what its holder saw.
 */
export function checkCursor(db: StoreDatabase, cursor: Pick<Cursor, 'epoch' | 'era' | 'seq'>): CursorVerdict {
  if (cursor.epoch !== readEpoch(db)) return { code: 'epoch-changed' };
  const n = db.preparePluck<[string]>(`select n from _concord_era where era = ?`).get(cursor.era);
  if (n === undefined) return { code: 'era-unknown' };
  const next = db
    .preparePluck<[StoredValue]>(`select first_seq from _concord_era where n > ? order by n limit 1`)
    .get(n);
  const end = next === undefined ? readLastNotice(db).seq : toNumber(next) - 1;
  return cursor.seq > end ? { code: 'past-era' } : { code: 'ok' };
}
