/**
 * The bookkeeping of a replica, inside the application's own file.
 *
 * One log, and indexes derived from it. Triggers in pure SQL only ever append to `_concord_log`, inside the
 * writer's own transaction: an append cannot collide, so no conflict policy of an outer statement can bend it.
 * A notice closes what is pending as one group; the fold brings the derived clocks (`_concord_range`,
 * `_concord_cell`, `_concord_life`) up to date before anything reads them. Why: docs/decisions/0002-metadata.md.
 *
 * Only what SQLite 3.37 has: other programs with older libraries write to the file. A change of a table here, or of the
 * triggers that record, is another format.
 */
export const METADATA_FORMAT = 3;

/** Kinds of entries in the log. Written literally in trigger bodies: never renumber. */
export const LOG_KIND = {
  /** Row inserted at or below the sealed mark, or in a WITHOUT ROWID table. rid. */
  insert: 1,
  /** Cells changed: `mask` holds one bit per column ordinal, from ordinal `hi` on. When the key changed, `key` is the old key and `was` the old rid. */
  update: 2,
  /** Row deleted: rid and key. With a `mask` it is left out of its life, which goes on (`_concord_replacement`). */
  delete: 3,
  /** REPLACE watch: the row that an INSERT or UPDATE is about to push out by a secondary unique key. rid and key. */
  watch: 4,
  /** Rows with rowids `rid` to `hi`, recorded as one. */
  range: 5,
  /** Rows that were there before attach; rowids `rid` to `hi`, or all where the table has no rowid. */
  baseline: 6,
  /** A migration: `rid` is its number in `_concord_migration`. */
  migration: 7,
  /** Closes the group of everything since the last notice. */
  notice: 8,
  /** A fact that has no place here: `rid` is its number in `_concord_held`. Offered on while it waits. */
  held: 9,
  /** A table that was made anew: `rid` is its number in `_concord_replacement`. */
  replacement: 10,
} as const;

/** Kinds of entries that speak of rows. */
export const ROW_KINDS: readonly number[] = [
  LOG_KIND.insert,
  LOG_KIND.update,
  LOG_KIND.delete,
  LOG_KIND.watch,
  LOG_KIND.range,
  LOG_KIND.baseline,
];

/** `_concord_mark.hi` of a table in which nothing was inserted since the last notice: the next insert enters the trigger body. */
export const CLEAN_MARK = 9223372036854775807n;

/** How many column ordinals the mask of one update entry speaks of; those beyond go into a further entry. */
export const MASK_COLUMNS = 62;

