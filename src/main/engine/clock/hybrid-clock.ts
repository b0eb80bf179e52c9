import type { Result } from '#shared/result.ts';

import type { Clock } from '../ports.ts';
import { advanceHlc, observeHlc } from './advance-hlc.ts';
import type { RemoteAhead } from './advance-hlc.ts';

export interface HybridClock {
  /** Highest packed HLC that this replica has given or seen. */
  readonly last: () => bigint;
  /** Gives the next stamp of this replica. */
  readonly tick: () => bigint;
  /** Takes in a peer's stamp. Refused and unchanged when it is too far ahead. */
  readonly observe: (remote: bigint) => Result<bigint, RemoteAhead>;
  /** Takes in a stamp that this replica gave by other ways (a trigger, a notice): never refused. */
  readonly raise: (own: bigint) => void;
  /** Goes back to where it stood before a transaction that was rolled back: nobody has read what it gave since. */
  readonly restore: (last: bigint) => void;
}

/**
 * The one stateful clock of a replica. All arithmetic is in `advanceHlc` and `observeHlc`.
 *
 * `restored` is the highest packed HLC in the file, so a reopened replica goes on above it.
 */
export function createHybridClock(deps: {
  readonly clock: Clock;
  readonly restored: bigint;
  readonly driftMaxMs: number;
}): HybridClock {
  const { clock, driftMaxMs } = deps;
  let last = deps.restored;
  return { last: () => last, tick, observe, raise, restore };

  function tick(): bigint {
    last = advanceHlc(last, clock.nowMs());
    return last;
  }

  function observe(remote: bigint): Result<bigint, RemoteAhead> {
    const observed = observeHlc({ last, remote, nowMs: clock.nowMs(), driftMaxMs });
    if (observed.ok) last = observed.value;
    return observed;
  }

  function raise(own: bigint): void {
    if (own > last) last = own;
  }

  function restore(before: bigint): void {
    last = before;
  }
}
