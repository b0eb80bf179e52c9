import type { Result } from '#shared/result.ts';
import type { RehearseError, RehearseReport, RehearseRequest } from '../replica/rehearse.ts';
import type { Replica } from '../replica/replica.ts';

export type ReplicaMethod = Exclude<keyof Replica, 'close'>;

/** A replica in a worker. A call rejects when it met a bug or when its worker died, and for nothing else. */
export type AsyncReplica = {
  readonly [M in ReplicaMethod]: (...args: Parameters<Replica[M]>) => Promise<ReturnType<Replica[M]>>;
};

/** Calls that only read. A reader worker answers them while the writer is busy. */
export type ReadMethod =
  | 'status'
  | 'catalog'
  | 'definitions'
  | 'diffCatalog'
  | 'migrations'
  | 'blocked'
  | 'held'
  | 'heldCounts'
  | 'measureHeld'
  | 'findings'
  | 'journal';

export type AsyncReader = Pick<AsyncReplica, ReadMethod>;

/** What a reader worker does beside its replica's writer, and never the writer itself: it takes long. */
export interface ScratchReader {
  readonly rehearse: (request: RehearseRequest) => Result<RehearseReport, RehearseError>;
}

export type ReaderMethod = ReadMethod | keyof ScratchReader;

export type AsyncScratchReader = AsyncReader & {
  readonly [M in keyof ScratchReader]: (
    ...args: Parameters<ScratchReader[M]>
  ) => Promise<ReturnType<ScratchReader[M]>>;
};

const METHODS: Readonly<Record<ReplicaMethod, 'reads' | 'writes'>> = {
  identity: 'reads',
  status: 'reads',
  notice: 'writes',
  exec: 'writes',
  declare: 'writes',
  readPage: 'writes',
  readFeed: 'writes',
  planPull: 'reads',
  admitPage: 'writes',
  retryBlocked: 'writes',
  refusedBy: 'writes',
  newSite: 'writes',
  prune: 'writes',
  catalog: 'reads',
  definitions: 'reads',
  diffCatalog: 'reads',
  migrations: 'reads',
  blocked: 'reads',
  held: 'reads',
  heldCounts: 'reads',
  measureHeld: 'reads',
  decideHeld: 'writes',
  editHeld: 'writes',
  findings: 'reads',
  journal: 'reads',
  previewResolution: 'writes',
  previewShape: 'writes',
  resolve: 'writes',
  selfCheck: 'writes',
};

export const REPLICA_METHODS = Object.keys(METHODS) as readonly ReplicaMethod[];

/** Whether a call may record something, so that heads and states have to be looked at again. */
export function mayWrite(method: ReplicaMethod): boolean {
  return METHODS[method] === 'writes';
}

/** Makes an asynchronous replica whose every call goes through one function. */
export function createAsyncReplica(
  call: (method: ReplicaMethod, args: readonly unknown[]) => Promise<unknown>,
): AsyncReplica {
  // What comes back for a method is what Replica promises for it; the worker that answers is typed by it.
  return Object.fromEntries(
    REPLICA_METHODS.map((method) => [method, (...args: readonly unknown[]) => call(method, args)]),
  ) as unknown as AsyncReplica;
}
