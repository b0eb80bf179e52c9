import type { SqlValue } from '#shared/model/sql-value.ts';
import type {
  BlockCause,
  FindingKind,
  HeldReason,
  MigrationType,
  ObjectKind,
  ReplicaState,
  ResolutionOption,
  Verdict,
} from '#shared/model/vocabulary.ts';

// What a scenario file says, once it is understood. Steps count from 1; `line` is where they stand in the file.

export interface Scenario {
  readonly title: string;
  readonly settings: ReplicaSettings;
  /** In the order of their site IDs, lower first. */
  readonly replicas: readonly ScenarioReplica[];
  readonly steps: readonly Step[];
}

/** What is not said keeps its default. */
export interface ReplicaSettings {
  readonly maxDriftMs?: number;
  readonly pageFacts?: number;
  readonly onDivergence?: 'block' | 'setAside';
  readonly columnTypeConflict?: 'block' | 'lastWriterWins';
}

export interface ScenarioReplica {
  readonly name: string;
  readonly settings: ReplicaSettings;
  /** How far its wall clock is off; milliseconds. */
  readonly clockOffsetMs: number;
  readonly origin: ReplicaOrigin;
}

export type ReplicaOrigin =
  | { readonly kind: 'fresh' }
  /** Path relative to the scenario. */
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'sql'; readonly sql: string };

export type Step = StepAction & {
  readonly line: number;
  /** The step must fail with a message that contains this, whatever the case. */
  readonly fails?: string;
  /** Whatever comes of the step, it passes: what SQL or a decision is refused for is no matter. A bug still ends it. */
  readonly mayFail?: boolean;
};

export type StepAction =
  | {
      readonly kind: 'sql';
      readonly on: readonly string[];
      readonly sql: string;
      /** The host dies before its so-manieth write from here, at the latest when the step is over. */
      readonly killAtWrite?: number;
    }
  | { readonly kind: 'external'; readonly on: readonly string[]; readonly sql: string }
  /** The host takes notice of what other programs wrote. */
  | { readonly kind: 'notice'; readonly on: readonly string[]; readonly killAtWrite?: number }
  /** The host ends as it should; the next step that needs it starts it again. */
  | { readonly kind: 'reopen'; readonly on: readonly string[] }
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'sync'; readonly path: SyncPath; readonly delivery: Delivery }
  | {
      readonly kind: 'withhold';
      readonly from: string;
      readonly to: string;
      readonly tables: readonly string[];
    }
  | { readonly kind: 'release'; readonly from: string; readonly to: string }
  | { readonly kind: 'copy'; readonly from: string; readonly to: string }
  | { readonly kind: 'clock'; readonly on: readonly string[]; readonly offsetMs: number }
  | { readonly kind: 'crash'; readonly on: readonly string[] }
  | { readonly kind: 'pause'; readonly path: Arrow }
  | { readonly kind: 'resume'; readonly path: Arrow }
  | {
      readonly kind: 'bootstrap';
      readonly on: readonly string[];
      readonly from: string;
      /** Share, 0 to 1. */
      readonly breakAt?: number;
    }
  | {
      readonly kind: 'resyncTable';
      readonly on: readonly string[];
      readonly from: string;
      readonly table: string;
    }
  | {
      readonly kind: 'resolve';
      readonly on: readonly string[];
      readonly object: string;
      readonly with: ResolveWord;
      readonly because?: string;
      /** Of merge alone. */
      readonly definition?: string;
      /** Of renameLocalAside alone. */
      readonly to?: string;
    }
  | { readonly kind: 'undoResolution'; readonly on: readonly string[]; readonly object: string }
  | { readonly kind: 'quarantine'; readonly on: readonly string[]; readonly table: string }
  | { readonly kind: 'drain'; readonly on: readonly string[]; readonly table: string }
  | {
      readonly kind: 'deleteHeld';
      readonly on: readonly string[];
      readonly table: string;
      readonly because?: string;
    }
  | {
      readonly kind: 'seed';
      readonly on: readonly string[];
      readonly ddl: string;
      readonly version: bigint;
      readonly builtAt?: string;
    }
  | {
      readonly kind: 'declare';
      readonly on: readonly string[];
      readonly source: DeclaredSource;
      readonly typeChange?: 'recreate' | 'convert';
    }
  | { readonly kind: 'prune'; readonly on: readonly string[]; readonly olderThanMs: number }
  | { readonly kind: 'restore'; readonly on: readonly string[]; readonly fromStep: number }
  | { readonly kind: 'expect'; readonly expectation: Expectation };

