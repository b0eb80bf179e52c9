/** A call met a bug in the worker; `cause` is its stack. */
export class WorkerError extends Error {
  override readonly name = 'WorkerError';
}

/** The worker died, or was closed, before it answered. Calling again starts another. */
export class WorkerGone extends Error {
  override readonly name = 'WorkerGone';
}

export interface PendingCalls {
  /** Sends a call with a number of its own; resolved by the answer with that number. Rejects once the calls have ended. */
  readonly ask: (send: (id: number) => void) => Promise<unknown>;
  readonly answer: (id: number, value: unknown) => void;
  readonly fail: (id: number, cause: Error) => void;
  /** Rejects all that wait, and all that come later. */
  readonly end: (reason: string) => void;
  readonly count: () => number;
}

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (cause: Error) => void;
}

/** Calls on their way to a worker or process and back. */
export function createPendingCalls(): PendingCalls {
  const waiting = new Map<number, Waiting>();
  let nextId = 0;
  let ended: string | null = null;

  return {
    ask: (send) => {
      if (ended !== null) return Promise.reject(new WorkerGone(ended));
      const id = nextId;
      nextId += 1;
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        send(id);
      });
    },
    answer: (id, value) => take(id)?.resolve(value),
    fail: (id, cause) => take(id)?.reject(cause),
    end: (reason) => {
      ended ??= reason;
      for (const { reject } of waiting.values()) reject(new WorkerGone(reason));
      waiting.clear();
    },
    count: () => waiting.size,
  };

  function take(id: number): Waiting | undefined {
    const found = waiting.get(id);
    waiting.delete(id);
    return found;
  }
}
