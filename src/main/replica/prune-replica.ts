import { pruneDeletes } from '../store/prune-deletes.ts';
import { pruneHistoryBefore } from '../store/prune-history.ts';
import type { ReplicaStore } from '../store/replica-store.ts';
import type { PruneReport, PruneRequest } from './replica.ts';

/**
 * Lets go of what is older than was asked for, or than the settings keep it: deletions with their entries in the log, and what
 * was overtaken in the history of the schema.
 *
 * A peer that has not heard of a deletion that goes is too old from then on (PRUNE-001).
 */
export function pruneReplica(store: ReplicaStore, { olderThanMs }: PruneRequest): PruneReport {
  const { db, ports, settings } = store;
  const nowMs = ports.clock.nowMs();
  const history = db.transaction(() => pruneHistoryBefore(store, nowMs - (olderThanMs ?? settings.historyMs)));
  const { tombstones, logEntries } = pruneDeletes(store, nowMs - (olderThanMs ?? settings.tombstoneMs));
  const report = { tombstones, logEntries, history };
  if (tombstones + logEntries + history > 0) ports.log.info('replica.pruned', { ...report });
  return report;
}
