import type { Log } from '../engine/ports.ts';
import type { OpenError } from '../store/open-error.ts';
import type { AsyncScratchReader, ReaderMethod } from './async-replica.ts';
import { createPendingCalls, WorkerError, type PendingCalls } from './pending-calls.ts';
import type { FromReader, ToReader } from './reader-messages.ts';
import { ReplicaNotOpen } from './replica-keeper.ts';
import type { WorkerEnd } from './worker-end.ts';

export interface ReaderPool {
  /** Reads a file beside its writer. A call rejects as those of a keeper do. */
  readonly reader: (path: string) => AsyncScratchReader;
  readonly close: () => void;
}

interface Lane {
  readonly end: WorkerEnd<ToReader, FromReader>;
  readonly calls: PendingCalls;
}

/** One can be kept by a long list while the other answers. */
const READERS_MAX = 2;

const READ_METHODS: readonly ReaderMethod[] = [
  'status',
  'catalog',
  'definitions',
  'diffCatalog',
  'migrations',
  'blocked',
  'held',
  'heldCounts',
  'measureHeld',
  'findings',
  'journal',
  'rehearse',
];

/** A few reader threads for all replicas, started when they are first needed and again when one dies. */
export function createReaderPool(deps: {
  readonly start: () => WorkerEnd<ToReader, FromReader>;
  readonly log: Log;
}): ReaderPool {
  const lanes: Lane[] = [];
  let isClosing = false;

  return {
    reader: (path) => {
      const read =
        (method: ReaderMethod) =>
        (...args: readonly unknown[]) =>
          call({ path, method, args });
      // What comes back for a method is what Replica promises for it; the worker that answers is typed by it.
      return Object.fromEntries(
        READ_METHODS.map((method) => [method, read(method)]),
      ) as unknown as AsyncScratchReader;
    },
    close: () => {
      isClosing = true;
      for (const { end } of lanes) end.terminate();
    },
  };

  function call(request: Omit<ToReader, 'id'>): Promise<unknown> {
    const { end, calls } = leastBusy();
    return calls.ask((id) => end.send({ ...request, id }));
  }

  function leastBusy(): Lane {
    const idle = [...lanes].sort((one, other) => one.calls.count() - other.calls.count())[0];
    if (idle !== undefined && (idle.calls.count() === 0 || lanes.length === READERS_MAX)) return idle;
    return startLane();
  }

  function startLane(): Lane {
    const lane: Lane = { end: deps.start(), calls: createPendingCalls() };
    lanes.push(lane);
    lane.end.onMessage((message) => hear(message, lane.calls, deps.log));
    lane.end.onExit((fault) => {
      lanes.splice(lanes.indexOf(lane), 1);
      lane.calls.end(`The reader is gone: ${fault ?? 'it ended by itself'}`);
      if (fault !== null && !isClosing) deps.log.error('worker.reader-crashed', { fault });
    });
    return lane;
  }
}

function hear(message: FromReader, calls: PendingCalls, log: Log): void {
  switch (message.kind) {
    case 'answer':
      calls.answer(message.id, message.value);
      break;
    case 'not-open':
      calls.fail(message.id, new ReplicaNotOpen(withoutCause(message.error)));
      break;
    case 'threw':
      calls.fail(message.id, new WorkerError(message.message, { cause: message.stack }));
      break;
    case 'log':
      log[message.level](message.event, message.facts);
      break;
  }
}

function withoutCause(error: OpenError): OpenError {
  if (error.code === 'runtime-too-old') return error;
  const { cause: _cause, ...facts } = error;
  return facts;
}
