import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

import { WebSocketServer } from 'ws';

import type { ProtocolRange } from '#shared/wire/protocol.ts';
import type { Clock, Log, Random } from '../engine/ports.ts';
import type { ClientInfo } from './peer-link.ts';
import { readSyncRequest, refuseUpgrade, type SyncRequest } from './read-sync-request.ts';
import { startServedSession, type ServedSession } from './start-served-session.ts';
import type { SyncGrant, SyncHost } from './sync-host.ts';
import type { Timers } from './timers.ts';
import { watchEras, type PeerEra } from './watch-eras.ts';
import { createWireSocket, SOCKET_OPTIONS } from './wire-socket.ts';

export interface SyncServerDeps {
  readonly host: SyncHost;
  readonly client: ClientInfo;
  readonly clock: Clock;
  readonly random: Random;
  readonly timers: Timers;
  readonly log: Log;
  readonly protocol?: ProtocolRange;
}

export interface SyncServer {
  /**
   * To be called from the HTTP server's `upgrade` event, before the host's other sockets are looked at.
   *
   * True: the request was for `/sync/<site>` and is dealt with, be it by a refusal. False: not ours, nothing done.
   */
  readonly handleUpgrade: (request: IncomingMessage, stream: Duplex, head: Buffer) => boolean;
  /** Sessions under way, for the console. */
  readonly sessions: () => readonly ServedSession[];
  /** Says goodbye to all; resolved once no session uses a replica any more. */
  readonly close: () => Promise<void>;
}

/** Sockets that one host serves at once. */
const SESSIONS_MAX = 2_000;

/**
 * The door for peers: serves the replicas of a host at `/sync/<site>` of its HTTP server.
 *
 * `httpServer.on('upgrade', (request, stream, head) => { if (!sync.handleUpgrade(request, stream, head)) … })`
 *
 * Who is refused learns a status and nothing else: 401 without a good token, 403 without the right, and these
 * say the same whether the replica is here or not. Browsers are refused altogether: a peer is no page (SYNC-004).
 */
export function createSyncServer(deps: SyncServerDeps): SyncServer {
  const { log } = deps;
  const upgrades = new WebSocketServer({ ...SOCKET_OPTIONS, noServer: true, clientTracking: false });
  const sessions = new Set<ServedSession>();
  const admitting = new Set<Promise<void>>();
  const eras = watchEras();
  let isClosing = false;

  return { handleUpgrade, sessions: () => [...sessions], close };

  function handleUpgrade(request: IncomingMessage, stream: Duplex, head: Buffer): boolean {
    const asked = readSyncRequest(request);
    if (asked === null) return false;
    // Without a listener a connection that breaks now would take the process down.
    stream.on('error', () => stream.destroy());
    if (!asked.ok) refuseUpgrade(stream, asked.error.code);
    else if (isClosing || sessions.size >= SESSIONS_MAX) refuseUpgrade(stream, 'busy');
    else {
      const admission = admit(asked.value, { request, stream, head });
      keepUntil(admission, { set: admitting, item: admission });
    }
    return true;
  }

  async function admit(asked: SyncRequest, upgrade: Upgrade): Promise<void> {
    try {
      const grant = await deps.host.authorize(asked);
      if (grant.ok) await open(grant.value, upgrade);
      else refuseUpgrade(upgrade.stream, grant.error.code);
    } catch (bug) {
      log.error('peers.upgrade-threw', { bug });
      refuseUpgrade(upgrade.stream, 'internal');
    }
  }

  async function open(grant: SyncGrant, upgrade: Upgrade): Promise<void> {
    const opened: ServedSession[] = [];
    try {
      const identity = await grant.endpoint.identity();
      if (isClosing || upgrade.stream.destroyed) return;
      upgrades.handleUpgrade(upgrade.request, upgrade.stream, upgrade.head, (socket) => {
        const wire = createWireSocket({ socket, stream: upgrade.request.socket, timers: deps.timers });
        const session = startServedSession({
          ...deps,
          socket: wire,
          grant,
          identity,
          eras,
          closeOlder,
        });
        opened.push(session);
        keepUntil(session.over, { set: sessions, item: session });
      });
    } finally {
      if (opened.length === 0) abandon(upgrade.stream, grant);
    }
  }

  function closeOlder(newer: PeerEra): void {
    for (const session of sessions) {
      const peer = session.peer();
      if (session.replica === newer.replica && peer?.site === newer.site && peer.era !== newer.era)
        session.close();
    }
  }

  async function close(): Promise<void> {
    isClosing = true;
    await Promise.all(admitting);
    for (const session of sessions) session.close();
    await Promise.all([...sessions].map((session) => session.over));
    upgrades.close();
  }
}

function keepUntil<T>(over: Promise<void>, kept: { readonly set: Set<T>; readonly item: T }): void {
  kept.set.add(kept.item);
  void over.then(() => kept.set.delete(kept.item));
}

function abandon(stream: Duplex, grant: SyncGrant): void {
  grant.release();
  stream.destroy();
}

interface Upgrade {
  readonly request: IncomingMessage;
  readonly stream: Duplex;
  readonly head: Buffer;
}
