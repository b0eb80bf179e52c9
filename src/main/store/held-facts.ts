import type { FactBlock, Migration, TableReference } from '#shared/model/change-group.ts';
import type { SqlValue } from '#shared/model/sql-value.ts';
import type { HeldReason } from '#shared/model/vocabulary.ts';

import type { Admission, DrainedFact } from './admission-context.ts';
import { isDeletedHere, type FactToHold } from './deleted-held.ts';
import { groupBody } from './group-body.ts';
import type { EntryOrigin } from './log-write.ts';
import { countHeldIn, deleteHeld, refuseBeyondBounds } from './held-bounds.ts';
import { identityHere } from './identity-here.ts';
import { isNamelessRow } from './is-nameless-row.ts';
import { isSameValue } from './is-same-value.ts';
import type { ReplicaStore } from './replica-store.ts';
import { singleFact, type FactOfGroup } from './single-fact.ts';

export interface HeldFact extends FactOfGroup {
  readonly reason: HeldReason;
  /** Whether it is a row that stood in a table here until now: then nobody brought it, and everybody may want it. */
  readonly wasHere?: true;
  /** Whether it joins what a person quarantined. */
  readonly isQuarantined?: true;
}

/**
 * Keeps one fact that has no place yet, as it travelled, with its author and HLC.
 *
 * The same fact again is one entry (U04), and what a person deleted here is not held anew. One that was held before, and
 * that a drain brought no further, keeps its number and its age. At a bound of the settings the unit is refused with cause `heldLimit`: nothing is dropped silently.
 */
export function holdFact(admission: Admission, fact: HeldFact): void {
  const { drained } = admission;
  if (drained === null) {
    holdAnew(admission, fact);
    return;
  }
  const entry = entryOf(admission, fact);
  const isSame = isSameFact(drained, entry);
  if (drained.isOneOfMany || (isSame && drained.reason === fact.reason)) drained.isAsBefore = true;
  else if (isSame) holdAgain(admission, fact, { ...drained, entry });
  else if (fact.wasHere === true) holdAnew(admission, fact);
  else holdRest(admission, fact, { ...drained, entry });
}

function holdAnew(admission: Admission, fact: HeldFact): void {
  const { store } = admission;
  const entry = entryOf(admission, fact);
  // What stood in its table until now found its place after all, whatever was deleted of it before.
  if (isHeld(store, entry) || (fact.wasHere !== true && isDeletedHere(store, entry))) return;
  const body = groupBody(entry.group);
  refuseBeyondBounds(admission, { via: viaOf(admission, fact), bytes: body.length });
  const n = insertEntry(admission, fact, { entry, body, n: null, sinceMs: store.ports.clock.nowMs() });
  if (n === null) return;
  tell(admission, fact);
  offerOn(admission, fact, { n, entry });
}

/** What was tried and waits for something else now: it was told when it came, and is in the log. */
function holdAgain(admission: Admission, fact: HeldFact, written: Omit<Written, 'body'>): void {
  insertEntry(admission, fact, { ...written, body: groupBody(written.entry.group) });
}

/** What is left of a fact of which a part went in. */
function holdRest(admission: Admission, fact: HeldFact, written: Omit<Written, 'body'>): void {
  const n = insertEntry(admission, fact, { ...written, n: null, body: groupBody(written.entry.group) });
  if (n !== null) offerOn(admission, fact, { n, entry: written.entry });
}

interface Written {
  readonly entry: EntryFacts;
  readonly body: Uint8Array;
  readonly n: number | null;
  readonly sinceMs: number;
}

/** Writes an entry and hands back its number; null where the same fact is held already. */
function insertEntry(
  admission: Admission,
  fact: HeldFact,
  { entry, body, n, sinceMs }: Written,
): bigint | null {
  const { store } = admission;
  const via = viaOf(admission, fact);
  if (isEnded(store, entry)) return null;
  const key = entry.nameless === null ? entry.key : keyWithNumber(store, entry.nameless, n);
  const { changes, lastInsertRowid } = store.db
    .prepare<unknown[]>(
      `insert into _concord_held (n, reason, op, table_id, table_name, column_id, key, hlc, site, life, body, size_bytes, since_ms, via, quarantined)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing`,
    )
    .run(
      n === null ? null : BigInt(n),
      fact.reason,
      entry.op,
      entry.tableId,
      entry.tableName,
      entry.columnId,
      key,
      entry.hlc,
      BigInt(entry.site),
      BigInt(entry.life),
      body,
      BigInt(body.length),
      BigInt(sinceMs),
      via === null ? null : BigInt(via),
      BigInt(fact.isQuarantined === true ? 1 : 0),
    );
  if (changes === 0) return null;
  countHeldIn(store, via, body.length);
  if (entry.op === 'delete') endEarlier(store, entry);
  return BigInt(lastInsertRowid);
}

