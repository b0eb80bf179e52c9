import type { BlockedSummary, PeerIdentity, PullRefusal } from '../replica/replica.ts';
import { isFatal, type LinkError } from './peer-link.ts';
import type { SyncReport } from './sync-report.ts';

/**
 * - `syncing`: connecting or pulling. `idle`: connected, nothing to do. `waiting`: until `nextTryMs`.
 * - `stopped`: by an error that only a person can mend, see `lastError`.
 * - `paused`: by a person; before the start and after the end too.
 */
export type LinkPhase = 'syncing' | 'idle' | 'waiting' | 'stopped' | 'paused';

/** What the console shows of a link. Units: milliseconds since the Unix epoch; `skewMs` is a length. */
export interface LinkState {
  readonly phase: LinkPhase;
  readonly connected: boolean;
  /** When this replica last had all that the peer had. */
  readonly lastSyncMs: number | null;
  /** What ended the last sync; null when it came through. */
  readonly lastError: LinkError | PullRefusal | null;
  readonly blocked: BlockedSummary | null;
  /** Tries in a row that did not come through. */
  readonly failures: number;
  readonly nextTryMs: number | null;
  readonly skewMs: number | null;
  readonly peer: PeerIdentity | null;
}

export const LINK_AT_REST: LinkState = {
  phase: 'paused',
  connected: false,
  lastSyncMs: null,
  lastError: null,
  blocked: null,
  failures: 0,
  nextTryMs: null,
  skewMs: null,
  peer: null,
};

/**
 * The state after a sync. A `waiting` one says when to try again (SYNC-007).
 *
 * Units: `delayMs` is the back-off for one failure more than the state has.
 */
export function stateAfter(
  state: LinkState,
  report: SyncReport,
  time: { readonly nowMs: number; readonly delayMs: number },
): LinkState {
  const heard: LinkState = {
    ...state,
    peer: report.peer ?? state.peer,
    skewMs: report.skewMs ?? state.skewMs,
    lastError: report.error,
    blocked: report.blocked,
    nextTryMs: null,
  };
  if (report.ended === 'quiet') return { ...heard, phase: 'idle', failures: 0, lastSyncMs: time.nowMs };
  if (report.ended === 'paused') return { ...heard, phase: 'paused', lastError: null };

  const failed: LinkState = { ...heard, failures: state.failures + 1 };
  if (report.error !== null && isFatal(report.error)) return { ...failed, phase: 'stopped' };
  return { ...failed, phase: 'waiting', nextTryMs: time.nowMs + time.delayMs };
}
