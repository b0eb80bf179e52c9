import { createServer as createHttpServer } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server } from 'node:net';

import { WebSocketServer, type WebSocket } from 'ws';

/** What answers at the address of a peer without being one. */
export type Nonsense =
  'http page' | 'closes at once' | 'speaks text' | 'speaks other bytes' | 'says nothing and leaves';

export interface NonsensePeer {
  readonly port: number;
  readonly close: () => Promise<void>;
}

/** Opens a program on loopback that makes no sense as a peer. */
export async function openNonsensePeer(kind: Nonsense): Promise<NonsensePeer> {
  return kind === 'closes at once' ? opened(createTcpServer((socket) => socket.destroy())) : openHttp(kind);
}

/** A port of loopback that somebody else has. */
export async function occupyPort(): Promise<NonsensePeer> {
  return opened(createTcpServer());
}

async function openHttp(kind: Nonsense): Promise<NonsensePeer> {
  const server = createHttpServer();
  const sockets = new WebSocketServer({ noServer: true });
  server.on('upgrade', (request, stream, head) => {
    if (kind === 'http page') {
      stream.end('HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 5\r\n\r\nhello');
    } else {
      sockets.handleUpgrade(request, stream, head, (socket) => talk(socket, kind));
    }
  });
  const { port, close } = await opened(server);
  return {
    port,
    close: async () => {
      for (const socket of sockets.clients) socket.terminate();
      server.closeAllConnections();
      await close();
    },
  };
}

function talk(socket: WebSocket, kind: Nonsense): void {
  if (kind === 'speaks text') socket.send('hello, who is there?');
  if (kind === 'speaks other bytes') socket.send(Buffer.from([0xc1, 0xff, 0x00, 0x13]));
  if (kind === 'says nothing and leaves') socket.close();
}

async function opened(server: Server): Promise<NonsensePeer> {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: async () =>
      new Promise((resolve) => {
        server.close(() => resolve());
      }),
  };
}
