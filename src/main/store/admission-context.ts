import type { ChangeGroup, Stamp } from '#shared/model/change-group.ts';
import type { MigrationId, SiteId } from '#shared/model/ids.ts';
import type { SqlValue } from '#shared/model/sql-value.ts';
import type { HeldReason } from '#shared/model/vocabulary.ts';

import type { EntryOrigin } from './log-write.ts';
import type { ReplicaStore } from './replica-store.ts';

/** One admission under way: the store inside its transaction, whom it comes from, and what has happened so far. */
export interface Admission {
  readonly store: ReplicaStore;
  /** Ordinal of the peer that brought it; null when the replica drains or resolves by itself. */
  readonly via: number | null;
  /** Also the replica's own facts: when it drains what it held, or takes its rows in anew under another key. */
  readonly acceptsOwn: boolean;
  /** Whether rows are found by a key that their table had before: what comes is cells of them, and says nothing of their identity. */
  readonly isByEarlierKey: boolean;
  /** Per site the newest deletion that the source had pruned when it sent this. */
  readonly prunedThere: ReadonlyMap<SiteId, bigint>;
  readonly report: AdmissionTally;
  /** Tables in which a unique key may have come free, or a claim on one is another now. */
  readonly touchedKeys: Set<number>;
  /** Columns that unique keys are computed from, by table, as far as they were asked for. */
  readonly claimedColumns: Map<number, ReadonlySet<number>>;
  /** Tables whose insert trigger was put to sleep for the time of the admission. */
  readonly mutedTables: Set<number>;
  /** What was held anew, by the names of the tables. */
  readonly heldTables: Map<string, { readonly facts: number; readonly newest: Stamp }>;
  /** What was held and has its place now, by the names of the tables. */
  readonly drainedTables: Map<string, number>;
  /** The held change that is being tried; null outside of a drain. */
  readonly drained: DrainedFact | null;
  /** Tables that were created, redefined, or got a column: held facts may fit now. */
  readonly changedTables: Set<number>;
  /** Statements that put the triggers of the application back which were taken off, by folded table name. */
  readonly silenced: Map<string, readonly string[]>;
  /** Migrations that came along with others which they say something about: what is left of them comes again in its turn. */
  readonly outOfTurn: Set<MigrationId>;
  /** Names that tables had here which the migration under way has ended. */
  readonly endedNames: Set<string>;
  /** Whether what runs now has waited for the rows of its unit. */
  afterRows: boolean;
  /** Whether a name came free that a migration in held may want. */
  namesFreed: boolean;
  readonly originOf: (group: ChangeGroup, hlc: bigint, site: number) => EntryOrigin;
  readonly placeholder: (value: SqlValue) => string;
  readonly bindable: (value: SqlValue) => null | bigint | number | string | Uint8Array;
}

/** A held change while a drain tries it: taken out of held, as its entry was. */
export interface DrainedFact {
  readonly n: number;
  readonly reason: HeldReason;
  readonly op: 'row' | 'cells' | 'delete' | 'migration';
  readonly tableId: string;
  readonly columnId: string | null;
  readonly key: SqlValue;
  readonly hlc: bigint;
  /** Ordinal. */
  readonly site: number;
  readonly sinceMs: number;
  /** Whether it was to be held again as it was before: then nothing is gained by the drain. */
  isAsBefore: boolean;
  /** Whether others are tried with it: then all of them go in, or none. */
  isOneOfMany: boolean;
}

/** Counts of facts by outcome, and of migrations. */
export interface AdmissionTally {
  applied: number;
  duplicates: number;
  superseded: number;
  held: number;
  /** The replica's own facts that came back. */
  skipped: number;
  migrations: number;
}

/** Begins the account of one admission. Opens no transaction. */
export function createAdmission(
  store: ReplicaStore,
  via: number | null,
  options: { readonly acceptsOwn?: boolean; readonly pruned?: readonly Stamp[] | undefined } = {},
): Admission {
  const ordinals = new Map<string, number | null>();
  return {
    store,
    via,
    acceptsOwn: options.acceptsOwn ?? false,
    isByEarlierKey: false,
    prunedThere: new Map((options.pruned ?? []).map(({ site, hlc }) => [site, hlc])),
    report: { applied: 0, duplicates: 0, superseded: 0, held: 0, skipped: 0, migrations: 0 },
    touchedKeys: new Set(),
    claimedColumns: new Map(),
    mutedTables: new Set(),
    heldTables: new Map(),
    drainedTables: new Map(),
    drained: null,
    changedTables: new Set(),
    silenced: new Map(),
    outOfTurn: new Set(),
    endedNames: new Set(),
    afterRows: false,
    namesFreed: false,
    originOf: (group, hlc, site) => {
      const id = group.sites[site];
      if (id === undefined) throw new Error('A stamp names a site that its group does not list.');
      let ordinal = ordinals.get(id);
      if (ordinal === undefined) {
        ordinal = id === store.site ? null : store.sites.ordinalOf(id);
        ordinals.set(id, ordinal);
      }
      return { hlc, site: ordinal, via };
    },
    placeholder: (value) => (isRawText(value) ? 'cast(? as text)' : '?'),
    bindable: (value) => (isRawText(value) ? value.textBytes : value),
  };
}

const isRawText = (value: SqlValue): value is Extract<SqlValue, { readonly textBytes: Uint8Array }> =>
  typeof value === 'object' && value !== null && 'textBytes' in value;
