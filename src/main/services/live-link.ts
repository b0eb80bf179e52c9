import { err, ok, type Result } from '#shared/result.ts';
import type { Clock, Log, Random } from '../engine/ports.ts';
import type { Movement } from '../peers/has-moved.ts';
import { createInProcessLink } from '../peers/in-process-link.ts';
import { createLinkSession, type LinkSession } from '../peers/link-session.ts';
import type { LinkState } from '../peers/link-state.ts';
import type { WireLink } from '../peers/create-wire-link.ts';
import type { ClientInfo, LinkError, PeerLink } from '../peers/peer-link.ts';
import type { SyncEndpoint } from '../peers/sync-endpoint.ts';
import type { SyncReport } from '../peers/sync-report.ts';
import type { Timers } from '../peers/timers.ts';
import { describeLinkError } from './link-words.ts';
import type { Member } from './member.ts';

/** A link at work. */
export interface LiveLink {
  /** One per direction that this host pulls: a from b, and in process b from a. */
  readonly states: () => readonly LinkState[];
  /** Syncs both ways once, whatever the back-off. */
  readonly syncNow: () => Promise<LinkRound>;
  readonly start: () => void;
  readonly pause: () => Promise<void>;
  readonly onChange: (listener: () => void) => () => void;
  /** What a pull admitted; `place` as in `states`. */
  readonly onReport: (listener: (place: number, report: SyncReport) => void) => void;
  readonly close: () => Promise<void>;
}

export interface LinkRound {
  /** What each direction admitted. */
  readonly directions: readonly Movement[];
  /** Why it stopped short, one sentence; null when it came through. */
  readonly stopped: string | null;
}

export interface LinkPorts {
  readonly clock: Clock;
  readonly random: Random;
  readonly timers: Timers;
  readonly log: Log;
  /** This program, as peers see it. */
  readonly client: ClientInfo;
}

/** Links two replicas of this machine: two sessions, each pulling from the other. */
export function createLocalLink(
  ends: { readonly a: Member; readonly b: Member },
  ports: LinkPorts,
): LiveLink {
  const pull = (own: Member, peer: Member): LinkSession =>
    createLinkSession({
      ...ports,
      endpoint: own.endpoint,
      connect: async () => {
        const refused = (await openError(own)) ?? (await openError(peer));
        return refused === null
          ? ok(createInProcessLink({ own: own.endpoint, peer: peer.endpoint, client: ports.client }))
          : err(refused);
      },
    });
  const sessions = [pull(ends.a, ends.b), pull(ends.b, ends.a)];
  return createLink(sessions, async () => {
    const reports = [];
    for (const session of sessions) reports.push(await session.syncNow());
    const blocked = reports.find((report) => report.blocked !== null)?.blocked?.message;
    const error = reports.find((report) => report.error !== null)?.error ?? null;
    return {
      directions: reports,
      stopped: error === null ? (blocked ?? null) : describeLinkError(error),
    };
  });
}

/** Under which name the token for a link by address is kept. */
export const peerSecretName = (linkId: string): string => `link/${linkId}`;

/** Opens a WebSocket to a peer. */
export type ConnectPeer = (endpoint: SyncEndpoint) => Promise<Result<WireLink, LinkError>>;

/** Links a replica of this machine to one at another host: this side pulls, and invites the peer to do the same. */
export function createRemoteLink(a: Member, connectPeer: ConnectPeer, ports: LinkPorts): LiveLink {
  let wire: WireLink | null = null;
  const session = createLinkSession({
    ...ports,
    endpoint: a.endpoint,
    connect: async (): Promise<Result<PeerLink, LinkError>> => {
      const refused = await openError(a);
      if (refused !== null) return err(refused);
      const opened = await connectPeer(a.endpoint);
      wire = opened.ok ? opened.value : null;
      return opened;
    },
  });
  return createLink([session], async () => {
    const report = await session.syncNow();
    if (report.error !== null) return { directions: [report], stopped: describeLinkError(report.error) };
    const invited = await wire?.invite();
    const directions = [report, ...(invited?.ok === true ? [invited.value] : [])];
    return { directions, stopped: report.blocked?.message ?? null };
  });
}

function createLink(sessions: readonly LinkSession[], syncNow: () => Promise<LinkRound>): LiveLink {
  return {
    states: () => sessions.map((session) => session.state()),
    syncNow,
    start: () => sessions.forEach((session) => session.start()),
    pause: async () => {
      await Promise.all(sessions.map((session) => session.pause()));
    },
    onChange: (listener) => {
      const offs = sessions.map((session) => session.onChange(listener));
      return () => offs.forEach((off) => off());
    },
    onReport: (listener) =>
      sessions.forEach((session, place) => session.onReport((report) => listener(place, report))),
    close: async () => {
      await Promise.all(sessions.map((session) => session.close()));
    },
  };
}

async function openError(member: Member): Promise<LinkError | null> {
  const opened = await member.keeper.acquire();
  return opened.ok ? null : { code: 'unreachable', reason: `${member.record().name}: ${opened.error.code}` };
}
