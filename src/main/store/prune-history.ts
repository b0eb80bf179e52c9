import { readMeta, writeMeta } from './replica-meta.ts';
import type { ReplicaStore } from './replica-store.ts';
import { toNumber } from './store-database.ts';

const DAY_MS = 86_400_000;

/**
 * Prunes the history when a day has passed since it was last looked through. Returns how many entries went.
 *
 * Runs in a transaction of its own; a day on which nothing is due costs one read.
 */
export function pruneHistory(store: ReplicaStore): number {
  const { db, ports } = store;
  const nowMs = ports.clock.nowMs();
  const last = readMeta(db, 'historyPrunedMs') ?? readMeta(db, 'createdMs');
  if (typeof last === 'bigint' && Math.abs(nowMs - Number(last)) < DAY_MS) return 0;
  return db.transaction(() => {
    writeMeta(db, 'historyPrunedMs', BigInt(nowMs));
    return pruneHistoryBefore(store, nowMs - store.settings.historyMs);
  });
}

/**
 * Takes out of the history what is older than its retention, or beyond its count, and what nothing can ask for any more
 * (HISTORY-001). Returns how many entries went. Runs in a transaction of the caller.
 *
 * Kept whatever their age: what is in force, every creation, drop and decision, what a live table's shape is made of, and
 * the names that it had: references by name may mean it by one of them.
 * A late migration is judged by these alone; what lost to them would lose again.
 */
export function pruneHistoryBefore(store: ReplicaStore, before: number): number {
  const { db, ports, settings } = store;
  const all = toNumber(db.preparePluck<[]>('select count(*) from _concord_migration').get());
  const excess = Math.max(0, all - settings.historyEntries);
  const remove = db.prepare<[bigint]>('delete from _concord_migration where n = ?');
  let pruned = 0;
  for (const candidate of readCandidates(store)) {
    if (candidate.admittedMs >= before && pruned >= excess) continue;
    remove.run(BigInt(candidate.n));
    pruned += 1;
  }
  if (pruned > 0) ports.log.info('history.pruned', { entries: pruned });
  return pruned;
}

interface Candidate {
  readonly n: number;
  readonly admittedMs: number;
}

/**
 * What has been overtaken, the oldest first: of dropped tables all but what began and ended them, of live ones the values
 * of registers that lost.
 */
function readCandidates({ db }: ReplicaStore): readonly Candidate[] {
  return db
    .prepareRaw<[], readonly [bigint, bigint]>(
      `select n, admitted_ms from _concord_migration
       where in_force = 0 and kind = 'table'
         and ((verdict = 'superseded' and type in ('rename_column', 'alter_column', 'alter_primary_key'))
              or (type not in ('create_table', 'drop_table', 'redefine_table')
                  and tbl in (select tbl from _concord_table where name is null)))
       order by n`,
    )
    .all()
    .map(([n, admitted]) => ({ n: Number(n), admittedMs: Number(admitted) }));
}
