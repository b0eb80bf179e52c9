export interface PassQueue<T> {
  /** Runs a pass that begins after this call: at once, or once the one under way has ended. Many callers share one. */
  readonly request: () => Promise<T>;
  /** Resolved when nothing runs and nothing waits. */
  readonly settled: () => Promise<void>;
}

/** Runs a pass never twice at once, and at most one more after it however many ask. `pass` must not reject. */
export function createPassQueue<T>(pass: () => Promise<T>): PassQueue<T> {
  let running: Promise<T> | null = null;
  let queued: Promise<T> | null = null;

  return {
    request: async () => {
      if (queued !== null) return queued;
      if (running === null) return begin();
      queued = running.then(begin);
      return queued;
    },
    settled: async () => {
      while (running !== null || queued !== null) await (queued ?? running);
    },
  };

  async function begin(): Promise<T> {
    queued = null;
    running = pass();
    try {
      return await running;
    } finally {
      // Before the waiting one begins: this was the first to wait for the pass.
      running = null;
    }
  }
}
