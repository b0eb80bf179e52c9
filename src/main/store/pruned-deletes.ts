import type { Stamp } from '#shared/model/change-group.ts';
import type { SiteId } from '#shared/model/ids.ts';
import { formatStamp } from '#shared/model/hlc.ts';

import { missedPrune } from '../engine/clock/missed-prune.ts';
import { readMeta } from './replica-meta.ts';
import type { ReplicaStore } from './replica-store.ts';
import { OWN_SITE_ORDINAL, siteFrom } from './site-registry.ts';
import { toBigInt, toNumber } from './store-database.ts';

// A deletion that is pruned leaves one thing behind: per author the HLC of the newest of them. Whoever knows the author's facts
// up to there knew of all of them, because each site's facts travel in the order of their HLCs, by every path. So two replicas
// can tell for certain, whatever way changes took, whether one of them may still have a row that the other has forgotten
// having deleted (PRUNE-001). docs/decisions/0020-copies-and-pruning.md.

/** What this replica has pruned, for `Page.pruned`; empty when that is nothing. */
export function readPruned(store: Pick<ReplicaStore, 'db'>): readonly Stamp[] {
  const isAny = store.db.preparePluck<[]>('select 1 from _concord_site where pruned > 0 limit 1').get();
  return isAny === undefined ? [] : readStamps(store, 'pruned');
}

/** Up to where every row of each site is here: what came early does not count. */
function readKnown(store: ReplicaStore): readonly Stamp[] {
  const known = readStamps(store, 'max(hlc_whole, pruned)').filter(({ site }) => site !== store.site);
  return [...known, { site: store.site, hlc: store.clock.last() }];
}

const readStamps = (store: Pick<ReplicaStore, 'db'>, value: string): readonly Stamp[] =>
  store.db
    .prepareRaw<[]>(
      `select site, ${value} from _concord_site where hlc_max > 0 or pruned > 0 or id = ${OWN_SITE_ORDINAL} order by id`,
    )
    .all()
    .map(([site, hlc]) => ({ site: siteFrom(site), hlc: toBigInt(hlc) }));

/**
 * Whether this replica may have a row that the other side has forgotten having deleted: a deletion that it missed, else null.
 *
 * Who never took anything in from anybody, and was made after all that was pruned, has missed nothing.
 */
export function findMissed(store: ReplicaStore, pruned: readonly Stamp[]): Stamp | null {
  if (pruned.length === 0) return null;
  const missed = missedPrune(readKnown(store), pruned);
  return missed === null || isNewSince(store, pruned) ? null : missed;
}

const isNewSince = ({ db }: ReplicaStore, pruned: readonly Stamp[]): boolean => {
  const createdMs = readMeta(db, 'createdMs');
  if (typeof createdMs !== 'bigint' || pruned.some(({ hlc }) => hlc >> 16n >= createdMs)) return false;
  return db.preparePluck<[]>('select 1 from _concord_log where via is not null limit 1').get() === undefined;
};

/**
 * Takes up what a source has pruned, for one that has nothing of it yet: what the source sends is all that is left, so the
 * deletions that it forgot need not come by another way. After `findMissed`, in a transaction.
 */
export function adoptPruned(store: ReplicaStore, pruned: readonly Stamp[]): void {
  const known = readKnown(store);
  const isApart = !pruned.some(({ site }) => known.some((own) => own.site === site));
  if (!isApart && missedPrune(known, pruned) === null) return;
  for (const { site, hlc } of pruned) if (hlc > 0n) raisePruned(store, store.sites.ordinalOf(site), hlc);
}

/** Notes that a deletion by a site was pruned. */
export function raisePruned(store: Pick<ReplicaStore, 'db'>, ordinal: number, hlc: bigint): void {
  store.db
    .prepare<[bigint, number, bigint]>('update _concord_site set pruned = ? where id = ? and pruned < ?')
    .run(hlc, ordinal, hlc);
}

/** Whether a deletion is one that was pruned here: it was known, and comes back. */
export function isPrunedHere(
  store: ReplicaStore,
  deletion: { readonly hlc: bigint; readonly site: SiteId },
): boolean {
  const ordinal = store.sites.findOrdinal(deletion.site);
  if (ordinal === null) return false;
  const pruned = store.db
    .preparePluck<[number]>('select pruned from _concord_site where id = ?')
    .get(ordinal);
  return deletion.hlc <= toBigInt(pruned);
}

/** What a person reads of a replica that is too old. */
export const missedSentence = (missed: Stamp): string =>
  `it has not heard of deletions up to ${formatStamp(missed)}, which were pruned since`;

/** Highest seq up to which entries were pruned. */
export const readPrunedSeq = (store: Pick<ReplicaStore, 'db'>): number =>
  toNumber(readMeta(store.db, 'prunedSeq') ?? 0n);