/** Of a row that was here nobody is known to have it: once it has its place again it goes out to all. */
const viaOf = ({ via }: Admission, { wasHere }: HeldFact): number | null => (wasHere === true ? null : via);

/** Equal rows without a key are as many entries: the number of its entry tells each. */
function keyWithNumber({ db }: ReplicaStore, key: string, n: number | null): string {
  const number =
    n ?? db.preparePluck<[], bigint>(`select coalesce(max(n), 0) + 1 from _concord_held`).get() ?? 1n;
  return `${key} ${String(number)}`;
}

const isHeld = ({ db }: ReplicaStore, entry: EntryFacts): boolean =>
  db
    .preparePluck<unknown[]>(
      `select 1 from _concord_held where table_id = ? and key = ? and op = ? and coalesce(column_id, '') = ? and hlc = ? and site = ?`,
    )
    .get(entry.tableId, entry.key, entry.op, entry.columnId ?? '', entry.hlc, BigInt(entry.site)) !==
  undefined;

/** Whether a deletion that knew of the fact is held itself. */
const isEnded = ({ db }: ReplicaStore, { tableId, key, life }: EntryFacts): boolean =>
  db
    .preparePluck<unknown[]>(
      `select 1 from _concord_held where table_id = ? and key = ? and op = 'delete' and life > ? limit 1`,
    )
    .get(tableId, key, BigInt(life)) !== undefined;

/** What a deletion knew of is over, but for what a person took out. */
function endEarlier(store: ReplicaStore, { tableId, key, life }: EntryFacts): void {
  const earlier = store.db
    .preparePluck<unknown[], bigint>(
      `select n from _concord_held where table_id = ? and key = ? and life < ? and op <> 'migration' and quarantined = 0`,
    )
    .all(tableId, key, BigInt(life));
  for (const n of earlier) deleteHeld(store, 'n = ?', n);
}

/** It rides on to whoever has the table, with its author and HLC (U03); a row without a key is nobody else's. */
function offerOn(
  admission: Admission,
  fact: HeldFact,
  { n, entry }: { readonly n: bigint; readonly entry: EntryFacts },
): void {
  if (entry.nameless !== null) return;
  const origin = heldOrigin(admission, fact);
  admission.store.logWriter.appendHeld(n, { ...origin, via: fact.wasHere === true ? null : origin.via });
}

/** Who wrote all of it need not hear of it. Who wrote a part of it has not seen what others wrote beside. */
function heldOrigin(admission: Admission, fact: HeldFact): EntryOrigin {
  const { block, row, group } = fact;
  const newest = newestStamp(fact);
  const origin = admission.originOf(group, newest.hlc, newest.site);
  const isByOne = block.clocks.every(([index, , , site]) => index !== row || site === block.site);
  return isByOne ? origin : { ...origin, site: null };
}

/** What an entry of `_concord_held` says of its fact. */
interface EntryFacts extends FactToHold {
  readonly op: 'row' | 'cells' | 'delete';
  readonly tableName: string;
  readonly columnId: string | null;
  /** Of a row without a key, or with NULL in it: its values, which alone tell it. Only this replica knows of it. */
  readonly nameless: string | null;
  readonly hlc: bigint;
  /** Ordinal. */
  readonly site: number;
}

function entryOf(admission: Admission, fact: HeldFact): EntryFacts {
  const { group, block, row, places } = fact;
  const reference = group.tables[block.table];
  const site = group.sites[block.site];
  if (reference === undefined || site === undefined)
    throw new Error('A block names a table or site that its group does not list.');
  const newest = newestStamp(fact);
  return {
    op: places === undefined ? opOf(block) : 'cells',
    tableId: tableIdOf(admission, reference),
    tableName: reference.name,
    columnId: places === undefined ? null : places.map((place) => columnIdAt(fact, place)).join(','),
    ...keyOfEntry(admission, fact, reference),
    // The same row with a later cell is another entry.
    hlc: newest.hlc,
    site: admission.store.sites.ordinalOf(group.sites[newest.site] ?? site),
    life: lifeOf(block, row),
    group: singleFact(fact),
  };
}

function keyOfEntry(
  admission: Admission,
  fact: HeldFact,
  reference: TableReference,
): Pick<EntryFacts, 'key' | 'nameless'> {
  const { block, row } = fact;
  const values = block.rows[row] ?? [];
  const asWritten = reference.key.map((index) => values[block.columns.indexOf(index)] ?? null);
  const key = identityHere(admission.store, fact) ?? heldKey(asWritten);
  return { key, nameless: isNamelessRow(reference, block, row) ? textOf(values) : null };
}

