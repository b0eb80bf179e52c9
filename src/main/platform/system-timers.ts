import type { Timers } from '../peers/timers.ts';

/** The event loop's timers. None of them keeps the process alive by itself. */
export const systemTimers: Timers = {
  after: (delayMs, pass) => {
    const timer = setTimeout(pass, delayMs);
    timer.unref();
    return () => clearTimeout(timer);
  },
};
