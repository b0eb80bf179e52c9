import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

import { WebSocketServer, type RawData, type WebSocket } from 'ws';

import { REQUEST_BYTES_MAX, type Push, type Response } from '#shared/api/envelope.ts';
import type { Caller } from '#shared/api/types.ts';
import type { Log } from '../engine/ports.ts';
import type { Timers } from '../peers/timers.ts';
import type { Principal } from './principal.ts';

/** What a pipe serves: the contract's dispatcher and the pushes of one app. */
export interface RpcHost {
  readonly dispatch: (raw: unknown, caller: Caller) => Promise<Response>;
  readonly onPush: (listener: (push: Push) => void) => () => void;
}

export interface WebSocketDeps {
  readonly host: RpcHost;
  /** Whether the request speaks to this server under its own name, from its own pages. */
  readonly isOwnAddress: (request: IncomingMessage) => boolean;
  readonly authenticate: (request: IncomingMessage) => Principal | null;
  readonly timers: Timers;
  readonly log: Log;
}

export interface WebSocketDoor {
  /** For the server's `upgrade` event. */
  readonly handleUpgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
  /** Ends every socket. */
  readonly close: () => void;
}

/** Calls of one page that are answered at a time; more wait in the socket. */
const CALLS_AT_ONCE_MAX = 64;
/** A page that does not read its answers is cut off before they fill the memory. */
const UNREAD_BYTES_MAX = 64 * 1024 * 1024;
/** A withdrawn token ends its sessions within a second. */
const RIGHTS_CHECK_MS = 500;
const PING_MS = 30_000;

/** WebSocket close codes: 1001 going away, 1003 not understood, 1008 not allowed, 1009 too large. */
const CLOSE = { goingAway: 1001, unsupported: 1003, notAllowed: 1008 };

/**
 * The door for consoles: serves the contract at `/rpc`. Keeps HOST-001.
 *
 * Refused before the upgrade, without a word about the host: 403 for a foreign Host or Origin and for a right that
 * reaches not so far, 401 for nobody, 404 for another path.
 */
export function createWebSocketDoor(deps: WebSocketDeps): WebSocketDoor {
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: REQUEST_BYTES_MAX,
    perMessageDeflate: false,
  });
  const open = new Map<WebSocket, Principal>();
  const answered = new WeakSet<WebSocket>();
  const cancels = [every(deps.timers, RIGHTS_CHECK_MS, endWithdrawn), every(deps.timers, PING_MS, pingAll)];

  return {
    handleUpgrade: (request, stream, head) => {
      // Without a listener a connection that breaks now would take the process down.
      stream.on('error', () => stream.destroy());
      const decision = decide(request, deps);
      if ('status' in decision) {
        refuse(stream, decision.status);
        return;
      }
      server.handleUpgrade(request, stream, head, (socket) => {
        keep(socket, decision.principal);
        serveRpc(socket, decision.principal, deps);
      });
    },
    close: () => {
      for (const cancel of cancels) cancel();
      for (const socket of open.keys()) socket.close(CLOSE.goingAway);
    },
  };

  function keep(socket: WebSocket, principal: Principal): void {
    open.set(socket, principal);
    answered.add(socket);
    socket.on('pong', () => answered.add(socket));
    socket.on('close', () => open.delete(socket));
    // Too large a message, a broken frame: ws closes with the right code; there is nothing to add.
    socket.on('error', () => undefined);
  }

  function endWithdrawn(): void {
    for (const [socket, principal] of open) {
      if (!principal.isInForce()) socket.close(CLOSE.notAllowed, 'the token is no longer in force');
    }
  }

  function pingAll(): void {
    for (const socket of open.keys()) {
      if (!answered.delete(socket)) socket.terminate();
      else socket.ping();
    }
  }
}

type Decision = { readonly status: 401 | 403 | 404 } | { readonly principal: Principal };

function decide(request: IncomingMessage, deps: WebSocketDeps): Decision {
  if (!deps.isOwnAddress(request)) return { status: 403 };
  const principal = deps.authenticate(request);
  if (principal === null) return { status: 401 };
  if ((request.url ?? '').replace(/[?#].*$/, '') !== '/rpc') return { status: 404 };
  return principal.role === 'sync' ? { status: 403 } : { principal };
}

const REASON = { 401: 'Unauthorized', 403: 'Forbidden', 404: 'Not Found' };

function refuse(socket: Duplex, status: 401 | 403 | 404): void {
  const challenge = status === 401 ? 'WWW-Authenticate: Bearer\r\n' : '';
  socket.on('error', () => undefined);
  socket.end(
    `HTTP/1.1 ${status} ${REASON[status]}\r\n${challenge}Connection: close\r\nContent-Length: 0\r\n\r\n`,
  );
}

function serveRpc(socket: WebSocket, principal: Principal, { host, log }: WebSocketDeps): void {
  // decide() lets no sync token come this far.
  const caller: Caller = { name: principal.name, role: principal.role === 'operate' ? 'operate' : 'read' };
  let inFlight = 0;
  const send = (message: Response | Push): void => {
    if (socket.bufferedAmount > UNREAD_BYTES_MAX) socket.terminate();
    else socket.send(JSON.stringify(message));
  };

  const stopPushes = host.onPush(send);
  socket.on('close', stopPushes);
  socket.on('message', (data, isBinary) => {
    if (isBinary) {
      socket.close(CLOSE.unsupported, 'text only');
      return;
    }
    inFlight += 1;
    if (inFlight >= CALLS_AT_ONCE_MAX) socket.pause();
    host
      .dispatch(parseJson(data), caller)
      .then(send)
      .catch((bug: unknown) => log.error('rpc.not-sent', { bug }))
      .finally(() => {
        inFlight -= 1;
        if (socket.isPaused) socket.resume();
      });
  });
}

/** What is no JSON is no request either: the dispatcher says so. */
function parseJson(data: RawData): unknown {
  try {
    // ws hands over one Buffer unless told otherwise.
    return JSON.parse((data as Buffer).toString('utf8'));
  } catch {
    return undefined;
  }
}

function every(timers: Timers, everyMs: number, pass: () => void): () => void {
  let cancel = timers.after(everyMs, run);
  return () => cancel();

  function run(): void {
    pass();
    cancel = timers.after(everyMs, run);
  }
}
