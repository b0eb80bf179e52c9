import type { Log } from '../engine/ports.ts';
import type { Timers } from '../peers/timers.ts';
import type { NoticeReport, Replica } from '../replica/replica.ts';
import { sqliteCode } from '../store/open-error.ts';
import { mayWrite, type ReplicaMethod } from './async-replica.ts';
import type { FromWriter, ToWriter } from './worker-messages.ts';

/** How long after the last foreign write the file counts as changing. */
const LIVELY_MS = 2_000;
/** How often other programs' writes are looked for, while the file changes and else. */
const UPKEEP_LOOK_MS = 3_600_000;
const POLL_MS = { lively: 200, calm: 2_000 };

export interface ServedReplica {
  readonly receive: (message: ToWriter) => void;
}

/**
 * Answers calls for a replica, one by one, and takes up what other programs write between them.
 *
 * A call that throws is answered with what it threw; the replica stays open. A notice that cannot be taken, and a call that
 * met a lock (another program holds the file), is told once as trouble; a notice is tried again at the next look.
 */
export function serveReplica(deps: {
  readonly replica: Replica;
  readonly send: (message: FromWriter) => void;
  readonly timers: Timers;
  readonly nowMs: () => number;
  readonly log: Log;
  /** Called when the main thread asks for the end, once the replica is closed. */
  readonly onClosed: () => void;
}): ServedReplica {
  const { replica, send, timers } = deps;
  let lastHead = replica.identity().head;
  let lastForeignMs = Number.NEGATIVE_INFINITY;
  let isTroubled = false;
  const upkeep = createUpkeep(deps);
  let cancelPoll = timers.after(0, poll);

  return {
    receive: (message) => {
      if (message.kind === 'call') answer(message);
      else close();
    },
  };

  function answer({ id, method, args }: Extract<ToWriter, { readonly kind: 'call' }>): void {
    try {
      send({ kind: 'answer', id, value: callReplica(replica, method, args) });
    } catch (bug) {
      send({ kind: 'threw', id, ...describe(bug) });
      // The next look may wait behind other calls that wait for the same lock.
      if (isOfLock(bug)) tellTrouble(bug);
    }
    if (mayWrite(method)) tellHead();
  }

  function poll(): void {
    const report = tryNotice();
    const isForeign = report !== null && report.changes + report.migrations > 0;
    if (isForeign) lastForeignMs = deps.nowMs();
    if (report !== null) {
      upkeep();
      tellHead();
    }
    const isLively = deps.nowMs() - lastForeignMs < LIVELY_MS;
    cancelPoll = timers.after(isLively ? POLL_MS.lively : POLL_MS.calm, poll);
  }

  function tryNotice(): NoticeReport | null {
    try {
      // What met a lock is over when something can be written again: most looks only read.
      const report = replica.notice({ mustWrite: isTroubled });
      if (isTroubled) send({ kind: 'trouble', message: null });
      isTroubled = false;
      return report;
    } catch (cause) {
      tellTrouble(cause);
      return null;
    }
  }

  function tellTrouble(cause: unknown): void {
    if (isTroubled) return;
    isTroubled = true;
    const { message, stack } = describe(cause);
    deps.log.warn('worker.notice-failed', { stack });
    send({ kind: 'trouble', message });
  }

  function tellHead(): void {
    const { head } = replica.identity();
    if (head === lastHead) return;
    lastHead = head;
    send({ kind: 'head', head });
  }

  function close(): void {
    cancelPoll();
    replica.close();
    deps.onClosed();
  }
}

/** Once a day what is too old is let go of; whether a day has passed is looked at once an hour. */
function createUpkeep(deps: {
  readonly replica: Replica;
  readonly nowMs: () => number;
  readonly log: Log;
}): () => void {
  let lastLookMs = deps.nowMs();
  return () => {
    if (Math.abs(deps.nowMs() - lastLookMs) < UPKEEP_LOOK_MS) return;
    lastLookMs = deps.nowMs();
    try {
      deps.replica.prune({ onlyWhenDue: true });
    } catch (cause) {
      deps.log.warn('worker.prune-failed', { stack: describe(cause).stack });
    }
  };
}

function callReplica(replica: Replica, method: ReplicaMethod, args: readonly unknown[]): unknown {
  // The client's call was typed by the same interface on the other thread.
  const call = replica[method] as (...given: readonly unknown[]) => unknown;
  return call(...args);
}

const isOfLock = (cause: unknown): boolean => /^SQLITE_(BUSY|LOCKED)/.test(sqliteCode(cause));

function describe(cause: unknown): { readonly message: string; readonly stack: string } {
  if (!(cause instanceof Error)) return { message: String(cause), stack: '' };
  return { message: cause.message, stack: cause.stack ?? '' };
}
