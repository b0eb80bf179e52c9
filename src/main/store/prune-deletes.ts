import { HLC_COUNTER_MAX, packHlc } from '#shared/model/hlc.ts';

import { compactLog } from './compact-log.ts';
import { foldLog } from './log-fold.ts';
import { LOG_KIND } from './metadata-schema.ts';
import { raisePruned, readPrunedSeq } from './pruned-deletes.ts';
import { writeMeta } from './replica-meta.ts';
import type { ReplicaStore } from './replica-store.ts';
import { OWN_SITE_ORDINAL } from './site-registry.ts';
import { toBigInt, toNumber } from './store-database.ts';

export interface PrunedDeletes {
  readonly tombstones: number;
  readonly logEntries: number;
}

/**
 * Forgets the deletions that were recorded here before a time, and the log entries up to there that nothing refers to.
 *
 * A deletion's age is counted from when it was recorded here, not from when it was made: one that came late is kept as long as
 * any, so that who pulls regularly from this replica hears of it. What remains per author is the HLC of the newest (PRUNE-001).
 * A row keeps its life number as long as it is there. Rows that were left out of a table that was made anew go likewise.
 */
export function pruneDeletes(store: ReplicaStore, beforeMs: number): PrunedDeletes {
  const { db } = store;
  const pruned = db.transaction(() => {
    store.noticeInTransaction();
    foldLog(db, store.registry);
    const upTo = lastSeqBefore(store, beforeMs);
    const tombstones = upTo === 0 ? 0 : forget(store, upTo);
    if (tombstones > 0) writeMeta(db, 'prunedSeq', BigInt(Math.max(upTo, readPrunedSeq(store))));
    store.clocks.forget();
    return { upTo, tombstones };
  });
  return { tombstones: pruned.tombstones, logEntries: compactLog(db, pruned.upTo) };
}

/** Seq of the newest notice that was taken by a time: groups are closed in the order of their HLCs. */
function lastSeqBefore({ db }: ReplicaStore, beforeMs: number): number {
  const highest = packHlc(Math.max(0, Math.floor(beforeMs)), HLC_COUNTER_MAX);
  const found = db
    .preparePluck<[bigint]>(
      `select seq from _concord_log where kind = ${LOG_KIND.notice} and hlc <= ? order by seq desc limit 1`,
    )
    .get(highest);
  return found === undefined ? 0 : toNumber(found);
}

function forget(store: ReplicaStore, upTo: number): number {
  const { db } = store;
  // Of a dropped table nothing can come back by a row that survived elsewhere.
  const authors = db
    .prepareRaw<{ readonly upTo: number }[]>(
      `select coalesce(l.site, ${OWN_SITE_ORDINAL}), max(l.hlc)
       from (${DELETIONS}) as d join _concord_log as l on l.seq = d.seq join _concord_table as t on t.tbl = d.tbl
       where t.name is not null group by 1`,
    )
    .all({ upTo });
  for (const [site, hlc] of authors) raisePruned(store, toNumber(site), toBigInt(hlc));
  const lives = db
    .prepare<[number]>(`delete from _concord_life where seq <= ? and ${IS_GONE}`)
    .run(upTo).changes;
  return lives + db.prepare<[number]>('delete from _concord_former where seq <= ?').run(upTo).changes;
}

/**
 * Deleted, or left out of a first life: the replacement that left the row out is kept, and leaves it out again. A key that is
 * forgotten begins at life 1, so one that was left out of a later life is kept: the new row would seem to be an earlier one.
 */
const IS_GONE = `(life % 2 = 0 or (life = 1 and exists (
  select 1 from _concord_log as x where x.seq = _concord_life.seq and x.kind = ${LOG_KIND.delete})))`;

const DELETIONS = `select tbl, seq from _concord_life where seq <= @upTo and ${IS_GONE}
  union all select tbl, seq from _concord_former where seq <= @upTo`;
