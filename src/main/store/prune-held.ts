import { writeJournal } from './decision-journal.ts';
import { readFingerprint } from './catalog-fingerprint.ts';
import { forgetDeletionsBefore } from './deleted-held.ts';
import { deleteHeld } from './held-bounds.ts';
import { byTable, rowsIn, selectHeld } from './held-selection.ts';
import { heldSentence } from './held-sentence.ts';
import type { ReplicaStore } from './replica-store.ts';
import { toNumber } from './store-database.ts';

/** What went because it was held for too long. */
export interface HeldPruning {
  readonly facts: number;
  readonly rows: number;
  readonly bytes: number;
  readonly tables: readonly string[];
}

const DAY_MS = 86_400_000;

/**
 * Takes out what has been held for longer than `olderThanMs`, quarantined or not (U07). Never silently: the journal has an
 * entry for each table, with the keys, and the log a line.
 *
 * Runs in a transaction of the caller.
 */
export function pruneHeld(store: ReplicaStore, olderThanMs: number): HeldPruning {
  const { db, ports, settings } = store;
  const nowMs = ports.clock.nowMs();
  const before = BigInt(nowMs - olderThanMs);
  // Others hold for as long as the setting says, whatever is pruned here.
  forgetDeletionsBefore(store, BigInt(nowMs - Math.max(olderThanMs, settings.heldMs)));
  const due = new Set(
    db.preparePluck<[bigint]>('select n from _concord_held where since_ms < ?').all(before).map(toNumber),
  );
  if (due.size === 0) return { facts: 0, rows: 0, bytes: 0, tables: [] };
  const gone = selectHeld(store, {}).filter(({ n }) => due.has(n));
  const fingerprint = readFingerprint(store);
  const because = `Held for longer than ${String(Math.round(olderThanMs / DAY_MS))} days.`;
  const tables = byTable(gone);
  for (const [table, changes] of tables) {
    writeJournal(store, {
      who: 'Concord',
      because,
      option: 'pruneHeld',
      object: table,
      conflictId: null,
      fingerprintBefore: fingerprint,
      fingerprintAfter: fingerprint,
      detail: heldSentence(store, table, changes),
    });
  }
  deleteHeld(store, 'since_ms < ?', before);
  const bytes = gone.reduce((sum, change) => sum + change.bytes, 0);
  ports.log.info('held.pruned', { facts: gone.length, bytes, olderThanMs });
  return { facts: gone.length, rows: rowsIn(gone), bytes, tables: [...tables.keys()] };
}
