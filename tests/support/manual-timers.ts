import type { Timers } from '#main/peers/timers.ts';

export interface ManualTimers extends Timers {
  /** Lets so much time pass: what is due goes off in order, also what is set meanwhile. */
  readonly advance: (ms: number) => void;
  /** Delays of what is set, soonest first. */
  readonly pending: () => readonly number[];
  readonly nowMs: () => number;
}

/** Timers that go off when a test says so. The time they show begins at `startMs`. */
export function createManualTimers(startMs = 0): ManualTimers {
  let nowMs = startMs;
  let alarms: readonly { readonly atMs: number; readonly pass: () => void }[] = [];

  return {
    after: (delayMs, pass) => {
      const alarm = { atMs: nowMs + delayMs, pass };
      alarms = [...alarms, alarm].sort((a, b) => a.atMs - b.atMs);
      return () => {
        alarms = alarms.filter((other) => other !== alarm);
      };
    },
    advance: (ms) => {
      const untilMs = nowMs + ms;
      for (let next = alarms[0]; next !== undefined && next.atMs <= untilMs; next = alarms[0]) {
        alarms = alarms.slice(1);
        nowMs = next.atMs;
        next.pass();
      }
      nowMs = untilMs;
    },
    pending: () => alarms.map((alarm) => alarm.atMs - nowMs),
    nowMs: () => nowMs,
  };
}
