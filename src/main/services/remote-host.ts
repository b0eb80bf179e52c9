import type { Push } from '#shared/api/envelope.ts';
import type { Fleet, FleetReplica } from '#shared/api/fleet-replica.ts';
import type { Client } from '#shared/api/types.ts';
import { err, ok, type Result } from '#shared/result.ts';
import type { HostRecord } from '../console/fleet-records.ts';
import { createPassQueue } from '../peers/create-pass-queue.ts';
import type { Timers } from '../peers/timers.ts';
import { createRetryWait } from '../worker/retry-wait.ts';
import { describeConnectError, type ConnectHost, type ConnectHostError } from './connect-host.ts';
import { createGather } from './create-gather.ts';
import { THIS_MACHINE } from './fleet-view.ts';
import type { PushHub } from './push-hub.ts';
import { takeOverFleet } from './take-over-fleet.ts';

/** Another host, as long as this console shows its replicas. */
export interface RemoteHost {
  readonly id: string;
  readonly url: string;
  /** Its replicas and links, by the names they have here; as last heard while it is not reached. */
  readonly fleet: () => Pick<Fleet, 'replicas' | 'links'>;
  readonly token: () => string | null;
  /** Null when reached, else why not. */
  readonly trouble: () => string | null;
  /** Null while it is not reached. */
  readonly client: () => Client | null;
  /** Connects, and reads its fleet. Tried again by itself when it fails; the failure is of the first try. */
  readonly connect: () => Promise<Result<undefined, ConnectHostError>>;
  /** Connects again when that is due. Called every second. */
  readonly look: () => void;
  readonly close: () => void;
}

const GATHER_MS = 200;

/** Makes a host that is not connected yet. */
export function createRemoteHost(deps: {
  readonly record: HostRecord;
  readonly token: () => string | null;
  readonly connect: ConnectHost;
  readonly hub: PushHub;
  readonly timers: Timers;
  readonly nowMs: () => number;
  readonly onChange: () => void;
}): RemoteHost {
  const { record, timers, hub } = deps;
  const retry = createRetryWait();
  const reads = createPassQueue(readFleet);
  const attempts = createPassQueue(connect);
  const gather = createGather(timers, GATHER_MS, () => void reads.request());
  let connection: { readonly client: Client; readonly close: () => void } | null = null;
  let trouble: string | null = 'It has not answered yet.';
  let fleet: Pick<Fleet, 'replicas' | 'links'> = { replicas: [], links: [] };

  return {
    id: record.id,
    url: record.url,
    fleet: () => (trouble === null ? fleet : asLastHeard(fleet, trouble)),
    token: deps.token,
    trouble: () => trouble,
    client: () => connection?.client ?? null,
    connect: attempts.request,
    look: () => {
      if (connection === null && retry.isDue(deps.nowMs())) void attempts.request();
    },
    close: () => {
      gather.cancel();
      connection?.close();
      connection = null;
    },
  };

  async function connect(): Promise<Result<undefined, ConnectHostError>> {
    const opened = await deps.connect({
      url: record.url,
      token: deps.token() ?? '',
      onPush: heard,
      onClosed: (reason) => lost(`The host does not answer: ${reason}. It is tried again by itself.`),
    });
    if (!opened.ok) {
      lost(describeConnectError(opened.error));
      return err(opened.error);
    }
    connection = opened.value;
    retry.succeeded();
    await reads.request();
    return ok();
  }

  function lost(reason: string): void {
    connection = null;
    trouble = reason;
    retry.failed(deps.nowMs());
    deps.onChange();
  }

  function heard({ push }: Push): void {
    if (push.topic !== 'fleet' && push.ref !== undefined) hub.push(push.topic, `${record.id}/${push.ref}`);
    gather.request();
  }

  async function readFleet(): Promise<void> {
    const answer = await connection?.client.call('fleet.get', {});
    if (answer?.ok !== true) return;
    trouble = null;
    fleet = takeOverFleet(answer.value, record, THIS_MACHINE);
    deps.onChange();
  }
}

function asLastHeard(
  fleet: Pick<Fleet, 'replicas' | 'links'>,
  reason: string,
): Pick<Fleet, 'replicas' | 'links'> {
  const replicas = fleet.replicas.map((replica): FleetReplica => ({
    ...replica,
    state: 'unreachable',
    reason,
  }));
  return { replicas, links: fleet.links.map((link) => ({ ...link, health: 'unreachable', reason })) };
}
