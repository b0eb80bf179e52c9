import { statSync } from 'node:fs';

import type { PeerView, ReplicaStatus } from '#shared/model/views.ts';
import type { ReplicaState } from '#shared/model/vocabulary.ts';

import { readFingerprint } from '../store/catalog-fingerprint.ts';
import { countHeld } from '../store/held-list.ts';
import { countFindings } from '../store/list-findings.ts';
import { readLastNotice } from '../store/log-notice.ts';
import { readPeers } from '../store/peer-records.ts';
import type { ReplicaStore } from '../store/replica-store.ts';
import { toNumber } from '../store/store-database.ts';

/** What the replica says of itself. Counts no rows of user tables, so it costs the same at any size. */
export function readStatus(store: ReplicaStore): ReplicaStatus {
  const peers = readPeers(store);
  const count = (table: string): number =>
    toNumber(store.db.preparePluck<[]>(`select count(*) from ${table}`).get());
  const blockedBatches = count('_concord_blocked');
  return {
    site: store.site,
    epoch: store.epoch,
    era: store.era,
    path: store.db.path,
    state: stateOf(store, blockedBatches, peers),
    fingerprint: readFingerprint(store),
    head: readLastNotice(store.db).seq,
    tables: store.catalog.read().tables.size,
    heldRows: countHeld(store).reduce((sum, { rows }) => sum + rows, 0),
    blockedBatches,
    findings: countFindings(store),
    sizeBytes: sizeOf(store.db.path) + sizeOf(`${store.db.path}-wal`),
    journalMode: String(store.db.raw.pragma('journal_mode', { simple: true })),
    sqliteVersion: String(store.db.preparePluck<[]>('select sqlite_version()').get()),
    onDivergence: store.settings.onDivergence,
    peers: [...peers],
  };
}

function stateOf(store: ReplicaStore, blocked: number, peers: readonly PeerView[]): ReplicaState {
  if (blocked > 0) return isTooOld(store) ? 'tooOld' : 'blocked';
  return peers.some((peer) => peer.watermark < peer.peerHead) ? 'behind' : 'inSync';
}

const isTooOld = ({ db }: ReplicaStore): boolean =>
  db.preparePluck<[]>(`select 1 from _concord_blocked where cause = 'tooOld' limit 1`).get() !== undefined;

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
