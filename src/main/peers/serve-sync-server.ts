import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { createSyncServer, type SyncServer, type SyncServerDeps } from './serve-sync.ts';

export interface SyncServerHandle {
  /** `ws://127.0.0.1:<port>`, as links take it. */
  readonly address: string;
  readonly sync: SyncServer;
  /** Resolved once no connection is open and no replica in use. */
  readonly close: () => Promise<void>;
}

/**
 * Opens a host that does nothing but sync, on a free loopback port: for the scenario runner and for tests.
 *
 * Errors: rejects when no port can be opened.
 */
export async function openSyncServer(deps: SyncServerDeps): Promise<SyncServerHandle> {
  const sync = createSyncServer(deps);
  const http = createServer((_request, response) => {
    response.writeHead(404).end();
  });
  http.on('upgrade', (request, stream, head) => {
    if (!sync.handleUpgrade(request, stream, head)) stream.destroy();
  });
  const port = await listen(http);

  return {
    address: `ws://127.0.0.1:${port}`,
    sync,
    close: async () => {
      await sync.close();
      await new Promise<void>((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      });
    },
  };
}

async function listen(http: ReturnType<typeof createServer>): Promise<number> {
  return new Promise((resolve, reject) => {
    http.once('error', reject);
    http.listen(0, '127.0.0.1', () => {
      http.off('error', reject);
      resolve((http.address() as AddressInfo).port);
    });
  });
}
