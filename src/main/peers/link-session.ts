import type { Result } from '#shared/result.ts';
import type { Clock, Log, Random } from '../engine/ports.ts';
import { backOffMs } from './back-off.ts';
import { createAlarm } from './create-alarm.ts';
import { createLinkKeeper, type LinkKeeper } from './create-link-keeper.ts';
import { createListeners } from './create-listeners.ts';
import { createPassQueue } from './create-pass-queue.ts';
import { LINK_AT_REST, stateAfter, type LinkState } from './link-state.ts';
import type { LinkError, PeerLink } from './peer-link.ts';
import { pullFromPeer, type PullOptions } from './pull-from-peer.ts';
import type { SyncEndpoint } from './sync-endpoint.ts';
import { createSyncTally, type SyncReport } from './sync-report.ts';
import type { Timers } from './timers.ts';

/**
 * A long-lived link in one direction: keeps a replica up to date with one peer.
 *
 * It connects, pulls, and pulls again whenever the peer tells of a new head. What fails is tried again after
 * 1 s, doubling to 60 s; what only a person can mend stops it. Two replicas of one host that sync both ways
 * have two of these.
 */
export interface LinkSession {
  /** Also after a pause, and after a fatal error. */
  readonly start: () => void;
  /** Syncs at once, whatever the back-off, blocked batches too. While paused it does nothing and says so. */
  readonly syncNow: () => Promise<SyncReport>;
  /** Takes the link down. Resolved once the page that was being admitted is in. */
  readonly pause: () => Promise<void>;
  /** For good; else like `pause`. */
  readonly close: () => Promise<void>;
  readonly state: () => LinkState;
  readonly onChange: (listener: (state: LinkState) => void) => () => void;
  /** Tells what each sync did. */
  readonly onReport: (listener: (report: SyncReport) => void) => () => void;
}

export interface LinkSessionDeps {
  /** Opens the link; asked again after each loss. */
  readonly connect: () => Promise<Result<PeerLink, LinkError>>;
  readonly endpoint: SyncEndpoint;
  readonly clock: Clock;
  readonly random: Random;
  readonly timers: Timers;
  readonly log: Log;
}

/** A peer that keeps telling of new heads does not make a blocked line try more often than this. */
const BLOCKED_TRY_MIN_MS = 1_000;

/** Makes a session that does nothing before its start. */
export function createLinkSession(deps: LinkSessionDeps): LinkSession {
  const { clock } = deps;
  const changes = createListeners<LinkState>();
  const reports = createListeners<SyncReport>();
  const keeper = createLinkKeeper({ connect: deps.connect, onHead: heardHead, onClosed: lostLink });
  const nextTry = createAlarm(deps, () => void passes.request());
  const passes = createPassQueue(pass);
  let state = LINK_AT_REST;
  let isUp = false;
  let isClosed = false;

  const { add: onChange } = changes;
  const { add: onReport } = reports;

  return { start, syncNow: passes.request, pause, close, state: () => state, onChange, onReport };

  function start(): void {
    if (isClosed) return;
    isUp = true;
    void passes.request();
  }

  async function pause(): Promise<void> {
    isUp = false;
    nextTry.cancel();
    keeper.drop();
    await passes.settled();
    rest();
  }

  /** Unless it was started again meanwhile. */
  function rest(): void {
    if (!isUp) become({ ...state, phase: 'paused', connected: false, failures: 0, nextTryMs: null });
  }

  async function close(): Promise<void> {
    isClosed = true;
    await pause();
  }

  async function pass(): Promise<SyncReport> {
    if (!isUp) return createSyncTally().endBy({ code: 'paused' });
    nextTry.cancel();
    const options = { retryBlocked: state.blocked !== null, shouldStop: () => !isUp };
    become({ ...state, phase: 'syncing', nextTryMs: null });
    const report = await syncOnce({ ...deps, keeper }, options);
    settle(report);
    if (state.phase === 'idle' && !keeper.isOpen()) lostLink({ code: 'closed', reason: 'just after a sync' });
    reports.tell(report);
    return report;
  }

  function settle(report: SyncReport): void {
    if (!isUp) return;
    if (spoilsLink(report)) keeper.drop();
    const delayMs = backOffMs(state.failures + 1, deps.random);
    become({ ...stateAfter(state, report, { nowMs: clock.nowMs(), delayMs }), connected: keeper.isOpen() });
    if (state.phase === 'waiting') nextTry.set(delayMs);
    if (state.phase === 'idle') askIfNewer();
  }

  function heardHead(): void {
    if (state.phase === 'idle') askIfNewer();
    if (state.phase === 'waiting') nextTry.bring(BLOCKED_TRY_MIN_MS);
  }

  function askIfNewer(): void {
    if (keeper.headHeard() > (state.peer?.head ?? 0)) void passes.request();
  }

  function lostLink(why: LinkError): void {
    // While a sync is under way its own call fails for the same reason, and that counts.
    if (state.phase === 'syncing' || !isUp) return;
    settle(createSyncTally().endBy(why));
  }

  function become(next: LinkState): void {
    state = next;
    changes.tell(next);
  }
}

async function syncOnce(
  deps: { readonly keeper: LinkKeeper; readonly endpoint: SyncEndpoint; readonly log: Log },
  options: PullOptions,
): Promise<SyncReport> {
  try {
    const link = await deps.keeper.open();
    if (!link.ok) return createSyncTally().endBy(link.error);
    return await pullFromPeer({ endpoint: deps.endpoint, link: link.value }, options);
  } catch (bug) {
    deps.log.error('peers.sync-threw', { bug });
    return createSyncTally().endBy({ code: 'internal' });
  }
}

/** Whether what went wrong asks for a new link; the others leave it as good as it was. */
function spoilsLink({ error }: SyncReport): boolean {
  return error !== null && SPOILING.has(error.code);
}

const SPOILING: ReadonlySet<string> = new Set<LinkError['code']>([
  'unreachable',
  'closed',
  'timed-out',
  'unauthorized',
  'forbidden',
  'no-such-replica',
  'no-common-protocol',
  'wrong-replica',
  'bad-peer',
]);
