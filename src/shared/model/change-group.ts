import type { ColumnId, ConflictId, Epoch, Era, MigrationId, SiteId, TableId } from './ids.ts';
import type { SqlValue } from './sql-value.ts';
import type { MigrationType, ObjectKind } from './vocabulary.ts';

// What travels between replicas. `src/shared/wire` gives each of these its schema and its bytes.

/** HLC packed as 48 bits of wall milliseconds and 16 bits of counter; always together with its site. */
export interface Stamp {
  readonly hlc: bigint;
  readonly site: SiteId;
}

/** Where a puller stands in a peer's log. `seq` is the last one admitted; 0 and no epoch for "from the start". */
export interface Cursor {
  readonly epoch: Epoch;
  readonly era: Era;
  readonly seq: number;
  /** Migrations up to here came with the catalog of the first page and are not sent again. */
  readonly catalogSeq: number;
  /** Inside a stretch (baseline, oversized group): what follows this place of it. Opaque to the puller. */
  readonly inside?: string;
}

export interface PullRequest {
  /** Absent: from the start. */
  readonly cursor?: Cursor;
  /** Page size in facts, 1 to 1,000. */
  readonly facts: number;
  /** Conflicts that block the puller: their redefine_table migrations come first, whatever the cursor. */
  readonly conflicts: readonly ConflictId[];
  /** What the puller has pruned, as of `Page`: who did not know of it is too old for the puller, and does not serve it. */
  readonly pruned?: readonly Stamp[];
}

export interface Page {
  readonly groups: readonly ChangeGroup[];
  /** Where the puller stands once all groups are admitted. */
  readonly cursor: Cursor;
  /** Newest seq of the source when the page was read. */
  readonly head: number;
  /** False is the only end. */
  readonly more: boolean;
  /** Facts and migrations that were read for this page. */
  readonly read: number;
  /**
   * Of each site that the source has facts of, the newest deletion that it has pruned, 0 for none; absent where it pruned nothing.
   * It knew of all up to there. Who did not is too old: its rows may be ones that are deleted and forgotten here.
   */
  readonly pruned?: readonly Stamp[];
  /** Site IDs that the source's file had before a person took it on as a new site: lines that stand for them are free. */
  readonly formerly?: readonly SiteId[];
  /**
   * On the last page alone: up to which HLC of each site the source has every row there is, its own included. Who has admitted
   * all pages has them too. (Migrations of a catalog and parts of a stretch come early: the version vector cannot say it.)
   */
  readonly whole?: Readonly<Record<SiteId, bigint>>;
}

/** One or more whole transactions of one source: one admission unit. */
export interface ChangeGroup {
  /** The puller's cursor once this group is admitted; absent for resolutions sent ahead of the line. */
  readonly cursor?: Cursor;
  /** Present on all but the last part of a group that is larger than a page: parts are staged, then admitted as one. */
  readonly unfinished?: true;
  /** Sites that stamps refer to by index. */
  readonly sites: readonly SiteId[];
  readonly tables: readonly TableReference[];
  readonly migrations: readonly Migration[];
  /**
   * Those that come out of their turn, because others here are judged by them: they say nothing of what came before them. A rename
   * among them to a name that is still another's is passed over; it comes again in its turn.
   */
  readonly outOfTurn?: readonly MigrationId[];
  readonly blocks: readonly FactBlock[];
  /** Bytes of large values, of a fact that comes in this part or in one after it. */
  readonly piece?: ValuePiece;
  /** Facts whose large values came in pieces: NULL stands in their places. */
  readonly pieced?: readonly PiecedFact[];
  /** They hold after all rows of the group. */
  readonly replacements?: readonly TableReplacement[];
}

/**
 * Another program made a table anew. What its author knew of came out again with the stamp of the replacement; rows of
 * which it knew and that did not come are deleted: in their life, and up to that stamp (ROW-003).
 */
export interface TableReplacement {
  /** Index in `tables`. */
  readonly table: number;
  readonly stamp: Stamp;
  /** Up to which HLC of each site its author had every row. */
  readonly knew: Readonly<Record<SiteId, bigint>>;
  /** Stamps of rows that it knew and that waited for a place: not in the table, and not deleted. */
  readonly waiting: readonly Stamp[];
}

