import type { Timers } from '../peers/timers.ts';

export interface Gather {
  /** Runs the pass after the gap; what asks meanwhile is covered by it. */
  readonly request: () => void;
  readonly cancel: () => void;
}

/** Turns a burst of wishes into one pass. Units: `gapMs`, milliseconds between the first wish and the pass. */
export function createGather(timers: Timers, gapMs: number, pass: () => void): Gather {
  let cancel: (() => void) | null = null;
  return {
    request: () => {
      cancel ??= timers.after(gapMs, () => {
        cancel = null;
        pass();
      });
    },
    cancel: () => {
      cancel?.();
      cancel = null;
    },
  };
}
