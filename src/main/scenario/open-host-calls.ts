import { ok, type Result } from '#shared/result.ts';
import type { Ports } from '../engine/ports.ts';
import { createReplicaEndpoint, type ReplicaEndpoint } from '../peers/sync-endpoint.ts';
import { openSyncServer, type SyncServerHandle } from '../peers/serve-sync-server.ts';
import { openWebSocketLink } from '../peers/web-socket-link.ts';
import type { WireLink } from '../peers/create-wire-link.ts';
import { sha256 } from '../platform/sha256.ts';
import { systemTimers } from '../platform/system-timers.ts';
import type { OpenReplicaError } from '../replica/open-replica.ts';
import type { Replica } from '../replica/replica.ts';
import { createAsyncReplica } from '../worker/async-replica.ts';
import type { Mortality } from './create-mortality.ts';
import { createCollectedLog, type CollectedLog } from './collected-log.ts';
import type { HostAddress, HostCalls, HostSpec, LinkCalls } from './host-calls.ts';
import { openScenarioReplica } from './open-scenario-replica.ts';
import { createPlacedRandom, createSeededRandom } from './seeded-random.ts';

/** The program at both ends of a scenario's links. */
export const SCENARIO_CLIENT = { name: 'concord scenario', version: '1' };

/** Whoever knows it may sync: it never leaves this machine's loopback and dies with the scenario. */
const TOKEN_BYTES = 24;

/** Opens a replica under a simulated clock and offers what the runner asks of its host. */
export function openHostCalls(
  spec: HostSpec,
  how: { readonly nowMs: () => number; readonly mortality: Mortality },
): Result<HostCalls, OpenReplicaError> {
  const log = createCollectedLog();
  const seeded = createSeededRandom(`replica ${spec.seed}`, sha256);
  const ports: Ports = {
    clock: { nowMs: how.nowMs, isWallClock: false },
    random: createPlacedRandom(seeded, spec.place),
    hash: sha256,
    log: log.log,
  };
  const opened = openScenarioReplica(spec, { ports, watch: how.mortality.watch });
  if (!opened.ok) return opened;
  const { dieAtWrite } = how.mortality;
  return ok({
    ...callReplica(opened.value),
    ...callLinks(opened.value, ports, log),
    dieAtWrite: async (write) => {
      dieAtWrite(write);
      return Promise.resolve();
    },
  });
}

function callReplica(replica: Replica) {
  return createAsyncReplica(async (method, args) => {
    // The caller's types are those of the same interface.
    const call = replica[method] as (...given: readonly unknown[]) => unknown;
    return Promise.resolve(call(...args));
  });
}

function callLinks(replica: Replica, ports: Ports, log: CollectedLog): Omit<LinkCalls, 'dieAtWrite'> {
  const endpoint = createReplicaEndpoint({ replica, clock: ports.clock });
  const links = new Map<number, WireLink>();
  let serving: Promise<{ readonly server: SyncServerHandle; readonly address: HostAddress }> | null = null;
  let nextLink = 1;

  return {
    logLines: async () => Promise.resolve(log.lines()),
    listen: async () => {
      serving ??= serve(endpoint, ports);
      return (await serving).address;
    },
    connect: async (address) => {
      const link = await openWebSocketLink({
        ...address,
        endpoint,
        client: SCENARIO_CLIENT,
        timers: systemTimers,
        log: ports.log,
        offers: false,
      });
      if (!link.ok) return link;
      const id = nextLink;
      nextLink += 1;
      links.set(id, link.value);
      return ok(id);
    },
    linkHello: async (id) => linkOf(id).hello(),
    linkPull: async (id, request) => linkOf(id).pull(request),
    linkClose: async (id) => {
      linkOf(id).close();
      links.delete(id);
      return Promise.resolve();
    },
    close: async () => {
      for (const link of links.values()) link.close();
      await (await serving)?.server.close();
      replica.close();
    },
  };

  function linkOf(id: number): WireLink {
    const link = links.get(id);
    if (link === undefined) throw new Error('no such link');
    return link;
  }
}

async function serve(
  endpoint: ReplicaEndpoint,
  ports: Ports,
): Promise<{ readonly server: SyncServerHandle; readonly address: HostAddress }> {
  const token = Buffer.from(ports.random.bytes(TOKEN_BYTES)).toString('base64url');
  const { site } = await endpoint.identity();
  const server = await openSyncServer({
    host: {
      authorize: async (asked) =>
        Promise.resolve(
          asked.token === token && asked.site === site
            ? ok({ endpoint, onWithdrawn: never, onClosing: never, release: () => undefined })
            : ({ ok: false, error: { code: 'unauthorized' } } as const),
        ),
    },
    client: SCENARIO_CLIENT,
    clock: ports.clock,
    random: ports.random,
    timers: systemTimers,
    log: ports.log,
  });
  return { server, address: { host: server.address, site, token } };
}

const never = () => () => undefined;