const lifeOf = ({ lives, kind }: FactBlock, row: number): number =>
  lives.find(([index]) => index === row)?.[1] ?? (kind === 'deletes' ? 2 : 1);

const isSameFact = (drained: DrainedFact, entry: EntryFacts): boolean =>
  drained.op === entry.op &&
  drained.tableId === entry.tableId &&
  drained.columnId === entry.columnId &&
  (isSameValue(drained.key, entry.key) || isSameNameless(drained.key, entry.nameless)) &&
  drained.hlc === entry.hlc &&
  drained.site === entry.site;

const isSameNameless = (key: SqlValue, nameless: string | null): boolean =>
  nameless !== null && typeof key === 'string' && key.startsWith(`${nameless} `);

/** One event per table, with the newest HLC (U06). */
function tell(admission: Admission, fact: HeldFact): void {
  admission.report.held += 1;
  const table = fact.group.tables[fact.block.table]?.name ?? '';
  const newest = newestStamp(fact);
  const site = fact.group.sites[newest.site] ?? admission.store.site;
  const news = admission.heldTables.get(table);
  const isNewer = news === undefined || news.newest.hlc < newest.hlc;
  admission.heldTables.set(table, {
    facts: (news?.facts ?? 0) + 1,
    newest: isNewer ? { hlc: newest.hlc, site } : news.newest,
  });
}

/** The latest that was written in it: its author has seen all of it, who wrote the rest of it need not have. */
function newestStamp({ block, row }: HeldFact): { readonly hlc: bigint; readonly site: number } {
  let newest = { hlc: block.hlc, site: block.site };
  for (const [index, , hlc, site] of block.clocks) {
    if (index === row && hlc > newest.hlc) newest = { hlc, site };
  }
  return newest;
}

/** Facts of twins wait under one ID, so that the same fact by two ways is one entry. */
const tableIdOf = (admission: Admission, reference: TableReference): string =>
  admission.store.registry.byId(reference.id)?.id ?? reference.id;

/** Keeps a migration of an object that is set aside. */
export function holdMigration(admission: Admission, migration: Migration): void {
  const { store, drained } = admission;
  if (drained?.op === 'migration' && drained.columnId === migration.id) {
    drained.isAsBefore = true;
    return;
  }
  const group = { sites: [], tables: [], blocks: [], migrations: [migration] };
  const tableId = migration.tableId ?? '';
  if (isDeletedHere(store, { op: 'migration', tableId, key: migration.id, life: 0, group })) return;
  const body = groupBody(group);
  const { changes } = store.db
    .prepare<unknown[]>(
      `insert into _concord_held (reason, op, table_id, table_name, column_id, key, hlc, site, life, body, size_bytes, since_ms, via, quarantined)
       values ('setAside', 'migration', ?, ?, null, ?, ?, ?, 0, ?, ?, ?, ?, 0) on conflict do nothing`,
    )
    .run(
      tableId,
      migration.object,
      migration.id,
      migration.stamp.hlc,
      BigInt(store.sites.ordinalOf(migration.stamp.site)),
      body,
      BigInt(body.length),
      BigInt(store.ports.clock.nowMs()),
      admission.via === null ? null : BigInt(admission.via),
    );
  if (changes > 0) countHeldIn(store, admission.via, body.length);
}

const opOf = (block: FactBlock): 'row' | 'cells' | 'delete' =>
  block.kind === 'rows' ? 'row' : block.kind === 'cells' ? 'cells' : 'delete';

function columnIdAt({ group, block }: HeldFact, place: number): string {
  return group.tables[block.table]?.columns[block.columns[place] ?? -1]?.id ?? '';
}

/** One value that tells keys of a table apart; not an identity (the table is not here to say its collations). */
function heldKey(key: readonly SqlValue[]): SqlValue {
  const [only] = key;
  // NULL is not equal to itself: the same row without a key would be held again and again.
  if (key.length === 1 && only !== undefined && only !== null && !isRaw(only)) return only;
  return textOf(key);
}

const textOf = (values: readonly SqlValue[]): string =>
  JSON.stringify(values, (_name, value: unknown) =>
    typeof value === 'bigint'
      ? `${value.toString()}n`
      : value instanceof Uint8Array
        ? Array.from(value)
        : value,
  );

const isRaw = (value: SqlValue): boolean =>
  typeof value === 'object' && value !== null && 'textBytes' in value;
