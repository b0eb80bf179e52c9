import type { Worker } from 'node:worker_threads';

/** The main thread's end of a worker: what is sent and heard, and how it ends. */
export interface WorkerEnd<Out, In> {
  readonly send: (message: Out) => void;
  readonly onMessage: (listener: (message: In) => void) => void;
  /** Tells once that the worker is gone, with what it threw last; null when it ended by itself. */
  readonly onExit: (listener: (fault: string | null) => void) => void;
  /** Ends it without asking. */
  readonly terminate: () => void;
}

/** Wraps a worker thread. */
export function createWorkerEnd<Out, In>(worker: Worker): WorkerEnd<Out, In> {
  let fault: string | null = null;
  worker.on('error', (cause: unknown) => {
    fault = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
  });

  return {
    send: (message) => worker.postMessage(message),
    onMessage: (listener) => void worker.on('message', listener),
    onExit: (listener) =>
      void worker.on('exit', (code) =>
        listener(fault ?? (code === 0 ? null : `it ended with status ${code}`)),
      ),
    terminate: () => void worker.terminate(),
  };
}
