import { onTestFinished } from 'vitest';

import { systemClock } from '#main/platform/system-clock.ts';
import { systemTimers } from '#main/platform/system-timers.ts';
import type { WireLink } from '#main/peers/create-wire-link.ts';
import type { LinkError } from '#main/peers/peer-link.ts';
import type { SyncEndpoint } from '#main/peers/sync-endpoint.ts';
import type { SyncHost } from '#main/peers/sync-host.ts';
import { openSyncServer, type SyncServerHandle } from '#main/peers/serve-sync-server.ts';
import { openWebSocketLink, type WebSocketLinkOptions } from '#main/peers/web-socket-link.ts';
import { createListeners } from '#main/peers/create-listeners.ts';
import type { Timers } from '#main/peers/timers.ts';
import type { SiteId } from '#shared/model/ids.ts';
import type { Result } from '#shared/result.ts';
import { err, ok } from '#shared/result.ts';
import type { ProtocolRange } from '#shared/wire/protocol.ts';
import { createMemoryLog, type MemoryLog } from './memory-log.ts';
import { createSeededRandom } from './seeded-random.ts';
import { client } from './sync-pair.ts';

/** May sync every site, one site, nothing. */
export const TOKENS = { all: 'token-of-all', one: 'token-of-one', none: 'token-of-none' } as const;

export interface TestHost extends SyncHost {
  readonly withdraw: () => void;
  readonly closeReplicas: () => void;
  /** Grants that are in use. */
  readonly inUse: () => number;
}

/** A host that holds these replicas; the token `one` is for the first of them. */
export function aHost(...endpoints: readonly (SyncEndpoint & { readonly site: SiteId })[]): TestHost {
  const withdrawn = createListeners<undefined>();
  const closing = createListeners<undefined>();
  let inUse = 0;

  return {
    authorize: async ({ token, site }) => {
      const endpoint = endpoints.find((one) => one.site === site);
      if (token === TOKENS.none) return err({ code: 'forbidden' });
      if (token === TOKENS.one && site !== endpoints[0]?.site) return err({ code: 'forbidden' });
      if (token !== TOKENS.one && token !== TOKENS.all) return err({ code: 'unauthorized' });
      if (endpoint === undefined) return err({ code: 'no-such-replica' });
      inUse += 1;
      return ok({
        endpoint,
        onWithdrawn: (listener) => withdrawn.add(listener),
        onClosing: (listener) => closing.add(listener),
        release: () => void (inUse -= 1),
      });
    },
    withdraw: () => withdrawn.tell(undefined),
    closeReplicas: () => closing.tell(undefined),
    inUse: () => inUse,
  };
}

export interface TestServer extends SyncServerHandle {
  readonly log: MemoryLog;
}

/** Serves a host on a free port of this machine until the test is over. */
export async function aServer(
  host: SyncHost,
  options: { readonly timers?: Timers; readonly protocol?: ProtocolRange } = {},
): Promise<TestServer> {
  const log = createMemoryLog();
  const server = await openSyncServer({
    host,
    client,
    clock: systemClock,
    random: createSeededRandom(1),
    timers: systemTimers,
    log,
    ...options,
  });
  onTestFinished(server.close);
  return { ...server, log };
}

/** Connects a replica of this side; the link is closed when the test is over. */
export async function connect(
  options: Pick<WebSocketLinkOptions, 'host' | 'site' | 'endpoint'> & Partial<WebSocketLinkOptions>,
): Promise<Result<WireLink, LinkError>> {
  const opened = await openWebSocketLink({
    token: TOKENS.all,
    client,
    timers: systemTimers,
    log: createMemoryLog(),
    ...options,
  });
  if (opened.ok) onTestFinished(opened.value.close);
  return opened;
}

/** The same where the test takes it for granted that it comes about. */
export async function connected(options: Parameters<typeof connect>[0]): Promise<WireLink> {
  const opened = await connect(options);
  if (!opened.ok) throw new Error(opened.error.code);
  return opened.value;
}