export const METADATA_DDL: readonly string[] = [
  // format, site, epoch, createdMs, journalModeBefore, foldedSeq, catalogVersion, setting.*
  `create table _concord_meta (key text primary key, value any) strict, without rowid`,

  // One row. capture = 0 silences the triggers during admission and rebuilds; now_ms, when set, is what
  // the triggers take for the wall time (simulated clocks).
  `create table _concord_state (id integer primary key check (id = 1), capture integer not null, now_ms integer) strict`,

  // Sites by small ordinals; 1 is this replica. hlc_max: highest HLC recorded or admitted, the version vector.
  // Of the own site it may lag behind the log by what was recorded since the last checkpoint.
  // pruned: HLC of the newest deletion by it that was pruned here; 0 for none.
  // hlc_whole: up to where every row of the site is here; a stretch under way or a catalog that came early lie beyond.
  `create table _concord_site (id integer primary key, site blob not null unique, hlc_max integer not null,
    pruned integer not null default 0, hlc_whole integer not null default 0) strict`,

  // Openings by a host, in their order: first seq that the era may hold, whether anything was served to a peer in it.
  `create table _concord_era (
    n integer primary key, era text not null unique, first_seq integer not null, opened_ms integer not null,
    served integer not null default 0) strict`,

  // Tables by ordinal. name is null once dropped. kind: 0 rowid, 1 rowid is the key (INTEGER PRIMARY KEY), 2 WITHOUT ROWID,
  // 3 no key (rows stay local). created/dropped: numbers in _concord_migration.
  `create table _concord_table (
    tbl integer primary key, id text not null unique, name text, kind integer not null,
    definition text not null, created integer, dropped integer) strict`,
  // Columns by ordinal, never reused; name is null once dropped. pk: 1-based place in the key. collation: within the key,
  // null for other columns. added_seq: rows recorded before it do not speak of the column. generated: 1 = not recorded.
  `create table _concord_column (
    tbl integer not null, col integer not null, id text not null, name text, pk integer not null,
    collation text, added_seq integer not null, default_text text, generated integer not null, primary key (tbl, col)) strict, without rowid`,
  // Twins: further IDs of a table or column that became one with ours. kind: 't' or 'c'.
  `create table _concord_alias (id text primary key, kind text not null, tbl integer not null, col integer) strict, without rowid`,
  `create index _concord_alias_tbl on _concord_alias (tbl)`,

  // The log. hlc: 48 bits of milliseconds, 16 of counter; provisional until noticed. site null = own.
  // via: the peer it was admitted from.
  `create table _concord_log (
    seq integer primary key, kind integer not null, tbl integer, rid any, mask integer, hi integer,
    key any, was any, hlc integer, site integer, via integer) strict`,

  // hi: what the insert trigger compares with; sealed: highest rowid that a range covers.
  `create table _concord_mark (tbl integer primary key, hi integer not null, sealed integer not null) strict`,
  `create index _concord_mark_dirty on _concord_mark (tbl) where hi <> 9223372036854775807`,

  // Derived: which log entry stamps a stretch of rows, a cell (col >= 0) or a whole row (col = -1), the life of a key.
  `create table _concord_range (tbl integer not null, lo integer not null, hi integer not null, seq integer not null,
    primary key (tbl, lo)) strict, without rowid`,
  `create table _concord_cell (tbl integer not null, rid any not null, col integer not null, seq integer not null,
    primary key (tbl, rid, col)) strict, without rowid`,
  // life: even = deleted, odd = alive again; keys that were never deleted have no entry. Odd with the seq of a deletion: left out.
  `create table _concord_life (tbl integer not null, key any not null, life integer not null, seq integer not null,
    primary key (tbl, key)) strict, without rowid`,
  // Deletions under a key that the table had before, by which rows that come late are still known. cols: that key's columns, as
  // ordinals and collations.
  `create table _concord_former (tbl integer not null, cols text not null, key any not null, life integer not null,
    seq integer not null, primary key (tbl, cols, key)) strict, without rowid`,
  // Keys that a table had, with the last entry that was written under each. cols: as above.
  `create table _concord_earlier_key (tbl integer not null, until_seq integer not null, cols text not null,
    primary key (tbl, until_seq)) strict, without rowid`,
  // Rows in which a column had been written apart when it joined the key, by the key that they had.
  `create table _concord_joined_row (tbl integer not null, cols text not null, key any not null,
    primary key (tbl, cols, key)) strict, without rowid`,

  // Every migration, own and admitted, with its verdict. body: JSON of the structure that travels.
  `create table _concord_migration (
    n integer primary key, id text not null unique, type text not null, kind text not null, object text not null,
    element text, tbl integer, hlc integer not null, site integer not null, version integer not null, ddl text not null,
    body text not null, verdict text not null, reason text not null, admitted_ms integer not null, via integer,
    in_force integer not null) strict`,
  `create index _concord_migration_object on _concord_migration (object collate nocase)`,
  `create index _concord_migration_tbl on _concord_migration (tbl)`,
  // Indexes, views and triggers in force, by folded name. text: as it stands in the file now; null while it is parked, that is
  // taken out of the file until what it refers to is there. migration: number of the creation that shows. tbl: of an index its table.
  `create table _concord_object (
    kind text not null, name text not null, migration integer not null, tbl integer, text text, primary key (kind, name)) strict, without rowid`,
  // Element clocks: key is 'table:<id>', 'column:<id>', 'index:<folded name>', ...
  `create table _concord_element (
    element text primary key, level integer not null, hlc integer not null, site integer not null,
    version integer not null, life integer not null, migration integer not null) strict, without rowid`,

  // Tables that another program made anew, here or elsewhere: rows whose stamps their author knew, and that did not come out
  // again with its own, are left out. knew, waiting: JSON, of HLCs by site and of [hlc, site].
  `create table _concord_replacement (
    n integer primary key, table_id text not null, hlc integer not null, site integer not null, knew text not null, waiting text not null) strict`,
  `create index _concord_replacement_table on _concord_replacement (table_id)`,

  `create table _concord_peer (
    site integer primary key, epoch text, era text, seq integer not null, catalog_seq integer not null, inside text,
    head integer not null, skew_ms integer, last_sync_ms integer) strict`,
  // Parts of a group that is larger than a page, until its last part is here.
  `create table _concord_staged (site integer not null, part integer not null, body blob not null, primary key (site, part)) strict, without rowid`,

  // A fact without a place: body is the fact as it travels. table_id decides, table_name is for people. rival: of a row that
  // waits for a unique key, JSON of the key and of the row that has it.
  `create table _concord_held (
    n integer primary key, reason text not null, op text not null, table_id text not null, table_name text not null, column_id text,
    key any, hlc integer not null, site integer not null, life integer not null, body blob not null, size_bytes integer not null,
    since_ms integer not null, via integer, quarantined integer not null, rival text) strict`,
  `create index _concord_held_waiting on _concord_held (quarantined, table_id, reason)`,
  `create unique index _concord_held_fact on _concord_held (table_id, key, op, coalesce(column_id, ''), hlc, site)`,
  // What is held of each peer, 0 for the replica's own: the bounds are looked at for every fact that is held.
  `create table _concord_held_use (via integer primary key, facts integer not null, bytes integer not null) strict`,
  // What a person deleted of it, until nobody else can hold it. stamps: JSON, of the row and of its cells.
  `create table _concord_held_deleted (
    table_id text not null, key any not null, op text not null, life integer not null, stamps text not null, at_ms integer not null,
    primary key (table_id, key, op, life, stamps)) strict, without rowid`,
  // Objects whose changes a person set aside.
  `create table _concord_set_aside (table_id text primary key, object text not null, conflict_id text, since_ms integer not null) strict, without rowid`,

  // First in the line of its peer. unit: the refused group as it travelled.
  `create table _concord_blocked (
    site integer primary key, conflict_id text not null, cause text not null, kind text not null, object text not null, detail text not null,
    unit blob not null, unit_seq integer not null, unit_facts integer not null, since_ms integer not null, attempts integer not null,
    next_try_ms integer not null) strict`,

  `create table _concord_journal (
    id integer primary key, at_ms integer not null, who text not null, because text not null, option text not null,
    object text not null, conflict_id text, fingerprint_before text not null, fingerprint_after text not null, detail text not null) strict`,

  `create table _concord_finding (
    kind text not null, tbl text not null, subject text not null, detail text not null, advice text not null, since_ms integer not null,
    has_more integer not null default 0, primary key (kind, tbl, subject)) strict, without rowid`,
  // Rows that break a CHECK or a foreign key, by their places; has_more: the list is full, there may be others.
  `create table _concord_finding_row (
    kind text not null, tbl integer not null, subject text not null, rid any not null, primary key (kind, tbl, subject, rid)) strict, without rowid`,
  // Tables that are being looked through, and the place up to which they were.
  `create table _concord_finding_scan (tbl integer primary key, after any) strict`,

  // One host at a time writes the bookkeeping.
  `create table _concord_lease (id integer primary key check (id = 1), host text not null, address text, until_ms integer not null) strict`,
];
