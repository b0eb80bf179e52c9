import { WebSocket } from 'ws';
import { onTestFinished } from 'vitest';

export interface RpcSocket {
  readonly send: (text: string | Uint8Array) => void;
  /** The next message, parsed. */
  readonly next: () => Promise<unknown>;
  /** The close code, once it is closed. */
  readonly closed: Promise<number>;
  readonly close: () => void;
}

/** What an upgrade ended with: a socket, or the status that refused it and everything else that was said. */
export type Upgrade =
  | { readonly opened: true; readonly socket: RpcSocket }
  | { readonly opened: false; readonly status: number; readonly body: string };

/** Knocks at a WebSocket door of a host. */
export function openRpcSocket(url: string, headers: Readonly<Record<string, string>>): Promise<Upgrade> {
  const socket = new WebSocket(url, { headers, perMessageDeflate: false });
  onTestFinished(() => socket.terminate());
  return new Promise((resolve, reject) => {
    socket.on('open', () => resolve({ opened: true, socket: wrap(socket) }));
    socket.on('unexpected-response', (request, response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => {
        request.destroy();
        resolve({
          opened: false,
          status: response.statusCode ?? 0,
          body: Buffer.concat(parts).toString('utf8'),
        });
      });
    });
    socket.on('error', reject);
  });
}

function wrap(socket: WebSocket): RpcSocket {
  const arrived: unknown[] = [];
  const waiting: ((message: unknown) => void)[] = [];
  socket.on('message', (data) => {
    const message: unknown = JSON.parse((data as Buffer).toString('utf8'));
    const take = waiting.shift();
    if (take === undefined) arrived.push(message);
    else take(message);
  });
  return {
    send: (text) => socket.send(text),
    next: () =>
      arrived.length > 0 ? Promise.resolve(arrived.shift()) : new Promise((resolve) => waiting.push(resolve)),
    closed: new Promise((resolve) => socket.on('close', (code) => resolve(code))),
    close: () => socket.close(),
  };
}
