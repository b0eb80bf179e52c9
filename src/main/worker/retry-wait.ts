const RETRY_MS = { first: 1_000, most: 60_000 };

/** When to try again: after 1 s, doubling to 60 s, until it succeeds. */
export interface RetryWait {
  readonly failed: (nowMs: number) => void;
  readonly succeeded: () => void;
  readonly isWaiting: () => boolean;
  readonly isDue: (nowMs: number) => boolean;
}

/** Waits for nothing before the first failure. */
export function createRetryWait(): RetryWait {
  let failures = 0;
  let atMs: number | null = null;

  return {
    failed: (nowMs) => {
      atMs = nowMs + Math.min(RETRY_MS.most, RETRY_MS.first * 2 ** failures);
      failures += 1;
    },
    succeeded: () => {
      failures = 0;
      atMs = null;
    },
    isWaiting: () => atMs !== null,
    isDue: (nowMs) => atMs !== null && nowMs >= atMs,
  };
}
