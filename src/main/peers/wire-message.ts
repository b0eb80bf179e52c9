import type { Page, PullRequest } from '#shared/model/change-group.ts';
import type { Epoch, Era, SiteId } from '#shared/model/ids.ts';
import type { Result } from '#shared/result.ts';
import type { ClientInfo, ProtocolRange } from './peer-link.ts';
import type { SyncReport } from './sync-report.ts';

/**
 * What travels on a `/sync` socket. Both ends speak the same: each may pull from the other.
 *
 * Both say `hello` first, unasked, once. A `pull` is answered by one `page` or one `error` that is not fatal; an
 * `invite` (pull from me now) by one `pulled` or likewise. `head` tells of news and asks for no answer.
 */
export type WireMessage =
  | HelloMessage
  | (PullRequest & { readonly type: 'pull' })
  | (Page & { readonly type: 'page' })
  | { readonly type: 'head'; readonly seq: number }
  | { readonly type: 'invite' }
  | PulledMessage
  | ErrorMessage;

export interface HelloMessage {
  readonly type: 'hello';
  readonly protocol: ProtocolRange;
  readonly site: SiteId;
  readonly epoch: Epoch;
  readonly era: Era;
  readonly head: number;
  readonly nowMs: number;
  readonly client: ClientInfo;
}

/** How a pull that was invited went, as its puller has it. */
export type PulledMessage = { readonly type: 'pulled' } & Omit<SyncReport, 'error' | 'peer' | 'skewMs'>;

export interface ErrorMessage {
  readonly type: 'error';
  readonly code: WireErrorCode;
  /** The sender closes the socket after this. */
  readonly fatal: boolean;
  readonly facts: Readonly<Record<string, unknown>>;
}

export type WireErrorCode =
  /** Fatal: the first message was another than hello. */
  | 'hello-expected'
  | 'hello-repeated'
  /** Fatal: bytes that are no message. */
  | 'malformed'
  /** Not fatal: a message of a type that is not known; facts: `type`. */
  | 'unknown-message'
  /** Fatal; facts: `protocol`, the range of the sender. */
  | 'no-common-protocol'
  /** Fatal: an answer that nobody asked for, or more at once than agreed. */
  | 'out-of-turn'
  /** Fatal: both ends have the same site ID. */
  | 'duplicate-site'
  /** Fatal: the token was withdrawn or ran out. */
  | 'rights-withdrawn'
  /** Fatal: the host closes the replica. */
  | 'going-away'
  /** Not fatal: this end lets nobody pull, or pulls from nobody. */
  | 'not-offered'
  | 'too-old'
  | 'epoch-changed'
  | 'internal';

export interface WireCodec {
  readonly encode: (message: WireMessage) => Uint8Array;
  readonly decode: (bytes: Uint8Array) => Result<WireMessage, WireError>;
}

export type WireError =
  | { readonly code: 'unknown-message'; readonly type: string }
  | { readonly code: 'malformed'; readonly detail: string };
