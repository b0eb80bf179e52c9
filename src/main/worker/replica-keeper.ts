import type { SchemaEvent } from '#shared/model/schema-event.ts';

import type { Log } from '../engine/ports.ts';
import { createListeners, type Listeners } from '../peers/create-listeners.ts';
import { ok, type Result } from '#shared/result.ts';
import { createAsyncReplica, mayWrite, type AsyncReplica, type ReplicaMethod } from './async-replica.ts';
import type { ReplicaClient } from './replica-client.ts';
import { createRetryWait, type RetryWait } from './retry-wait.ts';
import type { WorkerEnd } from './worker-end.ts';
import type { FromWriter, Opening, ToWriter, WorkerFailure } from './worker-messages.ts';
import { createWorkerSlot, ignoringCrash, type SlotEvents } from './worker-slot.ts';

/** A replica of this machine: opened when it is needed, closed when nobody asks, started again when its worker dies. */
export interface ReplicaKeeper {
  /** Opens it when it is not. Errors: why the file cannot be opened. */
  readonly acquire: () => Promise<Result<Opening, WorkerFailure>>;
  /** Opens the replica at each call that finds it closed; rejects with `ReplicaNotOpen` when that fails. */
  readonly replica: AsyncReplica;
  readonly state: () => KeeperState;
  readonly onEvent: (listener: (event: KeeperEvent) => void) => () => void;
  /** What is due now: close when idle, open again when the file has changed or a wait is over. Called every two seconds. */
  readonly look: () => Promise<void>;
  /** Closes the replica; it may be opened again. */
  readonly close: () => Promise<void>;
}

export interface KeeperState {
  readonly isOpen: boolean;
  /** More calls than one wait for the worker: reads are better asked of a reader. */
  readonly isBusy: boolean;
  /** Why it could not be opened; null when it could, or was not tried. */
  readonly failure: WorkerFailure | null;
  /** What the open replica cannot do now, one sentence. */
  readonly trouble: string | null;
}

export type KeeperEvent =
  | { readonly kind: 'opened' }
  | { readonly kind: 'closed' }
  | { readonly kind: 'failed'; readonly failure: WorkerFailure }
  | { readonly kind: 'crashed'; readonly fault: string }
  | { readonly kind: 'trouble' }
  /** The head moved. */
  | { readonly kind: 'head'; readonly head: number }
  /** What was decided about schema changes, in order. */
  | { readonly kind: 'schema'; readonly events: readonly SchemaEvent[] }
  /** A call that may have changed more than the head is done. */
  | { readonly kind: 'wrote'; readonly method: ReplicaMethod };

/** The file cannot be opened: an expected failure, carried through calls that cannot return one. */
export class ReplicaNotOpen extends Error {
  override readonly name = 'ReplicaNotOpen';
  readonly failure: WorkerFailure;

  constructor(failure: WorkerFailure) {
    super(failure.message);
    this.failure = failure;
  }
}

export interface KeeperDeps {
  readonly start: () => WorkerEnd<ToWriter, FromWriter>;
  /** Something that differs when the file does; null when there is no such file. */
  readonly readSignature: () => Promise<string | null>;
  readonly nowMs: () => number;
  readonly log: Log;
}

const IDLE_CLOSE_MS = 5 * 60_000;

/** Keeps one replica. Opens nothing before the first call. Every call ends: HOST-004. */
export function createReplicaKeeper(deps: KeeperDeps): ReplicaKeeper {
  const record = createKeeperRecord(deps);
  const slot = createWorkerSlot({ ...deps, events: record.slotEvents });
  let lastUsedMs = deps.nowMs();
  /** Of the file as we left it. */
  let signature: string | null = null;

  return {
    acquire: async () => {
      const opened = await acquire();
      return opened.ok ? ok(opened.value.opening) : opened;
    },
    replica: createAsyncReplica(call),
    state: () => {
      const open = slot.current();
      return { isOpen: open !== null, isBusy: open !== null && open.inFlight() > 1, ...record.state() };
    },
    onEvent: record.events.add,
    look,
    close,
  };

  async function call(method: ReplicaMethod, args: readonly unknown[]): Promise<unknown> {
    const opened = await acquire();
    if (!opened.ok) throw new ReplicaNotOpen(opened.error);
    // The list of arguments was typed at the caller by the same interface.
    const send = opened.value.replica[method] as (...given: readonly unknown[]) => Promise<unknown>;
    const value = await send(...args);
    lastUsedMs = deps.nowMs();
    record.retry.succeeded();
    if (mayWrite(method)) record.events.tell({ kind: 'wrote', method });
    return value;
  }

  function acquire(): Promise<Result<ReplicaClient, WorkerFailure>> {
    lastUsedMs = deps.nowMs();
    return slot.acquire();
  }

  async function look(): Promise<void> {
    if (!slot.isSettled()) return;
    const nowMs = deps.nowMs();
    const open = slot.current();
    if (open !== null) {
      if (open.inFlight() === 0 && nowMs - lastUsedMs >= IDLE_CLOSE_MS) await close();
    } else if (record.retry.isWaiting() ? record.retry.isDue(nowMs) : await hasChanged()) {
      await ignoringCrash(acquire());
    }
  }

  /** Whether another program wrote to the file since it was closed. */
  async function hasChanged(): Promise<boolean> {
    return signature !== null && (await deps.readSignature()) !== signature;
  }

  async function close(): Promise<void> {
    await slot.close(async () => {
      signature = await deps.readSignature();
    });
    record.closed();
  }
}

interface KeeperRecord {
  readonly events: Listeners<KeeperEvent>;
  readonly slotEvents: SlotEvents;
  readonly retry: RetryWait;
  readonly state: () => Pick<KeeperState, 'failure' | 'trouble'>;
  readonly closed: () => void;
}

/** What happened to the replica, remembered and passed on. */
function createKeeperRecord({ nowMs, log }: KeeperDeps): KeeperRecord {
  const events = createListeners<KeeperEvent>();
  const retry = createRetryWait();
  let failure: WorkerFailure | null = null;
  let trouble: string | null = null;

  return {
    events,
    retry,
    state: () => ({ failure, trouble }),
    closed: () => {
      trouble = null;
      retry.succeeded();
      events.tell({ kind: 'closed' });
    },
    slotEvents: {
      onOpened: () => {
        failure = null;
        events.tell({ kind: 'opened' });
      },
      onRefused: (error) => {
        failure = error;
        retry.failed(nowMs());
        events.tell({ kind: 'failed', failure });
      },
      onHead: (head) => events.tell({ kind: 'head', head }),
      onSchema: (decided) => events.tell({ kind: 'schema', events: decided }),
      onTrouble: (message) => {
        trouble = message;
        events.tell({ kind: 'trouble' });
      },
      onCrash: (fault) => {
        trouble = null;
        retry.failed(nowMs());
        log.error('worker.crashed', { fault });
        events.tell({ kind: 'crashed', fault });
      },
    },
  };
}
