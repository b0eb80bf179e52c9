import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { onTestFinished } from 'vitest';

import type { Push } from '#shared/api/envelope.ts';
import type { Handlers } from '#shared/api/types.ts';
import { openConsoleRecords } from '#main/console/open-console-records.ts';
import type { Tokens, TokenRole } from '#main/console/tokens.ts';
import { createListeners } from '#main/peers/create-listeners.ts';
import { secureRandom } from '#main/platform/secure-random.ts';
import { createDispatcher } from '#main/rpc/create-dispatcher.ts';
import type { FeedDoor } from '#main/services/feed-service.ts';
import { openHttpServer, type HttpServer } from '#main/rpc/open-http-server.ts';
import { createFakeHandlers } from './fake-handlers.ts';
import { createManualTimers, type ManualTimers } from './manual-timers.ts';
import { createMemoryLog, type MemoryLog } from './memory-log.ts';

export interface TestServer {
  readonly server: HttpServer;
  readonly tokens: Tokens;
  /** The secret of a new token. */
  readonly tokenFor: (role: TokenRole, expiresMs?: number) => string;
  readonly push: (push: Push) => void;
  readonly timers: ManualTimers;
  readonly log: MemoryLog;
  /** Sends one plain request. */
  readonly send: (wish: PlainRequest) => Promise<PlainAnswer>;
}

export interface PlainRequest {
  readonly path: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface PlainAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A folder of the test's own, gone when the test is over. */
export function aDataFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'concord-host-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Where no replica is. */
export const noFeed: FeedDoor = {
  read: (replica) =>
    Promise.resolve({ ok: false, error: { code: 'replica-unknown', message: `no ${replica}` } }),
};

/** Where nothing is to be measured. */
export const noMetrics = {
  contentType: 'text/plain',
  text: () => Promise.resolve('concord_nothing 1\n'),
};

/** A real server on a free port of loopback, with real tokens and time in the test's hand. */
export async function openTestServer(
  handlers: Partial<Handlers> = {},
  names: readonly string[] = [],
  feed: FeedDoor = noFeed,
): Promise<TestServer> {
  const timers = createManualTimers(1_800_000_000_000);
  const clock = { nowMs: timers.nowMs, isWallClock: false };
  const log = createMemoryLog();
  const folder = aDataFolder();
  const rendererDir = join(folder, 'page');
  mkdirSync(rendererDir);
  writeFileSync(join(rendererDir, 'index.html'), '<!doctype html><title>Concord</title>');
  writeFileSync(join(rendererDir, 'page.js'), 'export {};');
  writeFileSync(join(folder, 'secrets.json'), '{}');
  const records = openConsoleRecords({ dataDir: folder, clock, random: secureRandom });
  const pushes = createListeners<Push>();
  const opened = await openHttpServer(
    { host: '127.0.0.1', port: 0, names, tls: null, rendererDir, operator: 'ines' },
    {
      rpcHost: { dispatch: createDispatcher(createFakeHandlers(handlers), log), onPush: pushes.add },
      feed,
      metrics: noMetrics,
      handleSyncUpgrade: () => false,
      tokens: records.tokens,
      clock,
      random: secureRandom,
      timers,
      log,
    },
  );
  if (!opened.ok) throw new Error(opened.error.code);
  const server = opened.value;
  onTestFinished(async () => {
    await server.close();
    records.close();
  });

  return {
    server,
    tokens: records.tokens,
    tokenFor: (role, expiresMs) =>
      records.tokens.create({ name: `a ${role} token`, role, sites: null, expiresMs: expiresMs ?? null })
        .secret,
    push: pushes.tell,
    timers,
    log,
    send: (wish) => sendPlain(server.port, wish),
  };
}

function sendPlain(
  port: number,
  { path, method = 'GET', headers = {}, body }: PlainRequest,
): Promise<PlainAnswer> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, method, headers, agent: false }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(parts).toString('utf8'),
        }),
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
