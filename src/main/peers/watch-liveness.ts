import type { Timers } from './timers.ts';

/** After so long without a byte the other end is asked for a sign of life, and given as long again twice. */
const QUIET_MS = 15_000;
const PINGS_MAX = 2;
/** What a dead link is reported with. */
export const DEAD_AFTER_MS = QUIET_MS * (PINGS_MAX + 1);

/**
 * Notices a link that died without a word: no byte heard for 45 s though pinged twice. A message that is
 * still arriving counts as life, however large and slow. The answer ends the watch.
 */
export function watchLiveness(
  deps: { readonly timers: Timers; readonly bytesHeard: () => number; readonly ping: () => void },
  onDead: () => void,
): () => void {
  let heard = deps.bytesHeard();
  let pings = 0;
  let cancel = deps.timers.after(QUIET_MS, look);

  return () => cancel();

  function look(): void {
    const now = deps.bytesHeard();
    if (now !== heard) pings = 0;
    else if (pings === PINGS_MAX) {
      onDead();
      return;
    } else {
      pings += 1;
      deps.ping();
    }
    heard = now;
    cancel = deps.timers.after(QUIET_MS, look);
  }
}
