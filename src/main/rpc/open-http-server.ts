import { createServer as createHttpServer, type IncomingMessage, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';

import type { Tokens } from '../console/tokens.ts';
import type { Clock, Log, Random } from '../engine/ports.ts';
import type { Timers } from '../peers/timers.ts';
import type { FeedDoor } from '../services/feed-service.ts';
import type { Metrics } from '../services/metrics.ts';
import { err, ok, type Result } from '#shared/result.ts';
import { authenticate } from './authenticate.ts';
import { isOwnAddress } from './check-address.ts';
import { createHttpHandler } from './create-http-handler.ts';
import { createWebSocketDoor, type RpcHost } from './serve-web-socket.ts';
import { createSessions } from './sessions.ts';

export interface HttpServerOptions {
  /** An address or name to listen on. */
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Further names that people reach it under. */
  readonly names: readonly string[];
  readonly tls: { readonly cert: string; readonly key: string } | null;
  readonly rendererDir: string;
  /** Whom the sign-in link signs in. */
  readonly operator: string;
}

export interface HttpServerDeps {
  readonly rpcHost: RpcHost;
  readonly feed: FeedDoor;
  readonly metrics: Metrics;
  /** The door for peers. True: the request was for it and is dealt with. */
  readonly handleSyncUpgrade: (request: IncomingMessage, stream: Duplex, head: Buffer) => boolean;
  readonly tokens: Tokens;
  readonly clock: Clock;
  readonly random: Random;
  readonly timers: Timers;
  readonly log: Log;
}

export interface HttpServer {
  /** Where it listens, such as `http://127.0.0.1:4021`. */
  readonly url: string;
  readonly port: number;
  /** A link that signs one browser in, once. */
  readonly makeSignInLink: () => string;
  readonly close: () => Promise<void>;
}

export type ListenError =
  | { readonly code: 'port-in-use'; readonly host: string; readonly port: number }
  | { readonly code: 'cannot-listen'; readonly host: string; readonly port: number; readonly detail: string };

const LOOPBACK_NAMES = ['127.0.0.1', 'localhost', '::1'];

/** Whether only this machine reaches an address. */
export function isLoopback(host: string): boolean {
  return LOOPBACK_NAMES.includes(host) || /^127(\.\d{1,3}){3}$/.test(host);
}

/**
 * Listens for browsers, other hosts and peers.
 *
 * Errors: `port-in-use`, `cannot-listen`. A bad certificate or key throws.
 */
export async function openHttpServer(
  options: HttpServerOptions,
  deps: HttpServerDeps,
): Promise<Result<HttpServer, ListenError>> {
  const { host, tls } = options;
  const server = tls === null ? createHttpServer() : createHttpsServer({ cert: tls.cert, key: tls.key });
  const listening = await listen(server, options);
  if (!listening.ok) return listening;

  const port = listening.value;
  server.on('error', (cause) => deps.log.error('http.server-error', { cause }));
  const sessions = createSessions({ clock: deps.clock, random: deps.random, operator: options.operator });
  const names = new Set(
    [host, ...options.names, ...(isLoopback(host) ? LOOPBACK_NAMES : [])].map((name) => name.toLowerCase()),
  );
  // Cookies know no ports: two hosts on one machine must not sign each other out.
  const known = { sessions, tokens: deps.tokens, cookieName: `concord_${port}` };
  const door = createWebSocketDoor({
    host: deps.rpcHost,
    isOwnAddress: (request) => isOwnAddress(request, names),
    authenticate: (request) => authenticate(request, known),
    timers: deps.timers,
    log: deps.log,
  });
  server.on(
    'request',
    createHttpHandler({
      ...known,
      rendererDir: options.rendererDir,
      names,
      encrypted: tls !== null,
      feed: deps.feed,
      metrics: deps.metrics,
      log: deps.log,
    }),
  );
  server.on('upgrade', (request, stream, head) => {
    const isForPeers = isOwnAddress(request, names) && deps.handleSyncUpgrade(request, stream, head);
    if (!isForPeers) door.handleUpgrade(request, stream, head);
  });

  const url = `${tls === null ? 'http' : 'https'}://${host.includes(':') ? `[${host}]` : host}:${port}`;
  return ok({
    url,
    port,
    makeSignInLink: () => `${url}/sign-in#${sessions.makeCode()}`,
    close: async () => {
      door.close();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  });
}

function listen(server: Server, { host, port }: HttpServerOptions): Promise<Result<number, ListenError>> {
  return new Promise((resolve) => {
    server.once('error', (cause: NodeJS.ErrnoException) =>
      resolve(
        cause.code === 'EADDRINUSE'
          ? err({ code: 'port-in-use', host, port })
          : err({ code: 'cannot-listen', host, port, detail: cause.message }),
      ),
    );
    // The socket is no pipe, so that its address is not text.
    server.listen({ host, port }, () => resolve(ok((server.address() as AddressInfo).port)));
  });
}
