import type { Timers } from './timers.ts';

/** A head is told at most this often; a newer one that comes meanwhile is told at the end. */
const HEAD_GAP_MS = 50;

export interface HeadNotices {
  readonly tell: (seq: number) => void;
  readonly stop: () => void;
}

/** Thins out head notices: the first is sent at once, then the newest after each gap. */
export function createHeadNotices(timers: Timers, send: (seq: number) => void): HeadNotices {
  let newest: number | null = null;
  let cancelGap: (() => void) | null = null;
  let isStopped = false;

  return {
    tell: (seq) => {
      newest = seq;
      if (cancelGap === null) flush();
    },
    stop: () => {
      isStopped = true;
      cancelGap?.();
    },
  };

  function flush(): void {
    cancelGap = null;
    if (newest === null || isStopped) return;
    const seq = newest;
    newest = null;
    cancelGap = timers.after(HEAD_GAP_MS, flush);
    send(seq);
  }
}
