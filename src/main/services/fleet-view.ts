import type { BlockedBrief, FleetLink, FleetReplica } from '#shared/api/fleet-replica.ts';
import type { BlockedView, PeerView, ReplicaStatus } from '#shared/model/views.ts';
import type { ReplicaRecord } from '../console/fleet-records.ts';
import type { WorkerFailure } from '../worker/worker-messages.ts';
import { decideLinkHealth } from './link-health.ts';
import { isTooOld } from './link-words.ts';
import type { LinkNow } from './links.ts';
import type { MemberSnapshot } from './member.ts';
import { decideReplicaState } from './replica-state.ts';

/** The word for the host that this console runs on. */
export const THIS_MACHINE = 'this machine';

/** One replica of this machine, as plain facts. */
export interface MemberFacts {
  readonly record: ReplicaRecord;
  readonly failure: WorkerFailure | null;
  readonly trouble: string | null;
  readonly snapshot: MemberSnapshot;
  /** Since when it lags; null when it did not when last looked at. */
  readonly lagSinceMs: number | null;
}

/** What is known of all sites: by status where they are in the fleet. */
export interface KnownSites {
  /** Replicas of the fleet by site. */
  readonly bySite: ReadonlyMap<
    string,
    { readonly ref: string; readonly name: string; readonly head: number | null }
  >;
  /** Status by ref. */
  readonly statusByRef: ReadonlyMap<string, ReplicaStatus>;
}

/** Describes a replica of this machine for the fleet. `own` are the links that it is an end of. */
export function toFleetReplica(
  facts: MemberFacts,
  links: readonly LinkNow[],
  known: KnownSites,
): FleetReplica {
  const { record, snapshot, failure, trouble } = facts;
  const { status } = snapshot;
  const own = links.filter(({ record: link }) => link.a === record.ref || link.b === record.ref);
  const changes = lagOf(record.ref, own, known);
  const isPaused = own.length > 0 && own.every((link) => link.record.paused);
  const { state, reason } = decideReplicaState({
    status,
    failure,
    trouble,
    crash: snapshot.crash,
    isBlocked: snapshot.blocked.length > 0,
    isTooOld: isPullerTooOld(record.ref, own),
    isPaused,
    lagChanges: changes,
  });

  return {
    ref: record.ref,
    name: record.name,
    group: record.group,
    host: THIS_MACHINE,
    path: record.path,
    state,
    reason,
    status,
    asOfMs: snapshot.asOfMs,
    lag: { changes, oldestMs: changes > 0 ? (facts.lagSinceMs ?? snapshot.asOfMs) : null },
    heldRows: status?.heldRows ?? 0,
    blocked: snapshot.blocked.map((blocked) => toBrief(blocked, known)),
    lastSyncMs: newest(status?.peers.map(({ lastSyncMs }) => lastSyncMs) ?? []),
    skewMs: largest(status?.peers.map(({ skewMs }) => skewMs) ?? []),
    paused: isPaused,
  };
}

function toBrief(blocked: BlockedView, known: KnownSites): BlockedBrief {
  const from = known.bySite.get(blocked.from);
  const { conflictId, kind, object, cause, sinceMs, attempts, nextTryMs, behindChanges } = blocked;
  return {
    conflictId,
    kind,
    object,
    cause,
    from: from?.ref ?? null,
    fromName: from?.name ?? shortSite(blocked.from),
    sinceMs,
    attempts,
    nextTryMs,
    behindChanges,
  };
}

/** A site that has no name here. */
export function shortSite(site: string): string {
  return site.slice(0, 8);
}

/** What the peers that a replica has links to have and it has not. */
function lagOf(ref: string, links: readonly LinkNow[], known: KnownSites): number {
  const peers = known.statusByRef.get(ref)?.peers ?? [];
  const sites = new Set(links.map((link) => siteOfOtherEnd(ref, link, known)));
  return peers.filter(({ site }) => sites.has(site)).reduce((sum, peer) => sum + lagBehind(peer, known), 0);
}

function siteOfOtherEnd(ref: string, { record, states }: LinkNow, known: KnownSites): string | undefined {
  const other = record.a === ref ? record.b : record.a;
  return other === null ? states[0]?.peer?.site : known.statusByRef.get(other)?.site;
}

function lagBehind(peer: PeerView, known: KnownSites): number {
  const head = Math.max(peer.peerHead, known.bySite.get(peer.site)?.head ?? 0);
  return Math.max(0, head - peer.watermark);
}

/** The session that pulls for a is the first of a link, that for b the second. */
function isPullerTooOld(ref: string, links: readonly LinkNow[]): boolean {
  return links.some(({ record, states }) => isTooOld(states[record.a === ref ? 0 : 1]?.lastError ?? null));
}

/** Describes a link for the fleet. */
export function toFleetLink(link: LinkNow, known: KnownSites): FleetLink {
  const { record, states } = link;
  const a = known.statusByRef.get(record.a) ?? null;
  const b = record.b === null ? null : (known.statusByRef.get(record.b) ?? null);
  const lagAtoB = lagBetween({ source: a, target: b });
  const lagBtoA = lagBetween({ source: b, target: a });
  const { health, reason } = decideLinkHealth({
    paused: record.paused,
    states,
    blocked: isBlockedBy(a, b) || isBlockedBy(b, a) ? 'One end is blocked by a batch of the other.' : null,
    lag: (lagAtoB ?? 0) + (lagBtoA ?? 0),
  });

  return {
    id: record.id,
    a: record.a,
    b: record.b,
    bName: record.bName,
    via: record.via,
    url: record.url,
    paused: record.paused,
    health,
    lagAtoB,
    lagBtoA,
    lastSyncMs: newest([record.lastSyncMs, ...states.map(({ lastSyncMs }) => lastSyncMs)]),
    nextTryMs: states.map(({ nextTryMs }) => nextTryMs).find((atMs) => atMs !== null) ?? null,
    reason,
  };
}

function lagBetween(ends: {
  readonly source: ReplicaStatus | null;
  readonly target: ReplicaStatus | null;
}): number | null {
  const { source, target } = ends;
  if (source === null || target === null) return null;
  const watermark = target.peers.find(({ site }) => site === source.site)?.watermark ?? 0;
  return Math.max(0, source.head - watermark);
}

function isBlockedBy(end: ReplicaStatus | null, other: ReplicaStatus | null): boolean {
  return end?.peers.some(({ site, blocked }) => blocked && site === other?.site) ?? false;
}

function newest(times: readonly (number | null)[]): number | null {
  const known = times.filter((time) => time !== null);
  return known.length === 0 ? null : Math.max(...known);
}

/** By size, with its sign. */
function largest(lengths: readonly (number | null)[]): number | null {
  const known = lengths.filter((length) => length !== null);
  return known.sort((a, b) => Math.abs(b) - Math.abs(a))[0] ?? null;
}
