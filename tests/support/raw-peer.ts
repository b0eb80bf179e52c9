import { WebSocket } from 'ws';

import { decodeWireMessage, encodeWireMessage } from '#main/peers/wire-codec.ts';
import type { HelloMessage, WireMessage } from '#shared/wire/messages.ts';
import type { SiteId } from '#shared/model/ids.ts';
import { epoch, era, siteId } from './ids.ts';

export interface RawPeer {
  readonly send: (message: WireMessage) => void;
  readonly sendBytes: (bytes: Uint8Array | string) => void;
  /** The next message; rejects when the socket ends before. */
  readonly next: () => Promise<WireMessage>;
  /** Messages up to the end of the socket, and its close code. */
  readonly rest: () => Promise<{ readonly code: number; readonly messages: readonly WireMessage[] }>;
  readonly socket: WebSocket;
}

export const aHello = (change: Partial<HelloMessage> = {}): HelloMessage => ({
  type: 'hello',
  protocol: [1, 1],
  site: siteId(77),
  epoch: epoch(77),
  era: era(77),
  head: 0,
  nowMs: 0,
  client: { name: 'raw', version: '0' },
  ...change,
});

/** A peer without manners: sends what it is told to, understands what it gets. */
export async function openRawPeer(
  address: string,
  who: { readonly site: SiteId; readonly token: string },
): Promise<RawPeer> {
  const socket = new WebSocket(`${address}/sync/${who.site}`, {
    headers: { authorization: `Bearer ${who.token}` },
  });
  return talkOver(socket);
}

/** The same over a socket that is opening or open. */
async function talkOver(socket: WebSocket): Promise<RawPeer> {
  const messages: WireMessage[] = [];
  let wake = (): void => undefined;
  const closed = new Promise<number>((resolve) => {
    socket.on('close', (code) => {
      resolve(code);
      wake();
    });
  });
  socket.on('error', () => undefined);
  socket.on('message', (data) => {
    const message = decodeWireMessage(data as Buffer);
    if (!message.ok) throw new Error(message.error.message);
    messages.push(message.value);
    wake();
  });
  if (socket.readyState === socket.CONNECTING) {
    await new Promise<void>((resolve, reject) => {
      socket.once('open', () => resolve());
      socket.once('close', () => reject(new Error('refused')));
    });
  }

  return {
    send: (message) => {
      const bytes = encodeWireMessage(message);
      if (bytes.ok) socket.send(bytes.value);
    },
    sendBytes: (bytes) => socket.send(bytes),
    next: async () => {
      for (;;) {
        const message = messages.shift();
        if (message !== undefined) return message;
        if (socket.readyState === socket.CLOSED) throw new Error('closed');
        await new Promise<void>((resolve) => (wake = resolve));
      }
    },
    rest: async () => ({ code: await closed, messages: messages.splice(0) }),
    socket,
  };
}
