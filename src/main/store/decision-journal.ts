import type { ConflictId } from '#shared/model/ids.ts';
import { ConflictId as ConflictIdSchema } from '#shared/model/ids.ts';
import type { JournalEntry } from '#shared/model/views.ts';

import type { ReplicaStore } from './replica-store.ts';
import { toNumber } from './store-database.ts';

export interface NewJournalEntry {
  readonly who: string;
  readonly because: string;
  readonly option: string;
  readonly object: string;
  readonly conflictId: ConflictId | null;
  readonly fingerprintBefore: string;
  readonly fingerprintAfter: string;
  /** What exactly, in a sentence; empty where option and object say it. */
  readonly detail?: string;
}

/** Writes what a person decided, in the transaction of what it changes. */
export function writeJournal(store: Pick<ReplicaStore, 'db' | 'ports'>, entry: NewJournalEntry): void {
  store.db
    .prepare<unknown[]>(
      `insert into _concord_journal (at_ms, who, because, option, object, conflict_id, fingerprint_before, fingerprint_after, detail)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      BigInt(store.ports.clock.nowMs()),
      entry.who,
      entry.because,
      entry.option,
      entry.object,
      entry.conflictId,
      entry.fingerprintBefore,
      entry.fingerprintAfter,
      entry.detail ?? '',
    );
}

interface JournalRow {
  readonly id: bigint;
  readonly at_ms: bigint;
  readonly who: string;
  readonly because: string;
  readonly option: string;
  readonly object: string;
  readonly conflict_id: string | null;
  readonly fingerprint_before: string;
  readonly fingerprint_after: string;
  readonly detail: string;
}

/** Decisions, the newest first. */
export function listJournal(
  store: Pick<ReplicaStore, 'db'>,
  filter: { readonly before?: number; readonly limit: number },
): readonly JournalEntry[] {
  return store.db
    .prepare<unknown[], JournalRow>(
      `select id, at_ms, who, because, option, object, conflict_id, fingerprint_before, fingerprint_after, detail
       from _concord_journal where id < ? order by id desc limit ?`,
    )
    .all(BigInt(filter.before ?? Number.MAX_SAFE_INTEGER), BigInt(filter.limit))
    .map((row) => ({
      id: toNumber(row.id),
      atMs: toNumber(row.at_ms),
      who: row.who,
      because: row.because,
      option: row.option,
      object: row.object,
      conflictId: row.conflict_id === null ? null : ConflictIdSchema.parse(row.conflict_id),
      fingerprintBefore: row.fingerprint_before,
      fingerprintAfter: row.fingerprint_after,
      detail: row.detail,
    }));
}
