import { join } from 'node:path';

import { CONTRACT_VERSION } from '#shared/api/contract.ts';
import { openConsoleRecords, type ConsoleRecords } from './console/open-console-records.ts';
import { createSecretsFile, type Seal, type Secrets } from './console/secrets-file.ts';
import type { Tokens } from './console/tokens.ts';
import type { Ports } from './engine/ports.ts';
import { createSyncServer, type SyncServer } from './peers/serve-sync.ts';
import type { Timers } from './peers/timers.ts';
import { connectWebSocket } from './rpc/connect-web-socket.ts';
import { createDispatcher } from './rpc/create-dispatcher.ts';
import type { RpcHost } from './rpc/serve-web-socket.ts';
import { createActivityLog } from './services/activity-log.ts';
import { createHandlers } from './services/create-handlers.ts';
import { createLiveLink } from './services/create-live-link.ts';
import { createExampleFleet } from './services/example-fleet.ts';
import { createFeedDoor, type FeedDoor } from './services/feed-service.ts';
import { createFleetBoard, type FleetBoard } from './services/fleet-board.ts';
import type { HostInfo } from './services/host-info.ts';
import { createLinks, type Links } from './services/links.ts';
import { createLocalMembers, type LocalMembers } from './services/local-members.ts';
import { createMetrics, type Metrics } from './services/metrics.ts';
import { createPushHub } from './services/push-hub.ts';
import { readWalBytes } from './services/read-wal-bytes.ts';
import { readFileSignature } from './services/read-file-signature.ts';
import { createRemoteHosts, type RemoteHosts } from './services/remote-hosts.ts';
import { sampleFleet } from './services/sample-fleet.ts';
import { createSyncHost } from './services/sync-host.ts';
import { takeUpRecords } from './services/take-up-records.ts';
import { watchFleet } from './services/watch-fleet.ts';
import type { ForkProcess } from './worker/process-end.ts';
import { createReaderPool, type ReaderPool } from './worker/reader-pool.ts';
import { runExampleWorker } from './worker/run-example-worker.ts';
import { createSqlRunner } from './worker/sql-runner.ts';
import { startReader, startWriter } from './worker/start-workers.ts';

/** Where a console runs, and with what. */
export interface ConsoleAppOptions {
  /** There already. */
  readonly dataDir: string;
  readonly exampleDir: string;
  /** Where paths that people type begin. */
  readonly homeDir: string;
  readonly info: Omit<HostInfo, 'contractVersion' | 'dataDir' | 'sqliteVersion'>;
  readonly ports: Ports;
  readonly timers: Timers;
  readonly seal: Seal;
  readonly forkProcess: ForkProcess;
}

/** The whole application, whichever host it runs in: what pages, peers and other hosts are served from. */
export interface ConsoleApp extends RpcHost {
  readonly tokens: Tokens;
  readonly syncServer: SyncServer;
  /** The change feeds of the replicas of this machine. */
  readonly feed: FeedDoor;
  readonly metrics: Metrics;
  /** Opens the replicas and starts the links. `address`: where other programs reach this host; null when nowhere. */
  readonly start: (address: string | null) => void;
  /** Resolved when all files are closed. */
  readonly close: () => Promise<void>;
}

/** Puts everything together. Opens the console's own database, and no replica before `start`. */
export function openConsoleApp(options: ConsoleAppOptions): ConsoleApp {
  const { dataDir, ports, timers } = options;
  const { nowMs } = ports.clock;
  const records = openConsoleRecords({ dataDir, clock: ports.clock, random: ports.random });
  const secrets = createSecretsFile(join(dataDir, 'secrets.json'), options.seal);
  const hub = createPushHub(timers);
  const activity = createActivityLog({ events: records.events, hub, nowMs });
  const readers = createReaderPool({ start: startReader, log: ports.log });
  const sql = createSqlRunner({ fork: options.forkProcess, timers });
  const example = createExampleFleet(options.exampleDir, runExampleWorker);
  const fleet = openFleet({ options, records, secrets, readers, hub, exampleExists: example.exists });
  const { members, links, hosts, board } = fleet;
  const syncHost = createSyncHost({ members, tokens: records.tokens, timers });
  const syncServer = createSyncServer({ ...ports, timers, host: syncHost, client: clientOf(options) });
  const handlers = createHandlers({
    ...fleet,
    hub,
    activity,
    events: records.events,
    secrets,
    sql,
    example,
    info: {
      ...options.info,
      contractVersion: CONTRACT_VERSION,
      dataDir,
      sqliteVersion: records.sqliteVersion,
    },
    clock: ports.clock,
    random: ports.random,
    homeDir: options.homeDir,
    endSessions: syncHost.endSessions,
  });
  watchFleet({ members, links, board, hub, activity, nowMs });
  const stopSampling = sampleFleet({ board, samples: records.samples, timers, nowMs });
  const stopTakingUp = takeUpRecords({ records, members, links, board, hub, timers });

  return {
    dispatch: createDispatcher(handlers, ports.log),
    onPush: hub.onPush,
    tokens: records.tokens,
    syncServer,
    feed: createFeedDoor({ members, timers }),
    metrics: createMetrics({ members, links, board, readWalBytes }),
    start: (address) => {
      fleet.setAddress(address);
      void members.openAll();
      links.start();
      hosts.start();
    },
    close: async () => {
      stopSampling();
      stopTakingUp();
      hub.close();
      hosts.close();
      sql.close();
      await syncServer.close();
      await links.close();
      await members.close();
      readers.close();
      records.close();
    },
  };
}

interface OpenFleet {
  readonly members: LocalMembers;
  readonly links: Links;
  readonly hosts: RemoteHosts;
  readonly board: FleetBoard;
  readonly setAddress: (address: string | null) => void;
}

const HOLDER_BYTES = 9;

/** Replicas, links and other hosts; they know each other. */
function openFleet(deps: {
  readonly options: ConsoleAppOptions;
  readonly records: ConsoleRecords;
  readonly secrets: Secrets;
  readonly readers: ReaderPool;
  readonly hub: ReturnType<typeof createPushHub>;
  readonly exampleExists: () => boolean;
}): OpenFleet {
  const { options, records, secrets, readers, hub } = deps;
  const { ports, timers } = options;
  const { nowMs } = ports.clock;
  const holder = `${options.info.name}-${Buffer.from(ports.random.bytes(HOLDER_BYTES)).toString('base64url')}`;
  let address: string | null = null;

  const members = createLocalMembers({
    records: records.fleet,
    startWriter: (path, how) => startWriter({ path, how, holder, address }),
    spareReader: readers.reader,
    readSignature: readFileSignature,
    nowMs,
    timers,
    log: ports.log,
  });
  const hosts = createRemoteHosts({
    records: records.fleet,
    secrets,
    connect: connectWebSocket,
    hub,
    timers,
    nowMs,
    onChange: () => {
      board.invalidate();
      hub.push('fleet');
    },
  });
  const linkPorts = { ...ports, timers, client: clientOf(options) };
  const links = createLinks({
    records: records.links,
    createLive: (record) => createLiveLink(record, { members, hosts, secrets, ports: linkPorts }),
    nowMs,
  });
  const board = createFleetBoard({ members, links, hosts, exampleExists: deps.exampleExists, nowMs });

  return {
    members,
    links,
    hosts,
    board,
    setAddress: (given) => {
      address = given;
    },
  };
}

function clientOf({ info }: ConsoleAppOptions): { readonly name: string; readonly version: string } {
  return { name: info.name, version: info.version };
}