export type DeclaredSource =
  { readonly kind: 'schema'; readonly sql: string } | { readonly kind: 'lexicons'; readonly path: string };

/** `rebootstrap` and `newSite` answer `epochChanged`. */
export type ResolveWord = ResolutionOption | 'rebootstrap' | 'newSite';

/** `from -> to`: `to` pulls from `from`. */
export interface Direction {
  readonly from: string;
  readonly to: string;
}

export interface Arrow extends Direction {
  readonly isBothWays: boolean;
}

export type SyncPath = { readonly kind: 'all' } | ({ readonly kind: 'pair' } & Arrow);

/** How the pages of a sync step travel. */
export interface Delivery {
  /** Each page delivered twice. */
  readonly duplicate: boolean;
  /** The groups of a page in another order. */
  readonly reorder: boolean;
  /** Share of the pages that are lost and asked for again; 0 to below 1. */
  readonly drop: number;
  /** The pulling host dies after this share of the pages, 0 to 1. */
  readonly killAfter?: number;
  /** The pulling host dies before its so-manieth write, at the latest when the step is over. */
  readonly killAtWrite?: number;
  /** Facts a page, instead of the replica's setting. */
  readonly pageFacts?: number;
  /** Pages after which the link breaks. */
  readonly pages?: number;
}

export type Expectation =
  | {
      readonly kind: 'rows';
      readonly on: readonly string[];
      readonly sql: string;
      readonly are?: readonly (readonly SqlValue[])[];
    }
  | { readonly kind: 'converged'; readonly replicas: readonly string[] }
  | { readonly kind: 'diverged'; readonly replicas: readonly string[] }
  | {
      readonly kind: 'blocked';
      readonly on: readonly string[];
      readonly from?: string;
      readonly object?: string;
      readonly cause?: BlockCause;
      readonly mentions?: readonly string[];
    }
  | { readonly kind: 'notBlocked'; readonly replicas: readonly string[] }
  | {
      readonly kind: 'held';
      readonly on: readonly string[];
      readonly table: string;
      readonly reason?: HeldReason;
      readonly count?: bigint;
    }
  | {
      readonly kind: 'table';
      readonly on: readonly string[];
      readonly name: string;
      /** In any order. */
      readonly columns?: readonly string[];
      readonly absent?: boolean;
    }
  | {
      readonly kind: 'column';
      readonly on: readonly string[];
      readonly table: string;
      readonly name: string;
      readonly type?: string;
      readonly notNull?: boolean;
      /** Text of the default; null for "has none". */
      readonly default?: string | null;
      readonly collation?: string | null;
      readonly primaryKey?: bigint;
      readonly absent?: boolean;
    }
  | {
      readonly kind: 'objects';
      readonly on: readonly string[];
      readonly objectKind: ObjectKind;
      readonly names: readonly string[];
    }
  | {
      readonly kind: 'primaryKey';
      readonly on: readonly string[];
      readonly table: string;
      readonly columns: readonly string[];
    }
  | {
      readonly kind: 'migration';
      readonly on: readonly string[];
      readonly type?: MigrationType;
      readonly object: string;
      readonly verdict?: Verdict;
      readonly count?: bigint;
    }
  | {
      readonly kind: 'finding';
      readonly on: readonly string[];
      readonly findingKind?: FindingKind;
      readonly table: string;
      readonly count?: bigint;
    }
  | { readonly kind: 'log'; readonly on: readonly string[]; readonly contains: string }
  | { readonly kind: 'sent'; readonly from: string; readonly to: string; readonly rows: bigint }
  | {
      readonly kind: 'journal';
      readonly on: readonly string[];
      readonly object: string;
      readonly option?: ResolveWord;
      readonly because?: string;
    }
  | { readonly kind: 'status'; readonly on: readonly string[]; readonly is: ReplicaState }
  | { readonly kind: 'integrity'; readonly replicas: readonly string[] };
