import { pruneDeletes } from '../store/prune-deletes.ts';
import { pruneHeld } from '../store/prune-held.ts';
import { pruneHistoryBefore } from '../store/prune-history.ts';
import { readMeta, writeMeta } from '../store/replica-meta.ts';
import type { ReplicaStore } from '../store/replica-store.ts';
import type { PruneReport, PruneRequest } from './replica.ts';
import { retryHeldLimit } from './retry-held-limit.ts';

/**
 * Lets go of what is older than was asked for, or than the settings keep it: deletions with their entries in the log, and what
 * was overtaken in the history of the schema; what was held for longer, with an entry in the journal.
 *
 * A peer that has not heard of a deletion that goes is too old from then on (PRUNE-001).
 */
export function pruneReplica(store: ReplicaStore, { olderThanMs, onlyWhenDue }: PruneRequest): PruneReport {
  const { db, ports, settings } = store;
  const nowMs = ports.clock.nowMs();
  if (onlyWhenDue === true && !isDue(store, nowMs)) return NOTHING;
  db.transaction(() => writeMeta(db, 'prunedMs', BigInt(nowMs)));
  const history = db.transaction(() =>
    pruneHistoryBefore(store, nowMs - (olderThanMs ?? settings.historyMs)),
  );
  const { tombstones, logEntries } = pruneDeletes(store, nowMs - (olderThanMs ?? settings.tombstoneMs));
  const held = db.transaction(() => pruneHeld(store, olderThanMs ?? settings.heldMs)).facts;
  if (held > 0) retryHeldLimit(store);
  const report = { tombstones, logEntries, history, held };
  if (tombstones + logEntries + history + held > 0) ports.log.info('replica.pruned', { ...report });
  return report;
}

const NOTHING: PruneReport = { tombstones: 0, logEntries: 0, history: 0, held: 0 };

const DAY_MS = 86_400_000;

function isDue({ db }: ReplicaStore, nowMs: number): boolean {
  const last = readMeta(db, 'prunedMs') ?? readMeta(db, 'createdMs');
  return typeof last !== 'bigint' || Math.abs(nowMs - Number(last)) >= DAY_MS;
}
