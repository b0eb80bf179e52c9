import type { Page, PullRequest } from '#shared/model/change-group.ts';
import type { SiteId } from '#shared/model/ids.ts';
import type {
  BlockedView,
  CatalogView,
  FindingView,
  JournalEntry,
  MigrationView,
  ReplicaStatus,
} from '#shared/model/views.ts';
import type { Result } from '#shared/result.ts';
import type { LinkError, PeerHello } from '../peers/peer-link.ts';
import type {
  AdmissionReport,
  ExecError,
  HeldCount,
  PeerIdentity,
  PullRefusal,
  ReplicaIdentity,
  ResolveError,
  ResolveReport,
  ResolveRequest,
  StatementResult,
} from '../replica/replica.ts';
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
export interface HostCalls {
  readonly identity: () => Promise<ReplicaIdentity>;
  readonly readPage: (peer: SiteId, request: PullRequest) => Promise<Result<Page, PullRefusal>>;
  readonly planPull: (peer: PeerIdentity) => Promise<Result<PullRequest, PullRefusal>>;
  readonly admitPage: (peer: PeerIdentity, page: Page) => Promise<AdmissionReport>;
  readonly retryBlocked: (peer: SiteId) => Promise<AdmissionReport>;
  readonly exec: (sql: string) => Promise<Result<readonly StatementResult[], ExecError>>;
  readonly status: () => Promise<ReplicaStatus>;
  readonly catalog: () => Promise<CatalogView>;
  readonly migrations: () => Promise<readonly MigrationView[]>;
  readonly blocked: () => Promise<readonly BlockedView[]>;
  readonly heldCounts: () => Promise<readonly HeldCount[]>;
  readonly findings: () => Promise<readonly FindingView[]>;
  readonly journal: () => Promise<readonly JournalEntry[]>;
  readonly resolve: (request: ResolveRequest) => Promise<Result<ResolveReport, ResolveError>>;
  readonly selfCheck: () => Promise<readonly string[]>;
  /** Everything that was logged since the host started, one line an event. */
  readonly logLines: () => Promise<readonly string[]>;
  /** Serves the replica on loopback; the answer is the address for `connect`. */
  readonly listen: () => Promise<string>;
  /** Opens a link to another host's address; the answer names it. */
  readonly connect: (address: string) => Promise<Result<number, LinkError>>;
  readonly linkHello: (link: number) => Promise<Result<PeerHello, LinkError>>;
  readonly linkPull: (link: number, request: PullRequest) => Promise<Result<Page, LinkError>>;
  readonly linkClose: (link: number) => Promise<void>;
  /** Ends the host properly: the file is closed and nothing of it lies beside it. */
  readonly close: () => Promise<void>;
}

export const HOST_CALLS = [
  'identity',
  'readPage',
  'planPull',
  'admitPage',
  'retryBlocked',
  'exec',
  'status',
  'catalog',
  'migrations',
  'blocked',
  'heldCounts',
  'findings',
  'journal',
  'resolve',
  'selfCheck',
  'logLines',
  'listen',
  'connect',
  'linkHello',
  'linkPull',
  'linkClose',
  'close',
] as const satisfies readonly (keyof HostCalls)[];

/** A host under the runner's hand. */
export interface ScenarioHost extends HostCalls {
  /** Ends it as by kill -9. */
  readonly kill: () => Promise<void>;
}
