import type { Page, PullRequest } from '#shared/model/change-group.ts';
import type { SiteId } from '#shared/model/ids.ts';
import type { Result } from '#shared/result.ts';
import type { LinkError, PeerHello } from '../peers/peer-link.ts';
import { REPLICA_METHODS, type AsyncReplica } from '../worker/async-replica.ts';
import type { ReplicaSettings } from './scenario.ts';

/** How a host is to take up its replica. */
export interface HostSpec {
  readonly path: string;
  readonly how: 'init' | 'attach' | 'open';
  readonly settings: ReplicaSettings;
  /** Place among the replicas, from 0: site IDs sort by it. */
  readonly place: number;
  /** Different at every opening, so that no ID is drawn twice. */
  readonly seed: string;
}

/**
 * What the runner asks of a host that holds one replica, in this process or in one of its own.
 * Plain data goes in and comes out, so that it can cross a process.
 */
export type HostCalls = AsyncReplica & LinkCalls;

export interface LinkCalls {
  /** Everything that was logged since the host started, one line an event. */
  readonly logLines: () => Promise<readonly string[]>;
  /** Serves the replica on loopback; the answer is the address for `connect`. */
  readonly listen: () => Promise<HostAddress>;
  /** Ends the host as by kill -9 before its so-manieth write from here, counted from 1. */
  readonly dieAtWrite: (write: number) => Promise<void>;
  /** Opens a link to another host's address; the answer names it. */
  readonly connect: (address: HostAddress) => Promise<Result<number, LinkError>>;
  readonly linkHello: (link: number) => Promise<Result<PeerHello, LinkError>>;
  readonly linkPull: (link: number, request: PullRequest) => Promise<Result<Page, LinkError>>;
  readonly linkClose: (link: number) => Promise<void>;
  /** Ends the host properly: the file is closed and nothing of it lies beside it. */
  readonly close: () => Promise<void>;
}

/** Where a host serves its replica, and what opens the door. */
export interface HostAddress {
  /** `ws://127.0.0.1:<port>` */
  readonly host: string;
  readonly site: SiteId;
  readonly token: string;
}

export type HostCall = keyof HostCalls;

const LINK_CALLS: Readonly<Record<keyof LinkCalls, true>> = {
  logLines: true,
  listen: true,
  dieAtWrite: true,
  connect: true,
  linkHello: true,
  linkPull: true,
  linkClose: true,
  close: true,
};

export const HOST_CALLS: readonly HostCall[] = [
  ...REPLICA_METHODS,
  // The record names each key exactly once.
  ...(Object.keys(LINK_CALLS) as (keyof LinkCalls)[]),
];

/** What a call is told whose host died before the answer. */
export const HOST_ENDED = 'the host has ended';

/** A host under the runner's hand. */
export type ScenarioHost = HostCalls & {
  /** Ends it as by kill -9. */
  readonly kill: () => Promise<void>;
};

/** From the runner to a host in a process of its own. */
export type ToHost =
  | { readonly kind: 'start'; readonly spec: HostSpec; readonly nowMs: number }
  | {
      readonly kind: 'call';
      readonly id: number;
      readonly call: HostCall;
      readonly args: readonly unknown[];
      /** The replica's wall clock stands here until the next call. */
      readonly nowMs: number;
    };

export type FromHost =
  | { readonly kind: 'started' }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'answer'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'threw'; readonly id: number; readonly message: string };
