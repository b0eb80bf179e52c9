import type { ConflictId, Epoch, Era, SiteId } from '#shared/model/ids.ts';
import type { Page, PullRequest } from '#shared/model/change-group.ts';
import type { CatalogDiff, ObjectDefinition } from '#shared/model/catalog-diff.ts';
import type {
  HeldAction,
  HeldEdit,
  HeldEdited,
  HeldExtent,
  HeldOutcome,
  HeldSelection,
} from '#shared/model/held-decision.ts';
import type { SqlValue } from '#shared/model/sql-value.ts';
import type {
  BlockedView,
  CatalogView,
  FindingView,
  HeldView,
  JournalEntry,
  MigrationView,
  ReplicaStatus,
  ResolutionPreview,
  ShapePreview,
} from '#shared/model/views.ts';
import type {
  BlockCause,
  HeldReason,
  MigrationType,
  ResolutionOption,
  Verdict,
} from '#shared/model/vocabulary.ts';
import type { Result } from '#shared/result.ts';
import type { FeedFact } from '../store/feed-page.ts';
import type { TypeChange } from '../engine/declare/plan-declared-table.ts';

/** An open replica. All calls are synchronous: a host runs them in the replica's writer worker. */
export interface Replica {
  readonly identity: () => ReplicaIdentity;
  readonly status: () => ReplicaStatus;
  /**
   * Takes up what other programs wrote since the last notice and closes it as one group. `mustWrite`: throws where nothing can be
   * written, though nothing has to be.
   */
  readonly notice: (request?: { readonly mustWrite: boolean }) => NoticeReport;
  /** Runs SQL through Concord: several statements are several transactions unless BEGIN/COMMIT stand there. */
  readonly exec: (sql: string) => Result<readonly StatementResult[], ExecError>;
  /** Brings the catalog to a declared schema, each difference as an alteration that replicates. */
  readonly declare: (request: DeclareRequest) => Result<DeclareReport, DeclareError>;
  /** Serves one page to a peer; notices first. */
  readonly readPage: (peer: SiteId, request: PullRequest) => Result<Page, PullRefusal>;
  /** One page of the change feed, for programs that follow the tables; notices first. */
  readonly readFeed: (request: FeedRequest) => Result<FeedPage, FeedError>;
  /** What this replica asks a peer for next. */
  readonly planPull: (peer: PeerIdentity) => Result<PullRequest, PullRefusal>;
  /** Admits a page of a peer, group by group, each in one transaction; stops at the first refused one. */
  readonly admitPage: (peer: PeerIdentity, page: Page) => AdmissionReport;
  /** Tries the blocked batches again, of one peer or of all. */
  readonly retryBlocked: (peer?: SiteId) => AdmissionReport;
  /** A peer refused to serve this replica, or this replica does not ask it: blocks its line, until it answers again. */
  readonly refusedBy: (peer: SiteId, refusal: PullRefusal) => BlockedSummary;
  /** Makes a restored or copied file another replica, with its rows and what was written since. It stays open. */
  readonly newSite: (request: NewSiteRequest) => NewSiteReport;
  /** Lets go of old deletions, log entries and history. */
  readonly prune: (request: PruneRequest) => PruneReport;
  readonly catalog: () => CatalogView;
  /** Its schema objects as they are written in the file, unparsed. */
  readonly definitions: () => readonly ObjectDefinition[];
  /** Its catalog beside another one, of which the definitions are given. */
  readonly diffCatalog: (request: DiffRequest) => CatalogDiff;
  readonly migrations: (filter: MigrationFilter) => readonly MigrationView[];
  readonly blocked: () => readonly BlockedView[];
  readonly held: (filter: HeldFilter) => readonly HeldView[];
  /** Rows held, per table and reason. */
  readonly heldCounts: () => readonly HeldCount[];
  /** How much a selection means, and whose it is. */
  readonly measureHeld: (selection: HeldSelection) => HeldExtent;
  /** Quarantines, releases, drains or deletes held changes, as a person wants it; the journal has it. */
  readonly decideHeld: (request: HeldRequest) => Result<HeldOutcome, HeldError>;
  /** Writes a held row into its table with other values, as an edit that knew of it. */
  readonly editHeld: (request: HeldEditRequest) => Result<HeldEdited, HeldError>;
  readonly findings: () => readonly FindingView[];
  readonly journal: (filter: PageFilter) => readonly JournalEntry[];
  /** Runs a resolution on a scratch copy. */
  readonly previewResolution: (
    conflictId: ConflictId,
    option: ResolutionOption,
  ) => Result<ResolutionPreview, ResolveError>;
  /** What this replica's own rows of a table would go through under a shape that another replica chooses. */
  readonly previewShape: (table: string, targetDdl: string) => Result<ShapePreview, ResolveError>;
  readonly resolve: (request: ResolveRequest) => Result<ResolveReport, ResolveError>;
  /** Empty when the bookkeeping and the file are sound; else one sentence per problem. */
  readonly selfCheck: () => readonly string[];
  readonly close: () => void;
}

export interface ReplicaIdentity {
  readonly site: SiteId;
  readonly epoch: Epoch;
  readonly era: Era;
  readonly head: number;
}

