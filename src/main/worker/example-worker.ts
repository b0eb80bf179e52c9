import { parentPort, workerData } from 'node:worker_threads';

import { makeExampleFleet } from '../example/make-example-fleet.ts';
import { sha256 } from '../platform/sha256.ts';
import { systemClock } from '../platform/system-clock.ts';
import type { ExampleAnswer, ExampleTask } from './example-messages.ts';

// Entry of the thread that makes the example fleet: some seconds of work, then it ends.

const { folder } = workerData as ExampleTask;
const answer: ExampleAnswer = await makeExampleFleet({ folder, nowMs: systemClock.nowMs(), hash: sha256 });
parentPort?.postMessage(answer);
