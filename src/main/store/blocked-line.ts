import type { Cursor } from '#shared/model/change-group.ts';
import type { SiteId } from '#shared/model/ids.ts';
import type { BlockCause } from '#shared/model/vocabulary.ts';

import type { Refusal } from './admission-refused.ts';
import { blockPeer, PEER_CAUSES, summaryOf } from './blocked-batches.ts';
import { readWatermark } from './peer-records.ts';
import type { ReplicaStore } from './replica-store.ts';

/** Why nothing can be pulled from a peer at all, whatever it has. */
export interface LineRefusal {
  readonly cause: Extract<BlockCause, 'tooOld' | 'epochChanged' | 'duplicateSite'>;
  readonly message: string;
}

/**
 * Blocks the line of a peer of which nothing can be pulled. It has no unit that could be tried again: the peer is asked again at
 * the next sync, and where it answers then, the line is free.
 */
export function blockLine(
  store: ReplicaStore,
  site: SiteId,
  { cause, message }: LineRefusal,
): ReturnType<typeof summaryOf> {
  const refusal: Refusal = { cause, message, object: '', about: site };
  const cursor = readWatermark(store, site) ?? beforeAll(store);
  blockPeer(store, { site, groups: [], cursor, head: cursor.seq, refusal });
  return summaryOf(store, refusal);
}

const beforeAll = ({ epoch, era }: ReplicaStore): Cursor => ({ epoch, era, seq: 0, catalogSeq: 0 });

/** Frees a line that was blocked by what its peer is; one that is blocked by a unit stays. */
export function freeLine(store: ReplicaStore, site: SiteId): void {
  free(store, site, PEER_CAUSES);
}

/** Frees the line of a site that is another one by now: what its clock had stamped too far ahead comes again, with other stamps. */
export function freeFormerLine(store: ReplicaStore, site: SiteId): void {
  free(store, site, `${PEER_CAUSES}, 'clockAhead'`);
}

/** Writes nothing where there is nothing to free. */
function free(store: ReplicaStore, site: SiteId, causes: string): void {
  const where = `site = ? and cause in (${causes})`;
  const ordinal = store.sites.findOrdinal(site);
  if (ordinal === null) return;
  const found = store.db.preparePluck<[number]>(`select 1 from _concord_blocked where ${where}`).get(ordinal);
  if (found !== undefined)
    store.db.prepare<[number]>(`delete from _concord_blocked where ${where}`).run(ordinal);
}
