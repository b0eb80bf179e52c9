import type { BlockedView, ReplicaStatus } from '#shared/model/views.ts';
import type { SiteId } from '#shared/model/ids.ts';
import type { ReplicaRecord } from '../console/fleet-records.ts';
import type { Log } from '../engine/ports.ts';
import { createListeners } from '../peers/create-listeners.ts';
import { createPassQueue } from '../peers/create-pass-queue.ts';
import type { SyncEndpoint } from '../peers/sync-endpoint.ts';
import type { Timers } from '../peers/timers.ts';
import type { AsyncReader, AsyncScratchReader } from '../worker/async-replica.ts';
import { WorkerGone } from '../worker/pending-calls.ts';
import { ReplicaNotOpen, type KeeperEvent, type ReplicaKeeper } from '../worker/replica-keeper.ts';
import { createWorkerEndpoint } from '../worker/worker-endpoint.ts';
import { createGather } from './create-gather.ts';

/** A replica of this machine in the fleet: its worker, and what was last seen of it. */
export interface Member {
  readonly ref: string;
  readonly record: () => ReplicaRecord;
  readonly keeper: ReplicaKeeper;
  readonly endpoint: SyncEndpoint;
  /** Answers reads also while the writer is busy. */
  readonly reader: () => AsyncReader;
  /** Tries statements on a scratch copy, beside the writer. */
  readonly rehearse: AsyncScratchReader['rehearse'];
  readonly snapshot: () => MemberSnapshot;
  readonly site: () => SiteId | null;
  /** Looks at it again now. Resolved when the snapshot is fresh, or cannot be. */
  readonly refresh: () => Promise<void>;
  /** Hears each fresh snapshot, with the one before. */
  readonly onSnapshot: (listener: (change: SnapshotChange) => void) => () => void;
  readonly close: () => Promise<void>;
}

export interface MemberSnapshot {
  /** As last heard; null before the first time. */
  readonly status: ReplicaStatus | null;
  readonly blocked: readonly BlockedView[];
  readonly asOfMs: number;
  /** What the worker died of, until it answers again. */
  readonly crash: string | null;
}

export interface SnapshotChange {
  readonly before: MemberSnapshot;
  readonly after: MemberSnapshot;
}

export interface MemberDeps {
  readonly record: () => ReplicaRecord;
  readonly keeper: ReplicaKeeper;
  /** A reader worker for the file. */
  readonly spareReader: (path: string) => AsyncScratchReader;
  readonly nowMs: () => number;
  readonly timers: Timers;
  readonly log: Log;
}

/** A burst of writes is looked at once. */
const REFRESH_GAP_MS = 100;

const UNSEEN: MemberSnapshot = { status: null, blocked: [], asOfMs: 0, crash: null };

/** Watches over one replica. Opens nothing by itself. */
export function createMember(deps: MemberDeps): Member {
  const { keeper, nowMs, timers, log } = deps;
  const { ref, path } = deps.record();
  const changes = createListeners<SnapshotChange>();
  const passes = createPassQueue(look);
  const gather = createGather(timers, REFRESH_GAP_MS, () => void passes.request());
  const spare = deps.spareReader(path);
  let snapshot = UNSEEN;

  const stopListening = keeper.onEvent(heard);

  return {
    ref,
    record: deps.record,
    keeper,
    endpoint: createWorkerEndpoint(keeper, nowMs),
    reader,
    rehearse: spare.rehearse,
    snapshot: () => snapshot,
    site: () => snapshot.status?.site ?? null,
    refresh: passes.request,
    onSnapshot: changes.add,
    close: async () => {
      stopListening();
      gather.cancel();
      await passes.settled();
      await keeper.close();
    },
  };

  function reader(): AsyncReader {
    const { isBusy, failure } = keeper.state();
    // What another host holds may still be read.
    return isBusy || failure?.code === 'in-use-by-host' ? spare : keeper.replica;
  }

  function heard(event: KeeperEvent): void {
    switch (event.kind) {
      case 'opened':
      case 'head':
      case 'wrote':
        gather.request();
        break;
      case 'crashed':
        become({ ...snapshot, crash: event.fault });
        break;
      case 'failed':
      case 'trouble':
        become({ ...snapshot });
        break;
      case 'closed':
      case 'schema':
        break;
    }
  }

  async function look(): Promise<void> {
    try {
      await keeper.acquire();
      const status = await reader().status();
      const blocked = status.blockedBatches === 0 ? [] : await reader().blocked();
      become({ status, blocked, asOfMs: nowMs(), crash: null });
    } catch (cause) {
      // Both were told as events of their own.
      if (cause instanceof ReplicaNotOpen || cause instanceof WorkerGone) return;
      log.error('fleet.refresh-failed', { ref, cause });
    }
  }

  function become(after: MemberSnapshot): void {
    const before = snapshot;
    snapshot = after;
    changes.tell({ before, after });
  }
}
