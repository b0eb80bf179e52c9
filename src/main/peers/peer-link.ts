import type { Page, PullRequest } from '#shared/model/change-group.ts';
import type { SiteId } from '#shared/model/ids.ts';
import type { Result } from '#shared/result.ts';
import type { ProtocolRange } from '#shared/wire/protocol.ts';
import type { PeerIdentity, PullRefusal } from '../replica/replica.ts';

/**
 * A way to reach one peer, as the side that pulls sees it.
 *
 * In process, over a WebSocket, or one day through a relay: nothing above this interface knows which.
 * A link holds no state that the replicas could not rebuild: the place in the log is the puller's own.
 */
export interface PeerLink {
  /** Who is at the other end now. May be asked again: the answer is always fresh. */
  readonly hello: () => Promise<Result<PeerHello, LinkError>>;
  /** Asks for one page. One at a time: a second call before the answer is a bug of the caller. */
  readonly pull: (request: PullRequest) => Promise<Result<Page, LinkError>>;
  /** Tells of a new head of the peer, each time one is heard. */
  readonly onHead: (listener: (seq: number) => void) => () => void;
  /** Tells once why the link ended, at once if it has ended already; not after `close`. */
  readonly onClosed: (listener: (why: LinkError) => void) => () => void;
  readonly close: () => void;
}

export interface PeerHello extends PeerIdentity {
  readonly client: ClientInfo;
}

/** The program at one end, for people. */
export interface ClientInfo {
  readonly name: string;
  readonly version: string;
}

/** Why a link gives no answer. */
export type LinkError =
  /** No connection came about. `reason` is the system's own code, such as ECONNREFUSED. */
  | { readonly code: 'unreachable'; readonly reason: string }
  /** The connection ended while it was needed. */
  | { readonly code: 'closed'; readonly reason: string }
  /** The other end was silent for too long. */
  | { readonly code: 'timed-out'; readonly afterMs: number }
  /** Taken down by a person. */
  | { readonly code: 'paused' }
  /** No token, or one that the host does not know (any more). */
  | { readonly code: 'unauthorized' }
  /** The token has no right to sync this replica. */
  | { readonly code: 'forbidden' }
  | { readonly code: 'no-such-replica' }
  | { readonly code: 'no-common-protocol'; readonly ours: ProtocolRange; readonly theirs: ProtocolRange }
  /** Another replica answers than the one that was asked for. */
  | { readonly code: 'wrong-replica'; readonly asked: SiteId; readonly found: SiteId }
  /** What came is not the protocol; `detail` names the first thing that is wrong. */
  | { readonly code: 'bad-peer'; readonly detail: string }
  /** The peer will not serve this pull. */
  | { readonly code: 'refused'; readonly refusal: PullRefusal }
  /** The other end lets nobody pull from it. */
  | { readonly code: 'not-offered' }
  /** The peer says that it failed, in its own words. */
  | { readonly code: 'peer-failed'; readonly peerCode: string; readonly fatal: boolean }
  /** A bug, or a worker that died, on this side. The log has it. */
  | { readonly code: 'internal' };

/**
 * Whether trying again by itself is pointless: only a person can mend it.
 *
 * Everything else is worth another try after a while.
 */
export function isFatal(error: LinkError | PullRefusal): boolean {
  if (error.code === 'peer-failed') return error.fatal;
  if (error.code === 'refused') return isFatal(error.refusal);
  return FATAL_BY_CODE[error.code];
}

type PlainCode = Exclude<LinkError['code'], 'peer-failed' | 'refused'> | PullRefusal['code'];

const FATAL_BY_CODE: Readonly<Record<PlainCode, boolean>> = {
  'duplicate-site': true,
  // Mended by a re-bootstrap or a decision on either side; the next hello shows it.
  'epoch-changed': false,
  'too-old': false,
  unauthorized: true,
  forbidden: true,
  'no-common-protocol': true,
  'wrong-replica': true,
  'not-offered': true,
  unreachable: false,
  closed: false,
  'timed-out': false,
  paused: false,
  'no-such-replica': false,
  'bad-peer': false,
  internal: false,
};
