/** Timers as a port, so that tests decide when time passes. Hosts bring the real ones from platform. */
export interface Timers {
  /** Runs `pass` once, after so many milliseconds. The answer cancels it; cancelling twice, or too late, does no harm. */
  readonly after: (delayMs: number, pass: () => void) => () => void;
}
