import type { WebSocket } from 'ws';

import { MESSAGE_BYTES_MAX } from '#shared/wire/limits.ts';
import type { LinkError } from './peer-link.ts';
import type { Timers } from './timers.ts';

/** One open socket as a session needs it. */
export interface WireSocket {
  /** `whenSent` is called once the bytes have left this process, or never if the socket ends before. */
  readonly send: (bytes: Uint8Array, whenSent?: () => void) => void;
  readonly ping: () => void;
  /** A count that grows whenever anything was heard, be it half a message. */
  readonly bytesHeard: () => number;
  /** Says goodbye; what does not end by itself soon is cut. */
  readonly close: (code: CloseCode) => void;
  /** Cuts the connection without a word. */
  readonly cut: () => void;
  /** To be called once, before anything can arrive. `closed` comes once and last. */
  readonly listen: (ears: {
    readonly message: (bytes: Uint8Array) => void;
    readonly nonsense: (detail: string) => void;
    readonly closed: (why: LinkError) => void;
  }) => void;
}

/** Close codes of RFC 6455 that we send: normal, going away, breach of the protocol. */
export type CloseCode = 1000 | 1001 | 1008;

/** How long the other end may take to answer a goodbye. */
const GOODBYE_MS = 2_000;

/** What `ws` is told on both sides: no message larger than ours, and no compression, which costs memory per socket. */
export const SOCKET_OPTIONS = {
  maxPayload: MESSAGE_BYTES_MAX,
  perMessageDeflate: false,
} as const;

/** Wraps a socket of `ws`. `stream` is the connection under it: it alone knows what part of a message has arrived. */
export function createWireSocket(deps: {
  readonly socket: WebSocket;
  readonly stream: { readonly bytesRead: number };
  readonly timers: Timers;
}): WireSocket {
  const { socket, stream, timers } = deps;

  return {
    send: (bytes, whenSent) =>
      socket.send(bytes, (error) => {
        if (!(error instanceof Error)) whenSent?.();
      }),
    ping: () => {
      if (socket.readyState === socket.OPEN) socket.ping();
    },
    bytesHeard: () => stream.bytesRead,
    close: (code) => {
      socket.close(code);
      const cancel = timers.after(GOODBYE_MS, () => socket.terminate());
      socket.once('close', cancel);
    },
    cut: () => socket.terminate(),
    listen: (ears) => {
      let reason: string | null = null;
      socket.on('message', (data, isBinary) => {
        if (isBinary && data instanceof Uint8Array) ears.message(data);
        else ears.nonsense('a text message');
      });
      socket.on('error', (error: NodeJS.ErrnoException) => {
        reason ??= error.code ?? error.message;
      });
      socket.on('close', (code) => ears.closed({ code: 'closed', reason: reason ?? `close code ${code}` }));
    },
  };
}