/** A piece of what the large values of a fact are, one after the other. */
export interface ValuePiece {
  /** Names the fact as it was read: pieces of another reading are not joined to it. */
  readonly of: string;
  /** Where the piece begins. */
  readonly at: number;
  readonly bytes: Uint8Array;
}

export interface PiecedFact {
  readonly of: string;
  /** Index in `blocks`. */
  readonly block: number;
  /** Row of the block. */
  readonly row: number;
  /** Place in the row, length in bytes, and storage class, in the order of the bytes. */
  readonly values: readonly (readonly [place: number, bytes: number, kind: 'text' | 'blob'])[];
}

/** How facts name their table and columns: IDs decide, names are for people. */
export interface TableReference {
  readonly id: TableId;
  readonly name: string;
  readonly columns: readonly { readonly id: ColumnId; readonly name: string }[];
  /** Indexes of the key columns in `columns`, in key order. */
  readonly key: readonly number[];
}

/** Facts of one table with one stamp. */
export interface FactBlock {
  /** Index in `tables`. */
  readonly table: number;
  readonly hlc: bigint;
  /** Index in `sites`. */
  readonly site: number;
  /**
   * rows: whole rows; cells: changed cells of rows that are known; deletes: tombstones.
   * `columns` index into the table's columns and always begin with the key.
   */
  readonly kind: 'rows' | 'cells' | 'deletes';
  readonly columns: readonly number[];
  readonly rows: readonly (readonly SqlValue[])[];
  /**
   * Life of each row where it is not 1 (rows, cells) or 2 (deletes): [row, life]. A delete with an odd life leaves the row out
   * of that life until somebody writes it later.
   */
  readonly lives: readonly (readonly [number, number])[];
  /** Cells of `rows` with a clock of their own: [row, place in columns, hlc, site]. */
  readonly clocks: readonly (readonly [number, number, bigint, number])[];
}

/** One recorded schema change of one element. */
export interface Migration {
  readonly id: MigrationId;
  readonly type: MigrationType;
  readonly kind: ObjectKind;
  /** Name of the object at its author once it was written: of a rename the new name. */
  readonly object: string;
  /** Name of the column or constraint, where the element is one: of a rename the new name. */
  readonly element: string | null;
  /** The table concerned (of an index: its table). */
  readonly tableId: TableId | null;
  /** The columns concerned; of create_table all, by name. */
  readonly columns: readonly { readonly id: ColumnId; readonly name: string }[];
  readonly stamp: Stamp;
  /** Raised by one with each change of the element. */
  readonly version: number;
  /** Author's version vector: site to highest HLC that it had recorded or admitted. */
  readonly knew: Readonly<Record<SiteId, bigint>>;
  /** DDL for people, and the definition the structure is parsed from: canonical CREATE of the object for creates. */
  readonly ddl: string;
  /**
   * The tables and columns that the text names, by the names that they had at its author: its own table, the parents of
   * foreign keys, whatever a view or a trigger reads and writes. The receiver puts its own names in their place.
   */
  readonly mentions: readonly Mention[];
  /** Of redefine_table alone. */
  readonly redefine: Redefinition | null;
}

/** A table that the text of a migration names, with those of its columns that the text may mean. */
export interface Mention {
  readonly table: TableId;
  readonly name: string;
  readonly columns: readonly { readonly id: ColumnId; readonly name: string }[];
}

/** An operator's answer to a divergent definition, as it travels. */
export interface Redefinition {
  readonly conflictIds: readonly ConflictId[];
  /** The create_table migrations that become one, and their tables. */
  readonly creations: readonly { readonly migration: MigrationId; readonly table: TableId }[];
  readonly columnMap: readonly RedefinedColumn[];
}

/** Column IDs that become one under the name of the target. First is kept. */
export interface RedefinedColumn {
  readonly name: string;
  readonly ids: readonly ColumnId[];
  /**
   * The default with which the column was added, as SQL, null for none: rows that do not know it have that. Left out
   * where it is the one that the target has.
   */
  readonly added?: string | null | undefined;
}
