import { parentPort } from 'node:worker_threads';

import { createSystemPorts } from '../platform/system-ports.ts';
import { openReader } from './open-reader.ts';
import { createPostingLog } from './posting-log.ts';
import type { FromReader, ToReader } from './reader-messages.ts';
import { serveReads } from './serve-reads.ts';

// Entry of a thread that reads any replica while its writer is busy.

const port = parentPort;
if (port === null) throw new Error('This file runs as a worker of the host.');

const send = (message: FromReader): void => port.postMessage(message);
const ports = createSystemPorts(createPostingLog(send));
const answer = serveReads((path) => openReader(path, ports));
port.on('message', (request: ToReader) => send(answer(request)));
