import type { Cursor } from '#shared/model/change-group.ts';
import type { Epoch, Era, SiteId } from '#shared/model/ids.ts';
import type { PeerView } from '#shared/model/views.ts';

import { AGAIN, isReadAgain, placeAsked } from './read-again.ts';
import type { ReplicaStore } from './replica-store.ts';
import { toNumber } from './store-database.ts';

interface PeerRow {
  readonly site: bigint;
  readonly epoch: Epoch | null;
  readonly era: Era | null;
  readonly seq: bigint;
  readonly catalog_seq: bigint;
  readonly inside: string | null;
  readonly head: bigint;
  readonly skew_ms: bigint | null;
  readonly last_sync_ms: bigint | null;
  readonly is_blocked: bigint;
}

const PEERS = `select p.*, b.site is not null as is_blocked from _concord_peer as p left join _concord_blocked as b on b.site = p.site`;

/** How far this replica has admitted a peer's changes; null when it has none of them, or is to read all of them again. */
export function readWatermark(store: ReplicaStore, site: SiteId): Cursor | null {
  const cursor = readPlace(store, site);
  return cursor === null ? null : placeAsked(cursor);
}

/**
 * Where this replica stands with a peer, as it says when it asks it: the place that it has reached, also where it reads again what
 * lies before. A file that was restored since is told by that place.
 */
export function readPlace(store: ReplicaStore, site: SiteId): Cursor | null {
  const ordinal = store.sites.findOrdinal(site);
  if (ordinal === null) return null;
  const row = store.db.prepare<[bigint], PeerRow>(`${PEERS} where p.site = ?`).get(BigInt(ordinal));
  if (row === undefined || row.epoch === null || row.era === null) return null;
  return {
    epoch: row.epoch,
    era: row.era,
    seq: toNumber(row.seq),
    catalogSeq: toNumber(row.catalog_seq),
    ...(row.inside === null ? {} : { inside: row.inside }),
  };
}

/** Has all peers read again from the start; where it stood with each is kept until the first page comes. */
export function readAllAgain({ db }: Pick<ReplicaStore, 'db'>): void {
  db.exec(`update _concord_peer set inside = '${AGAIN.all}' where epoch is not null`);
}

/** Has the rows of all peers read again of which the catalog is here. */
export function readRowsAgain({ db }: Pick<ReplicaStore, 'db'>): void {
  const hasCatalog = `epoch is not null and coalesce(inside, '') not like 'catalog:%' and coalesce(inside, '') <> '${AGAIN.all}'`;
  db.exec(`delete from _concord_staged where site in (select site from _concord_peer where ${hasCatalog});
    update _concord_peer set inside = '${AGAIN.rows}' where ${hasCatalog}`);
}

/** Moves a peer's watermark, in the transaction of what it says is admitted. */
export function writeWatermark(store: ReplicaStore, site: SiteId, cursor: Cursor): void {
  store.db
    .prepare<unknown[]>(
      `insert into _concord_peer (site, epoch, era, seq, catalog_seq, inside, head) values (@site, @epoch, @era, @seq, @catalog, @inside, @seq)
       on conflict (site) do update set epoch = excluded.epoch, era = excluded.era, seq = excluded.seq,
         catalog_seq = excluded.catalog_seq, inside = excluded.inside`,
    )
    .run({
      site: BigInt(store.sites.ordinalOf(site)),
      epoch: cursor.epoch,
      era: cursor.era,
      seq: BigInt(cursor.seq),
      catalog: BigInt(cursor.catalogSeq),
      inside: cursor.inside ?? null,
    });
}

/** Notes what a peer said of itself. Nothing is written when it says what it said before, so a quiet sync stays quiet. */
export function notePeer(
  store: ReplicaStore,
  heard: { readonly site: SiteId; readonly head: number; readonly skewMs: number },
): void {
  const known = store.sites.findOrdinal(heard.site);
  const nowMs = store.ports.clock.nowMs();
  const row =
    known === null
      ? undefined
      : store.db.prepare<[bigint], PeerRow>(`${PEERS} where p.site = ?`).get(BigInt(known));
  const isFresh = typeof row?.last_sync_ms === 'bigint' && nowMs - Number(row.last_sync_ms) < NOTE_EVERY_MS;
  if (row !== undefined && Number(row.head) === heard.head && isFresh) return;
  store.db.within(() => {
    store.db
      .prepare<unknown[]>(
        `insert into _concord_peer (site, seq, catalog_seq, head, skew_ms, last_sync_ms) values (@site, 0, 0, @head, @skew, @now)
         on conflict (site) do update set head = excluded.head, skew_ms = excluded.skew_ms, last_sync_ms = excluded.last_sync_ms`,
      )
      .run({
        site: BigInt(store.sites.ordinalOf(heard.site)),
        head: BigInt(heard.head),
        skew: BigInt(Math.round(heard.skewMs)),
        now: BigInt(nowMs),
      });
  });
}

/** How often a peer that has nothing new is noted as heard. */
const NOTE_EVERY_MS = 10_000;

/** All peers this replica has heard of. */
export function readPeers(store: ReplicaStore): readonly PeerView[] {
  return store.db
    .prepare<[], PeerRow>(`${PEERS} order by p.site`)
    .all()
    .map((row) => ({
      site: store.sites.siteOf(toNumber(row.site)),
      epoch: row.epoch,
      era: row.era,
      watermark: isReadAgain(row.inside) ? 0 : toNumber(row.seq),
      peerHead: toNumber(row.head),
      skewMs: row.skew_ms === null ? null : toNumber(row.skew_ms),
      lastSyncMs: row.last_sync_ms === null ? null : toNumber(row.last_sync_ms),
      blocked: row.is_blocked === 1n,
    }));
}
