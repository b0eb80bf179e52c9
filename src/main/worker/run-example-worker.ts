import { Worker } from 'node:worker_threads';

import type { ExampleAnswer, ExampleTask } from './example-messages.ts';
import { createWorkerEnd } from './worker-end.ts';
import { workerFile } from './worker-file.ts';

/** Makes the example fleet beside the main thread. Rejects when the thread ends without an answer. */
export function runExampleWorker(folder: string): Promise<ExampleAnswer> {
  const task: ExampleTask = { folder };
  const end = createWorkerEnd<never, ExampleAnswer>(
    new Worker(workerFile('example-worker'), { workerData: task }),
  );
  return new Promise((resolve, reject) => {
    end.onMessage(resolve);
    end.onExit((fault) =>
      reject(new Error(`The example was not made: ${fault ?? 'its thread ended early'}`)),
    );
  });
}
