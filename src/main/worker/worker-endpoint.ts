import type { SyncEndpoint } from '../peers/sync-endpoint.ts';
import type { ReplicaKeeper } from './replica-keeper.ts';

/** Offers a replica in a worker to links. Heads are told as the worker tells them. */
export function createWorkerEndpoint(keeper: ReplicaKeeper, nowMs: () => number): SyncEndpoint {
  const { replica } = keeper;
  return {
    identity: replica.identity,
    nowMs,
    readPage: replica.readPage,
    planPull: replica.planPull,
    admitPage: replica.admitPage,
    retryBlocked: replica.retryBlocked,
    refusedBy: replica.refusedBy,
    onHead: (listener) =>
      keeper.onEvent((event) => {
        if (event.kind === 'head') listener(event.head);
      }),
  };
}
