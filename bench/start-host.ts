import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import type { Client } from '#shared/api/types.ts';
import { openConsoleRecords } from '#main/console/open-console-records.ts';
import type { TokenRole } from '#main/console/tokens.ts';
import { secureRandom } from '#main/platform/secure-random.ts';
import { systemClock } from '#main/platform/system-clock.ts';
import { connectWebSocket } from '#main/rpc/connect-web-socket.ts';
import type { FromHost, HostGauges, ToHost } from './host-messages.ts';

/** A headless host in a process of its own. */
export interface BenchHost {
  readonly url: string;
  readonly client: Client;
  /** Lets other hosts pull. */
  readonly syncToken: string;
  /** Peaks count from now on; what the process holds at this moment. */
  readonly begin: () => Promise<HostGauges>;
  readonly read: () => Promise<HostGauges>;
  readonly end: () => Promise<void>;
}

/** Starts a host with an empty fleet and its data in a new folder. Resolved once it listens. */
export async function startHost(folder: string, name: string): Promise<BenchHost> {
  const dataDir = join(folder, name);
  mkdirSync(dataDir, { recursive: true });
  const records = openConsoleRecords({ dataDir, clock: systemClock, random: secureRandom });
  const tokenFor = (role: TokenRole): string =>
    records.tokens.create({ name: role, role, sites: null, expiresMs: null }).secret;
  const [operate, sync] = [tokenFor('operate'), tokenFor('sync')];
  records.close();

  const child = fork(new URL('./host-process.ts', import.meta.url), [dataDir], { serialization: 'advanced' });
  const [ready] = (await once(child, 'message')) as [FromHost];
  if (ready.kind !== 'ready') throw new Error('A host told of gauges before it was ready.');
  const connected = await connectWebSocket({
    url: ready.url,
    token: operate,
    onPush: () => undefined,
    onClosed: () => undefined,
  });
  if (!connected.ok) throw new Error(`The host does not take the call: ${connected.error.code}.`);

  const ask = async (message: ToHost): Promise<HostGauges> => {
    const answer = once(child, 'message') as Promise<[FromHost]>;
    child.send(message);
    const [told] = await answer;
    if (told.kind !== 'gauges') throw new Error('A host was ready twice.');
    return told.gauges;
  };
  return {
    url: ready.url,
    client: connected.value.client,
    syncToken: sync,
    begin: () => ask('begin'),
    read: () => ask('read'),
    end: async () => {
      connected.value.close();
      const ended = once(child, 'exit');
      child.send('end' satisfies ToHost);
      await ended;
    },
  };
}
