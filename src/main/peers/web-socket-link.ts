import type { IncomingMessage } from 'node:http';

import { WebSocket } from 'ws';

import type { SiteId } from '#shared/model/ids.ts';
import { err, ok, type Result } from '#shared/result.ts';
import type { ProtocolRange } from '#shared/wire/protocol.ts';
import type { PulledMessage } from '#shared/wire/pulled-message.ts';
import type { Log } from '../engine/ports.ts';
import type { WireLink } from './create-wire-link.ts';
import { NOT_PULLING } from './not-pulling.ts';
import type { ClientInfo, LinkError } from './peer-link.ts';
import type { SyncEndpoint } from './sync-endpoint.ts';
import type { Timers } from './timers.ts';
import { createWireSocket, SOCKET_OPTIONS, type WireSocket } from './wire-socket.ts';
import { startWireSession } from './wire-session.ts';

export interface WebSocketLinkOptions {
  /** Of the host: `ws://` or `wss://`, with port, without a path. */
  readonly host: string;
  /** The replica at the host. */
  readonly site: SiteId;
  /** Sent as `Authorization: Bearer`; never in the address. */
  readonly token: string | null;
  readonly endpoint: SyncEndpoint;
  readonly client: ClientInfo;
  readonly timers: Timers;
  readonly log: Log;
  /** False: this side pulls and lets nobody pull from it. */
  readonly offers?: boolean;
  readonly protocol?: ProtocolRange;
}

/** How long a host may take to answer the upgrade. */
const CONNECT_MAX_MS = 10_000;

/**
 * Opens a link to a replica at another host and shakes hands.
 *
 * Unless `offers` is false the host may pull over the same socket, so that both directions work though only
 * one side can be reached. Coming again after a loss is the caller's: see `createLinkSession`.
 *
 * Errors: `unreachable`, `unauthorized`, `forbidden`, `no-such-replica`, and all that the handshake can end with.
 */
export async function openWebSocketLink(options: WebSocketLinkOptions): Promise<Result<WireLink, LinkError>> {
  const identity = await options.endpoint.identity();
  const opening = await new Promise<Result<WireLink, LinkError>>((resolve) => {
    connect(options, {
      failed: (why) => resolve(err(why)),
      // In the same turn as the opening, or the peer's first words are lost.
      opened: (socket) => {
        const { link } = startWireSession({
          ...options,
          socket,
          identity,
          askedSite: options.site,
          offers: options.offers ?? true,
          onInvite: notPulling,
        });
        resolve(ok(link));
      },
    });
  });
  if (!opening.ok) return opening;
  const hello = await opening.value.hello();
  return hello.ok ? opening : hello;
}

// The side that connects pulls by itself: it has the link in its hands.
async function notPulling(): Promise<PulledMessage> {
  return Promise.resolve(NOT_PULLING);
}

interface Connecting {
  readonly failed: (why: LinkError) => void;
  readonly opened: (socket: WireSocket) => void;
}

function connect(options: WebSocketLinkOptions, then: Connecting): void {
  const { site, token, timers } = options;
  const address = `${options.host}/sync/${site}`;
  if (!URL.canParse(address)) {
    then.failed({ code: 'unreachable', reason: 'ERR_INVALID_URL' });
    return;
  }
  const headers = token === null ? {} : { authorization: `Bearer ${token}` };
  const socket = new WebSocket(address, { ...SOCKET_OPTIONS, headers });
  let stream: IncomingMessage['socket'] | null = null;
  const cancelWait = timers.after(CONNECT_MAX_MS, () =>
    giveUp({ code: 'timed-out', afterMs: CONNECT_MAX_MS }),
  );

  // Stays for good: a socket without this listener takes the process down when it fails later on.
  socket.on('error', (error: NodeJS.ErrnoException) => {
    if (stream === null) giveUp({ code: 'unreachable', reason: error.code ?? error.message });
  });
  socket.once('unexpected-response', (_request, response) => giveUp(readRefusal(response.statusCode)));
  socket.once('upgrade', (response) => {
    stream = response.socket;
  });
  socket.once('open', () => {
    cancelWait();
    if (stream !== null) then.opened(createWireSocket({ socket, stream, timers }));
  });

  function giveUp(why: LinkError): void {
    cancelWait();
    then.failed(why);
    socket.terminate();
  }
}

function readRefusal(status: number | undefined): LinkError {
  switch (status) {
    case 401:
      return { code: 'unauthorized' };
    case 403:
      return { code: 'forbidden' };
    case 404:
      return { code: 'no-such-replica' };
    default:
      return { code: 'unreachable', reason: `HTTP ${status ?? 0}` };
  }
}
