import type { Log } from '../engine/ports.ts';
import { ok, type Result } from '#shared/result.ts';
import { WorkerGone } from './pending-calls.ts';
import { openReplicaClient, type ReplicaClient, type ReplicaEvents } from './replica-client.ts';
import type { WorkerEnd } from './worker-end.ts';
import type { FromWriter, ToWriter, WorkerFailure } from './worker-messages.ts';

/** The place of at most one open replica: opening, open, closing or empty. */
export interface WorkerSlot {
  /** What is open, or opened now; many callers share one opening. */
  readonly acquire: () => Promise<Result<ReplicaClient, WorkerFailure>>;
  readonly current: () => ReplicaClient | null;
  /** Neither opening nor closing. */
  readonly isSettled: () => boolean;
  /** Resolved when the worker is gone. `afterwards` runs before anybody can open again. */
  readonly close: (afterwards: () => Promise<void>) => Promise<void>;
}

export interface SlotEvents extends ReplicaEvents {
  readonly onOpened: () => void;
  readonly onRefused: (failure: WorkerFailure) => void;
}

/** Makes an empty slot. Its replica's worker is started at the first `acquire`. */
export function createWorkerSlot(deps: {
  readonly start: () => WorkerEnd<ToWriter, FromWriter>;
  readonly events: SlotEvents;
  readonly log: Log;
}): WorkerSlot {
  let client: ReplicaClient | null = null;
  let opening: Promise<Result<ReplicaClient, WorkerFailure>> | null = null;
  let closing: Promise<void> | null = null;

  return {
    acquire: async () => {
      if (closing !== null) await closing;
      if (client !== null) return ok(client);
      opening ??= open().finally(() => {
        opening = null;
      });
      return opening;
    },
    current: () => client,
    isSettled: () => opening === null && closing === null,
    close: async (afterwards) => {
      if (opening !== null) await ignoringCrash(opening);
      if (client !== null) closing = end(client, afterwards);
      await closing;
    },
  };

  async function open(): Promise<Result<ReplicaClient, WorkerFailure>> {
    const events: ReplicaEvents = {
      ...deps.events,
      onCrash: (fault) => {
        client = null;
        deps.events.onCrash(fault);
      },
    };
    const opened = await openReplicaClient(deps.start(), events, deps.log);
    if (opened.ok) {
      client = opened.value;
      deps.events.onOpened();
    } else {
      deps.events.onRefused(opened.error);
    }
    return opened;
  }

  async function end(open: ReplicaClient, afterwards: () => Promise<void>): Promise<void> {
    client = null;
    await open.close();
    await afterwards();
    closing = null;
  }
}

/** Waits for work whose crash is told as an event. */
export async function ignoringCrash(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (cause) {
    if (!(cause instanceof WorkerGone)) throw cause;
  }
}
