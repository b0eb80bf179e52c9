import { Worker } from 'node:worker_threads';

import type { FromReader, ToReader } from './reader-messages.ts';
import { createWorkerEnd, type WorkerEnd } from './worker-end.ts';
import { workerFile } from './worker-file.ts';
import type { FromWriter, ToWriter, WriterTask } from './worker-messages.ts';

/** Starts the thread that will hold a replica. */
export function startWriter(task: WriterTask): WorkerEnd<ToWriter, FromWriter> {
  return createWorkerEnd(new Worker(workerFile('writer-worker'), { workerData: task }));
}

/** Starts a thread that reads replicas. */
export function startReader(): WorkerEnd<ToReader, FromReader> {
  return createWorkerEnd(new Worker(workerFile('reader-worker')));
}
