import { readLastNotice } from './log-notice.ts';
import { toBigInt } from './store-database.ts';
import type { StoreDatabase } from './store-database.ts';

/**
 * Highest HLC that the file knows of, for a clock to go on above it: of the newest closed group, and of every site
 * heard of. What triggers appended since is provisional and raised at the next notice.
 */
export function recoverClock(db: StoreDatabase): bigint {
  const highest = toBigInt(db.preparePluck<[]>(`select coalesce(max(hlc_max), 0) from _concord_site`).get());
  const { hlc } = readLastNotice(db);
  return hlc > highest ? hlc : highest;
}
