import { parentPort, workerData } from 'node:worker_threads';

import { createSystemPorts } from '../platform/system-ports.ts';
import { systemClock } from '../platform/system-clock.ts';
import { systemTimers } from '../platform/system-timers.ts';
import { createPostingLog } from './posting-log.ts';
import { serveReplica } from './serve-replica.ts';
import { takeReplica } from './take-replica.ts';
import type { FromWriter, ToWriter, WriterTask } from './worker-messages.ts';

// Entry of the thread that holds one replica: opens it, answers for it, closes it. All that blocks, blocks here.

const port = parentPort;
if (port === null) throw new Error('This file runs as a worker of the host.');

const send = (message: FromWriter): void => port.postMessage(message);
const log = createPostingLog(send);
// The host that started this thread is of the same build.
const taken = takeReplica(workerData as WriterTask, createSystemPorts(log), (events) =>
  send({ kind: 'schema', events }),
);

if (taken.ok) {
  const { replica, opening } = taken.value;
  const served = serveReplica({
    replica,
    send,
    timers: systemTimers,
    nowMs: systemClock.nowMs,
    log,
    onClosed: () => port.close(),
  });
  port.on('message', (message: ToWriter) => served.receive(message));
  send({ kind: 'opened', opening });
} else {
  send({ kind: 'refused', error: taken.error });
}
