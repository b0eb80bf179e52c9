import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Method } from '#shared/api/contract.ts';
import type { Push } from '#shared/api/envelope.ts';
import type { FleetReplica } from '#shared/api/fleet-replica.ts';
import type { CallResult, Client, Input, Output } from '#shared/api/types.ts';
import { openConsoleRecords } from '#main/console/open-console-records.ts';
import type { TokenRole } from '#main/console/tokens.ts';
import { openHeadless } from '#main/open-headless.ts';
import { createListeners } from '#main/peers/create-listeners.ts';
import { createSystemPorts } from '#main/platform/system-ports.ts';
import { readSystemSurroundings } from '#main/platform/system-surroundings.ts';
import { connectWebSocket } from '#main/rpc/connect-web-socket.ts';
import { createMemoryLog, type MemoryLog } from './memory-log.ts';

/** A real host: its own data folder, workers, a port of loopback, and a client with a token that may operate. */
export interface TestHost {
  readonly url: string;
  readonly dataDir: string;
  readonly log: MemoryLog;
  readonly client: Client;
  /** The value of a call that has to succeed. */
  readonly ask: <M extends Method>(method: M, input: Input<M>) => Promise<Output<M>>;
  readonly tokenFor: (role: TokenRole) => string;
  readonly withdraw: (name: string) => void;
  /** Writes a replica into the console's database, as another program does. */
  readonly addToFleet: (record: {
    readonly ref: string;
    readonly path: string;
    readonly name: string;
  }) => void;
  readonly replica: (name: string) => Promise<FleetReplica>;
  /** Asks again at every push until it is true. */
  readonly until: (isSo: () => Promise<boolean>) => Promise<void>;
  readonly pushes: readonly Push[];
  readonly close: () => Promise<void>;
}

/** Files in memory where there is such a place: every commit waits for the disk otherwise. */
const MEMORY = '/dev/shm';

/** Starts a host. The test closes it, or leaves that to its `afterAll`. */
export async function openTestHost(): Promise<TestHost> {
  const dataDir = mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), 'concord-host-'));
  const log = createMemoryLog();
  const { clock, random } = createSystemPorts(log);
  const opened = await openHeadless(
    { dataDir, host: '127.0.0.1', port: 0, tlsCertFile: null, tlsKeyFile: null, rendererDir: dataDir },
    { surroundings: { ...readSystemSurroundings(), homeDir: dataDir }, log },
  );
  if (!opened.ok) throw new Error(opened.error.message);
  const records = openConsoleRecords({ dataDir, clock, random });
  const tokenFor = (role: TokenRole): string =>
    records.tokens.create({ name: role, role, sites: null, expiresMs: null }).secret;

  const listeners = createListeners<undefined>();
  const pushes: Push[] = [];
  const connected = await connectWebSocket({
    url: opened.value.url,
    token: records.tokens.create({ name: 'the test', role: 'operate', sites: null, expiresMs: null }).secret,
    onPush: (push) => {
      pushes.push(push);
      listeners.tell(undefined);
    },
    onClosed: () => undefined,
  });
  if (!connected.ok) throw new Error(connected.error.code);
  const { client } = connected.value;

  return {
    url: opened.value.url,
    dataDir,
    log,
    client,
    ask,
    tokenFor,
    withdraw: (name) => void records.tokens.withdraw(name),
    addToFleet: (record) =>
      records.fleet.addReplica({ ...record, group: null, site: null, addedMs: clock.nowMs() }),
    replica: async (name) => {
      const { replicas } = await ask('fleet.get', {});
      const found = replicas.find((replica) => replica.name === name);
      if (found === undefined) throw new Error(`The fleet has no ${name}.`);
      return found;
    },
    until: async (isSo) => {
      while (!(await nextPush(isSo))) continue;
    },
    pushes,
    close: async () => {
      connected.value.close();
      records.close();
      await opened.value.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };

  async function ask<M extends Method>(method: M, input: Input<M>): Promise<Output<M>> {
    const answer: CallResult<M> = await client.call(method, input);
    if (!answer.ok) throw new Error(`${method}: ${JSON.stringify(answer.error)}`);
    return answer.value;
  }

  /** Listens before it asks, so that no push falls between. */
  async function nextPush(isSo: () => Promise<boolean>): Promise<boolean> {
    let off = (): void => undefined;
    const pushed = new Promise<void>((resolve) => {
      off = listeners.add(() => resolve());
    });
    const isNow = await isSo();
    if (!isNow) await pushed;
    off();
    return isNow;
  }
}