/** What a peer said in its hello. */
export interface PeerIdentity extends ReplicaIdentity {
  /** The peer's wall clock when it spoke, and ours when we heard it; milliseconds. */
  readonly nowMs: number;
}

export interface NoticeReport {
  readonly head: number;
  readonly changes: number;
  readonly migrations: number;
}

export interface StatementResult {
  readonly sql: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly SqlValue[])[];
  readonly changes: number;
}

export type ExecError =
  | { readonly code: 'sqlite'; readonly message: string; readonly statement: string }
  | { readonly code: 'ddl-syntax'; readonly message: string; readonly statement: string }
  | { readonly code: 'refused-statement'; readonly message: string; readonly statement: string }
  | { readonly code: 'not-supported-yet'; readonly message: string; readonly statement: string };

export interface DeclareRequest {
  /** CREATE statements of tables, indexes, views and triggers. */
  readonly schema: string;
  /** What becomes of the values of a column whose type is another by now. */
  readonly typeChange: TypeChange;
}

export interface DeclareReport {
  /** What was done, one line a change, as in the log. */
  readonly done: readonly string[];
  readonly warnings: readonly string[];
}

export type DeclareError =
  | { readonly code: 'schema-not-understood'; readonly message: string }
  | { readonly code: 'declaration-failed'; readonly message: string; readonly cause: ExecError };

export interface FeedRequest {
  /** `next` or `resume` of an earlier page; absent for the start. */
  readonly cursor?: string | undefined;
  /** 1 to 1,000; 100 when absent. */
  readonly limit?: number | undefined;
  /** Only these; all when absent. Beside a cursor it is the choice that the cursor holds. */
  readonly tables?: readonly string[] | undefined;
}

export interface FeedPage {
  readonly changes: readonly FeedFact[];
  /** Absent at the end, and only there. */
  readonly next?: string;
  /** Where to go on after this page, also from the end: what comes later follows. */
  readonly resume: string;
}

export interface FeedError {
  readonly code: 'bad-limit' | 'bad-cursor' | 'no-such-table' | 'cursor-lost';
  readonly message: string;
}

export type PullRefusal =
  | { readonly code: 'epoch-changed'; readonly message: string }
  | { readonly code: 'too-old'; readonly message: string }
  | { readonly code: 'duplicate-site'; readonly message: string };

export interface AdmissionReport {
  readonly admittedGroups: number;
  readonly factsApplied: number;
  readonly factsSuperseded: number;
  readonly factsHeld: number;
  readonly migrations: number;
  /** Set when the line stopped. */
  readonly blocked: BlockedSummary | null;
}

export interface NewSiteRequest {
  readonly because: string;
  readonly who: string;
}

export interface NewSiteReport {
  readonly siteBefore: SiteId;
  readonly site: SiteId;
  /** Entries of the log that were written since the file parted, and are the new site's. */
  readonly taken: number;
}

export interface PruneRequest {
  /** Milliseconds; what the settings say where absent. */
  readonly olderThanMs?: number;
  /** Does nothing when it was done within a day. */
  readonly onlyWhenDue?: true;
}

/** How much went. */
export interface PruneReport {
  readonly tombstones: number;
  readonly logEntries: number;
  readonly history: number;
  /** Held changes: the journal says which. */
  readonly held: number;
}

export interface BlockedSummary {
  readonly conflictId: ConflictId;
  readonly cause: BlockCause;
  readonly object: string;
  readonly message: string;
}

export interface DiffRequest {
  readonly right: readonly ObjectDefinition[];
  /** With the normalised texts and the rules that were applied. */
  readonly explain: boolean;
}

export interface PageFilter {
  /** Entries with a lower number than this; the newest first. */
  readonly before?: number;
  readonly limit: number;
}

export interface MigrationFilter extends PageFilter {
  /** All of one object; of a table, also under the names that it had before. */
  readonly object?: string;
  readonly verdict?: Verdict;
  readonly type?: MigrationType;
}

export interface HeldFilter extends PageFilter {
  readonly table?: string;
  readonly reason?: HeldReason;
  readonly quarantined?: boolean;
}

/** What a person wants done with held changes, and why. */
export interface HeldRequest {
  readonly action: HeldAction;
  readonly selection: HeldSelection;
  readonly because: string;
  readonly who: string;
}

export interface HeldEditRequest extends HeldEdit {
  readonly because: string;
  readonly who: string;
}

export type HeldError =
  | { readonly code: 'nothing-held'; readonly message: string }
  | { readonly code: 'reason-missing'; readonly message: string }
  | { readonly code: 'has-no-place'; readonly message: string };

export interface HeldCount {
  readonly table: string;
  readonly reason: HeldReason;
  readonly rows: number;
}

export interface ResolveRequest {
  readonly conflictId: ConflictId;
  readonly option: ResolutionOption;
  readonly because: string;
  readonly who: string;
}

export interface ResolveReport {
  readonly conflictId: ConflictId;
  readonly option: ResolutionOption;
  readonly fingerprintBefore: string;
  readonly fingerprintAfter: string;
  readonly admission: AdmissionReport;
}

export type ResolveError =
  | { readonly code: 'no-such-conflict'; readonly message: string }
  | { readonly code: 'option-does-not-fit'; readonly message: string }
  | { readonly code: 'not-supported-yet'; readonly message: string }
  | { readonly code: 'resolution-failed'; readonly message: string };
