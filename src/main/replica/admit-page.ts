import type { ChangeGroup, Cursor, Page } from '#shared/model/change-group.ts';
import type { SiteId } from '#shared/model/ids.ts';

import type { Admission } from '../store/admission-context.ts';
import { admitUnit, runAdmission } from '../store/admission-group.ts';
import { assembleValues } from '../store/assemble-values.ts';
import { AdmissionRefused } from '../store/admission-refused.ts';
import { blockPeer, PEER_CAUSES, readBlockedUnit, summaryOf, unblockPeer } from '../store/blocked-batches.ts';
import { blockLine, freeFormerLine, freeLine } from '../store/blocked-line.ts';
import { groupBody, readGroupBody } from '../store/group-body.ts';
import { notePeer, readWatermark, writeWatermark } from '../store/peer-records.ts';
import { adoptPruned, findMissed } from '../store/pruned-deletes.ts';
import type { ReplicaStore } from '../store/replica-store.ts';
import { continues, inOrder } from './group-order.ts';
import { tooOldHere } from './line-refusals.ts';
import type { AdmissionReport, BlockedSummary, PeerIdentity } from './replica.ts';

/**
 * Admits a page group by group: one transaction each, its watermark written in it (ADMIT-001).
 *
 * Stops at the first unit that is refused; it becomes the peer's blocked batch, first in line until it is resolved.
 * What came before it has landed.
 */
export function admitPage(store: ReplicaStore, peer: PeerIdentity, page: Page): AdmissionReport {
  const tally = createTally();
  const blockedLine = settleLine(store, peer.site, page);
  if (blockedLine !== null) return reportOf(tally, blockedLine);
  const groups = inOrder(page.groups);
  for (const [place, group] of groups.entries()) {
    // What a page says besides goes in with its groups: each commit costs as much as a small group.
    const alongside = (): void => {
      if (place === 0) noteHeard(store, peer, page);
      if (place === groups.length - 1 && page.whole !== undefined) store.sites.raiseWhole(page.whole);
    };
    const blocked = admitNext(store, { peer, group, page, tally, alongside });
    if (blocked === null) continue;
    noteHeard(store, peer, page);
    return reportOf(tally, blocked);
  }
  noteHeard(store, peer, page);
  // Answers come ahead of the line, and may free every line that stood on the same conflict.
  const isAnswered = page.groups.some((group) => group.cursor === undefined);
  const waiting = isAnswered ? blockedPeers(store) : [];
  for (const site of waiting.filter((other) => other !== peer.site)) retryPeer(store, site, tally);
  if (readBlockedUnit(store, peer.site) === null) advance(store, peer.site, page.cursor);
  const blocked = retryPeer(store, peer.site, tally);
  if (blocked === null && page.whole !== undefined) store.sites.raiseWhole(page.whole);
  return reportOf(tally, blocked);
}

/**
 * A page that answers frees a line that stood because of its peer; what its source has forgotten must not be missed here.
 *
 * The first page of a file that was another site before frees what stood for that one too: nobody else may be left to do so. Later
 * pages do not, since another file may go by the former name, and stand for itself (COPY-001).
 */
function settleLine(
  store: ReplicaStore,
  site: SiteId,
  { pruned = [], formerly = [] }: Page,
): BlockedSummary | null {
  const missed = findMissed(store, pruned);
  if (missed !== null) return blockLine(store, site, tooOldHere(store, site, missed));
  freeLine(store, site);
  if (readWatermark(store, site) === null) for (const former of formerly) freeFormerLine(store, former);
  if (pruned.length > 0) store.db.transaction(() => adoptPruned(store, pruned));
  return null;
}

const noteHeard = (store: ReplicaStore, peer: PeerIdentity, { head }: Page): void => {
  notePeer(store, { site: peer.site, head, skewMs: peer.nowMs - store.ports.clock.nowMs() });
};

/** Tries the blocked batches again, of one peer or of all; what goes in is counted as any admission. */
export function retryBlocked(store: ReplicaStore, peer?: SiteId): AdmissionReport {
  const tally = createTally();
  let blocked: BlockedSummary | null = null;
  for (const site of peer === undefined ? blockedPeers(store) : [peer]) {
    blocked = retryPeer(store, site, tally) ?? blocked;
  }
  return reportOf(tally, blocked);
}

/** Peers whose lines stand, the longest first. */
const blockedPeers = (store: ReplicaStore): readonly SiteId[] =>
  store.db
    .preparePluck<[], bigint>(
      `select site from _concord_blocked where cause not in (${PEER_CAUSES}) order by since_ms`,
    )
    .all()
    .map((ordinal) => store.sites.siteOf(Number(ordinal)));

interface Tally {
  groups: number;
  readonly total: {
    applied: number;
    duplicates: number;
    superseded: number;
    held: number;
    skipped: number;
    migrations: number;
  };
}

const createTally = (): Tally => ({
  groups: 0,
  total: { applied: 0, duplicates: 0, superseded: 0, held: 0, skipped: 0, migrations: 0 },
});

function add(tally: Tally, admission: Admission): void {
  tally.groups += 1;
  for (const name of ['applied', 'duplicates', 'superseded', 'held', 'skipped', 'migrations'] as const) {
    tally.total[name] += admission.report[name];
  }
}

const reportOf = ({ groups, total }: Tally, blocked: BlockedSummary | null): AdmissionReport => ({
  admittedGroups: groups,
  factsApplied: total.applied,
  factsSuperseded: total.superseded + total.duplicates + total.skipped,
  factsHeld: total.held,
  migrations: total.migrations,
  blocked,
});

