import type { Result } from '#shared/result.ts';
import type { SyncDenial, SyncRequest } from './read-sync-request.ts';
import type { SyncEndpoint } from './sync-endpoint.ts';

/** What a host says of a request to sync. */
export interface SyncHost {
  /**
   * Who holds this token may sync this replica?
   *
   * `unauthorized`: no token, or one that is not known, ran out or was withdrawn. `forbidden`: a token without
   * the right to sync this site, whether the site is here or not. `no-such-replica` only to those who may sync
   * every site. The token is compared in constant time, and is never written to a log.
   */
  readonly authorize: (asked: SyncRequest) => Promise<Result<SyncGrant, SyncDenial>>;
}

/** The right to sync one replica, as long as a session lasts. */
export interface SyncGrant {
  readonly endpoint: SyncEndpoint;
  /** Called once when the right ends before the session does. */
  readonly onWithdrawn: (listener: () => void) => () => void;
  /** Called once when the replica is about to be closed. */
  readonly onClosing: (listener: () => void) => () => void;
  /** Called when the session is over: the replica is no longer needed for it. */
  readonly release: () => void;
}
