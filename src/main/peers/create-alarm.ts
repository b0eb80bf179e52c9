import type { Clock } from '../engine/ports.ts';
import type { Timers } from './timers.ts';

export interface Alarm {
  /** Goes off once after so many milliseconds, instead of any time set before. */
  readonly set: (delayMs: number) => void;
  /** Not later than after so many milliseconds. Does nothing when none is set. */
  readonly bring: (delayMs: number) => void;
  readonly cancel: () => void;
}

/** One timer that can be moved. */
export function createAlarm(
  deps: { readonly timers: Timers; readonly clock: Clock },
  ring: () => void,
): Alarm {
  const { timers, clock } = deps;
  let pending: { readonly atMs: number; readonly cancel: () => void } | null = null;

  return {
    set,
    bring: (delayMs) => {
      if (pending !== null && pending.atMs > clock.nowMs() + delayMs) set(delayMs);
    },
    cancel,
  };

  function set(delayMs: number): void {
    cancel();
    pending = { atMs: clock.nowMs() + delayMs, cancel: timers.after(delayMs, goOff) };
  }

  function goOff(): void {
    pending = null;
    ring();
  }

  function cancel(): void {
    pending?.cancel();
    pending = null;
  }
}
