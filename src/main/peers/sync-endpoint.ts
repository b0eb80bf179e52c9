import type { Page, PullRequest } from '#shared/model/change-group.ts';
import type { SiteId } from '#shared/model/ids.ts';
import type { Result } from '#shared/result.ts';
import type { Clock } from '../engine/ports.ts';
import type {
  AdmissionReport,
  BlockedSummary,
  PeerIdentity,
  PullRefusal,
  Replica,
  ReplicaIdentity,
} from '../replica/replica.ts';
import { createListeners } from './create-listeners.ts';

/**
 * A replica as links need it. Asynchronous, so that a replica in a worker fits as well as one at hand.
 *
 * A call that rejects is a bug or a worker that died; expected failures are returned.
 */
export interface SyncEndpoint {
  readonly identity: () => Promise<ReplicaIdentity>;
  /** Wall clock of the replica's host; milliseconds. */
  readonly nowMs: () => number;
  readonly readPage: (peer: SiteId, request: PullRequest) => Promise<Result<Page, PullRefusal>>;
  readonly planPull: (peer: PeerIdentity) => Promise<Result<PullRequest, PullRefusal>>;
  readonly admitPage: (peer: PeerIdentity, page: Page) => Promise<AdmissionReport>;
  readonly retryBlocked: (peer: SiteId) => Promise<AdmissionReport>;
  /** Blocks the line of a peer of which nothing can be pulled, until it answers again. */
  readonly refusedBy: (peer: SiteId, refusal: PullRefusal) => Promise<BlockedSummary>;
  /** Tells of a new head: after a notice, a statement, an admission. */
  readonly onHead: (listener: (seq: number) => void) => () => void;
}

export interface ReplicaEndpoint extends SyncEndpoint {
  /** To be called when something was recorded by other ways than this endpoint (SQL, a notice): tells the head if it moved. */
  readonly checkHead: () => void;
}

/**
 * Offers a replica of this thread to links.
 *
 * Each call that can record something tells the new head by itself. The replica stays the caller's to close.
 */
export function createReplicaEndpoint(deps: {
  readonly replica: Replica;
  readonly clock: Clock;
}): ReplicaEndpoint {
  const { replica, clock } = deps;
  const heads = createListeners<number>();
  let lastTold = replica.identity().head;

  return {
    identity: async () => Promise.resolve(replica.identity()),
    nowMs: clock.nowMs,
    readPage: async (peer, request) => recorded(() => replica.readPage(peer, request)),
    planPull: async (peer) => recorded(() => replica.planPull(peer)),
    admitPage: async (peer, page) => recorded(() => replica.admitPage(peer, page)),
    retryBlocked: async (peer) => recorded(() => replica.retryBlocked(peer)),
    refusedBy: async (peer, refusal) => recorded(() => replica.refusedBy(peer, refusal)),
    onHead: heads.add,
    checkHead,
  };

  async function recorded<T>(call: () => T): Promise<T> {
    const answer = call();
    checkHead();
    return Promise.resolve(answer);
  }

  function checkHead(): void {
    const { head } = replica.identity();
    if (head === lastTold) return;
    lastTold = head;
    heads.tell(head);
  }
}
