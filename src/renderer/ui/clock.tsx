import { createContext, use, useSyncExternalStore } from 'react';
import type { ReactNode } from 'react';

/** The page's clock. `subscribe` is told each time that relative times on the screen may have changed. */
export interface PageClock {
  readonly nowMs: () => number;
  readonly subscribe: (listener: () => void) => () => void;
}

const TICK_MS = 1000;

/** The wall clock, read once a second for the whole page and only while something on it shows a time. */
export function createPageClock(window: Window): PageClock {
  const listeners = new Set<() => void>();
  let readMs = Date.now();
  let timer: number | null = null;
  const tick = (): void => {
    readMs = Date.now();
    for (const listener of listeners) listener();
  };
  return {
    nowMs: () => readMs,
    subscribe: (listener) => {
      listeners.add(listener);
      timer ??= window.setInterval(tick, TICK_MS);
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0 || timer === null) return;
        window.clearInterval(timer);
        timer = null;
      };
    },
  };
}

const ClockContext = createContext<PageClock | null>(null);

export function ClockProvider(props: { readonly clock: PageClock; readonly children: ReactNode }) {
  return <ClockContext value={props.clock}>{props.children}</ClockContext>;
}

/** The current time in milliseconds; the caller is drawn again each second. */
export function useNowMs(): number {
  const clock = use(ClockContext);
  if (clock === null) throw new Error('A view needs a ClockProvider above it');
  return useSyncExternalStore(clock.subscribe, clock.nowMs);
}