interface NextGroup {
  readonly peer: PeerIdentity;
  readonly group: ChangeGroup;
  readonly page: Pick<Page, 'head' | 'pruned'>;
  readonly tally: Tally;
  /** What is written in the group's transaction, should it be admitted in line. */
  readonly alongside: () => void;
}

/** Admits one group; null when the line goes on. */
function admitNext(store: ReplicaStore, next: NextGroup): BlockedSummary | null {
  const { peer, group, page, tally, alongside } = next;
  const watermark = readWatermark(store, peer.site);
  // A page that is delivered again changes nothing.
  if (group.cursor !== undefined && !continues(watermark, group.cursor)) return null;
  if (group.cursor === undefined) {
    admitAhead(store, { peer: peer.site, group, tally });
    return null;
  }
  if (group.unfinished === true) {
    stage(store, peer.site, group);
    return null;
  }
  return admitInLine(store, {
    site: peer.site,
    groups: assembleValues([...stagedGroups(store, peer.site), group]),
    cursor: group.cursor,
    head: page.head,
    pruned: page.pruned,
    tally,
    alongside,
  });
}

/** Resolutions sent ahead of the line; one that cannot be taken leaves the line as it is. */
function admitAhead(
  store: ReplicaStore,
  input: { readonly peer: SiteId; readonly group: ChangeGroup; readonly tally: Tally },
): void {
  try {
    add(
      input.tally,
      runAdmission(store, { via: ordinalOf(store, input.peer) }, (admission) => {
        admitUnit(admission, [input.group]);
      }),
    );
  } catch (cause) {
    if (!(cause instanceof AdmissionRefused)) throw cause;
    store.ports.log.warn('admission.resolution-refused', {
      peer: input.peer,
      cause: cause.refusal.cause,
      object: cause.refusal.object,
    });
  }
}

interface LineUnit {
  readonly site: SiteId;
  readonly groups: readonly ChangeGroup[];
  readonly cursor: Cursor;
  readonly head: number;
  readonly pruned: Page['pruned'];
  readonly tally: Tally;
  readonly alongside?: () => void;
}

function admitInLine(store: ReplicaStore, unit: LineUnit): BlockedSummary | null {
  try {
    const options = { via: ordinalOf(store, unit.site), pruned: unit.pruned };
    const admission = runAdmission(store, options, (running) => {
      admitUnit(running, unit.groups);
      unblockPeer(store, unit.site);
      clearStaged(store, unit.site);
      writeWatermark(store, unit.site, unit.cursor);
      unit.alongside?.();
    });
    add(unit.tally, admission);
    if (unit.groups.length > 1) warnOfSize(store, unit);
    return null;
  } catch (cause) {
    if (!(cause instanceof AdmissionRefused)) throw cause;
    blockPeer(store, {
      site: unit.site,
      groups: unit.groups,
      cursor: unit.cursor,
      head: unit.head,
      pruned: unit.pruned,
      refusal: cause.refusal,
    });
    return summaryOf(store, cause.refusal);
  }
}

/** One transaction of a peer that was larger than a page, and went in at once: whoever tunes page sizes wants to know (T07). */
function warnOfSize({ ports }: ReplicaStore, { site, groups }: LineUnit): void {
  const facts = groups.flatMap(({ blocks }) => blocks).reduce((sum, { rows }) => sum + rows.length, 0);
  ports.log.warn('admission.larger-than-a-page', { peer: site, parts: groups.length, facts });
}

function retryPeer(store: ReplicaStore, site: SiteId, tally: Tally): BlockedSummary | null {
  const unit = readBlockedUnit(store, site);
  if (unit === null) return null;
  const { groups, cursor, head, pruned } = unit;
  return admitInLine(store, { site, groups, cursor, head, pruned, tally });
}

const ordinalOf = (store: ReplicaStore, site: SiteId): number => {
  const known = store.sites.findOrdinal(site);
  return known ?? store.db.transaction(() => store.sites.ordinalOf(site));
};

function advance(store: ReplicaStore, site: SiteId, cursor: Cursor): void {
  const watermark = readWatermark(store, site);
  if (
    watermark?.epoch === cursor.epoch &&
    watermark.seq === cursor.seq &&
    watermark.inside === cursor.inside &&
    watermark.era === cursor.era &&
    watermark.catalogSeq === cursor.catalogSeq
  )
    return;
  if (watermark?.epoch === cursor.epoch && cursor.seq < watermark.seq) return;
  store.db.transaction(() => {
    writeWatermark(store, site, cursor);
  });
}

function stage(store: ReplicaStore, site: SiteId, group: ChangeGroup): void {
  const ordinal = ordinalOf(store, site);
  store.db.transaction(() => {
    store.db
      .prepare<unknown[]>(
        'insert into _concord_staged (site, part, body) select ?, coalesce(max(part), 0) + 1, ? from _concord_staged where site = ?',
      )
      .run(BigInt(ordinal), groupBody(group), BigInt(ordinal));
    if (group.cursor !== undefined) writeWatermark(store, site, group.cursor);
  });
}

function stagedGroups(store: ReplicaStore, site: SiteId): readonly ChangeGroup[] {
  return store.db
    .preparePluck<[bigint], Uint8Array>('select body from _concord_staged where site = ? order by part')
    .all(BigInt(ordinalOf(store, site)))
    .map(readGroupBody);
}

function clearStaged(store: ReplicaStore, site: SiteId): void {
  store.db
    .prepare<[bigint]>('delete from _concord_staged where site = ?')
    .run(BigInt(store.sites.ordinalOf(site)));
}
