import type { StatementOutcome } from '#shared/api/replica-procedures.ts';
import type {
  HeldAction,
  HeldEdit,
  HeldEdited,
  HeldOutcome,
  HeldSelection,
} from '#shared/model/held-decision.ts';
import type { ConflictId } from '#shared/model/ids.ts';
import type {
  BlockedView,
  CatalogView,
  FindingView,
  HeldView,
  MigrationView,
  ReplicaStatus,
  ResolutionPreview,
} from '#shared/model/views.ts';
import type { HeldReason, ResolutionOption } from '#shared/model/vocabulary.ts';
import type { Result } from '#shared/result.ts';
import type { z } from 'zod';
import type {
  HeldCount,
  MigrationFilter,
  NewSiteReport,
  PruneReport,
  PruneRequest,
} from '../replica/replica.ts';
import type { CommandFailure } from './command-answer.ts';

/**
 * What commands ask of a replica, wherever it is: opened by this program, or held by a host that answers for it.
 * Failures are sentences already.
 */
export interface ReplicaDesk {
  readonly status: () => Asked<ReplicaStatus>;
  readonly catalog: () => Asked<CatalogView>;
  readonly migrations: (wish: MigrationFilter) => Asked<readonly MigrationView[]>;
  readonly blocked: () => Asked<readonly BlockedView[]>;
  readonly held: (wish: HeldWish) => Asked<HeldList>;
  readonly decideHeld: (wish: HeldDecisionWish) => Asked<HeldOutcome>;
  readonly editHeld: (wish: HeldEditWish) => Asked<HeldEdited>;
  readonly findings: () => Asked<readonly FindingView[]>;
  readonly exec: (sql: string) => Asked<readonly ExecOutcome[]>;
  readonly preview: (conflictId: ConflictId, option: ResolutionOption) => Asked<ResolutionPreview>;
  readonly resolve: (wish: ResolveWish) => Asked<ResolveOutcome>;
  /** One sentence per problem of its bookkeeping. */
  readonly check: () => Asked<readonly string[]>;
  readonly prune: (request: PruneRequest) => Asked<PruneReport>;
  readonly newSite: (because: string) => Asked<NewSiteReport>;
}

export type Asked<T> = Promise<Result<T, CommandFailure>>;

export type ExecOutcome = z.infer<typeof StatementOutcome>;

export interface DeskPage {
  readonly before?: number;
  readonly limit: number;
}

export interface HeldWish extends DeskPage {
  readonly table?: string;
  readonly reason?: HeldReason;
}

export interface HeldDecisionWish {
  readonly action: HeldAction;
  readonly selection: HeldSelection;
  readonly because: string;
}

export interface HeldEditWish extends HeldEdit {
  readonly because: string;
}

export interface HeldList {
  readonly counts: readonly HeldCount[];
  readonly items: readonly HeldView[];
}

export interface ResolveWish {
  readonly conflictId: ConflictId;
  readonly option: ResolutionOption;
  readonly because: string;
}

export interface ResolveOutcome {
  readonly conflictId: ConflictId;
  readonly option: ResolutionOption;
  readonly fingerprintBefore: string;
  readonly fingerprintAfter: string;
  readonly admitted: {
    readonly groups: number;
    readonly factsApplied: number;
    readonly factsSuperseded: number;
    readonly factsHeld: number;
    readonly migrations: number;
  };
  /** What the host that decided says of the replicas it knows; empty when the file was opened by this program. */
  readonly replicas: readonly {
    readonly name: string;
    readonly state: string;
    readonly stillStuck: boolean;
  }[];
}

/** A desk that is open, with what is to be said about how. */
export interface OpenDesk {
  readonly desk: ReplicaDesk;
  /** As people call it: the fleet's name, else the path. */
  readonly name: string;
  /** One sentence when not this program has it open; null else. */
  readonly note: string | null;
  readonly close: () => void;
}
