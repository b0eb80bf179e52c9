import { WebSocket } from 'ws';

import type { Push } from '#shared/api/envelope.ts';
import type { Client } from '#shared/api/types.ts';
import { err, ok, type Result } from '#shared/result.ts';
import { createClient } from './create-client.ts';

export interface HostConnection {
  readonly client: Client;
  readonly close: () => void;
}

export type ConnectError =
  | { readonly code: 'bad-url' }
  | { readonly code: 'host-not-reached'; readonly detail: string }
  | { readonly code: 'token-refused' };

const CONNECT_MS = 10_000;
/** A fleet of a thousand replicas with their status is some megabytes. */
const ANSWER_BYTES_MAX = 64 * 1024 * 1024;

/**
 * Reaches the contract of another host at `/rpc`, with a token.
 *
 * `http:` and `ws:` mean the same, so do `https:` and `wss:`. `onClosed` hears once when the connection ends, not
 * after `close`.
 *
 * Errors: `bad-url`, `host-not-reached`, `token-refused` (unknown, withdrawn, or without the right).
 */
export function connectWebSocket(options: {
  readonly url: string;
  readonly token: string;
  readonly onPush: (push: Push) => void;
  readonly onClosed: (reason: string) => void;
}): Promise<Result<HostConnection, ConnectError>> {
  const address = rpcAddress(options.url);
  if (address === null) return Promise.resolve(err({ code: 'bad-url' }));
  const socket = new WebSocket(address, {
    headers: { authorization: `Bearer ${options.token}` },
    handshakeTimeout: CONNECT_MS,
    maxPayload: ANSWER_BYTES_MAX,
    perMessageDeflate: false,
    followRedirects: false,
  });

  return new Promise((resolve) => {
    socket.on('unexpected-response', (request, response) => {
      const status = response.statusCode ?? 0;
      request.destroy();
      resolve(
        status === 401 || status === 403
          ? err({ code: 'token-refused' })
          : err({ code: 'host-not-reached', detail: `it answers with status ${status}` }),
      );
    });
    socket.on('error', (cause) => resolve(err({ code: 'host-not-reached', detail: reasonOf(cause) })));
    socket.on('open', () => resolve(ok(serve(socket, options))));
  });
}

function serve(
  socket: WebSocket,
  options: { readonly onPush: (push: Push) => void; readonly onClosed: (reason: string) => void },
): HostConnection {
  let closedByUs = false;
  const client = createClient(
    {
      send: (message) => socket.send(JSON.stringify(message)),
      onMessage: (listener) =>
        socket.on('message', (data) => listener(parseJson((data as Buffer).toString('utf8')))),
      onClosed: (listener) =>
        socket.on('close', (code) => {
          const reason = `the connection ended (${code})`;
          listener(reason);
          if (!closedByUs) options.onClosed(reason);
        }),
    },
    options.onPush,
  );
  return {
    client,
    close: () => {
      closedByUs = true;
      socket.close();
    },
  };
}

function rpcAddress(text: string): URL | null {
  const url = URL.parse(/^[a-z]+:\/\//i.test(text) ? text : `http://${text}`);
  if (url === null || !/^(https?|wss?):$/.test(url.protocol)) return null;
  const secure = url.protocol === 'https:' || url.protocol === 'wss:';
  return new URL('/rpc', `${secure ? 'wss' : 'ws'}://${url.host}`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function reasonOf(cause: Error): string {
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.message;
}
