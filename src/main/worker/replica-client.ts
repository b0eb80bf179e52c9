import type { SchemaEvent } from '#shared/model/schema-event.ts';
import { err, ok, type Result } from '#shared/result.ts';
import type { Log } from '../engine/ports.ts';
import { createAsyncReplica, type AsyncReplica } from './async-replica.ts';
import { createPendingCalls, WorkerError, WorkerGone, type PendingCalls } from './pending-calls.ts';
import type { WorkerEnd } from './worker-end.ts';
import type { FromWriter, Opening, ToWriter, WorkerFailure } from './worker-messages.ts';

/** An open replica in its writer worker. */
export interface ReplicaClient {
  readonly replica: AsyncReplica;
  readonly opening: Opening;
  /** Calls that wait for their answer. */
  readonly inFlight: () => number;
  /** Ends the worker once what was asked before is answered. Resolved when it is gone. */
  readonly close: () => Promise<void>;
}

export interface ReplicaEvents {
  readonly onHead: (head: number) => void;
  readonly onSchema: (events: readonly SchemaEvent[]) => void;
  /** One sentence of what stands in the way, null when it is over. */
  readonly onTrouble: (message: string | null) => void;
  /** The worker died without being asked to; all calls have been rejected. */
  readonly onCrash: (fault: string) => void;
}

/**
 * Speaks to a writer worker that was just started.
 *
 * Resolved once the replica is open. Rejects with `WorkerGone` when the worker dies before. Errors: those of opening
 * the file; the worker is gone then.
 */
export function openReplicaClient(
  end: WorkerEnd<ToWriter, FromWriter>,
  events: ReplicaEvents,
  log: Log,
): Promise<Result<ReplicaClient, WorkerFailure>> {
  const calls = createPendingCalls();
  const gone = new Promise<void>((resolve) => end.onExit(() => resolve()));
  let isClosing = false;

  return new Promise((resolve, reject) => {
    end.onMessage((message) => {
      switch (message.kind) {
        case 'opened':
          resolve(ok(createClient(message.opening)));
          break;
        case 'refused':
          isClosing = true;
          resolve(err(message.error));
          break;
        default:
          hear(message, { calls, events, log });
      }
    });
    end.onExit((fault) => {
      const reason = `The worker is gone: ${fault ?? 'it ended by itself'}`;
      calls.end(reason);
      if (isClosing) return;
      reject(new WorkerGone(reason));
      events.onCrash(fault ?? 'it ended by itself');
    });
  });

  function createClient(opening: Opening): ReplicaClient {
    return {
      replica: createAsyncReplica((method, args) =>
        isClosing
          ? Promise.reject(new WorkerGone('The worker is gone: the replica was closed.'))
          : calls.ask((id) => end.send({ kind: 'call', id, method, args })),
      ),
      opening,
      inFlight: calls.count,
      close: async () => {
        const isFirst = !isClosing;
        isClosing = true;
        if (isFirst) end.send({ kind: 'close' });
        await gone;
      },
    };
  }
}

function hear(
  message: Exclude<FromWriter, { readonly kind: 'opened' | 'refused' }>,
  to: { readonly calls: PendingCalls; readonly events: ReplicaEvents; readonly log: Log },
): void {
  switch (message.kind) {
    case 'answer':
      to.calls.answer(message.id, message.value);
      break;
    case 'threw':
      to.calls.fail(message.id, new WorkerError(message.message, { cause: message.stack }));
      break;
    case 'head':
      to.events.onHead(message.head);
      break;
    case 'schema':
      to.events.onSchema(message.events);
      break;
    case 'trouble':
      to.events.onTrouble(message.message);
      break;
    case 'log':
      to.log[message.level](message.event, message.facts);
      break;
  }
}
