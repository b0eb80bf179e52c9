import type { ChangeGroup, FactBlock, Migration, TableReference } from '#shared/model/change-group.ts';
import type { SqlValue } from '#shared/model/sql-value.ts';
import type { HeldReason } from '#shared/model/vocabulary.ts';

import type { Admission } from './admission-context.ts';
import { groupBody, readGroupBody } from './group-body.ts';
import { AdmissionRefused } from './admission-refused.ts';

export interface HeldFact {
  readonly group: ChangeGroup;
  readonly block: FactBlock;
  /** Place of the row in the block. */
  readonly row: number;
  readonly reason: HeldReason;
  /** Only these columns of the row wait; all of it otherwise. */
  readonly places?: readonly number[];
  /** Whether it is a row that stood in a table here until now: then nobody brought it, and everybody may want it. */
  readonly wasHere?: true;
}

/**
 * Keeps one fact that has no place yet, as it travelled, with its author and HLC.
 *
 * The same fact again is one entry (U04). At a bound of the settings the unit is refused with cause `heldLimit`:
 * nothing is dropped silently.
 */
export function holdFact(admission: Admission, fact: HeldFact): void {
  const { store } = admission;
  const reference = fact.group.tables[fact.block.table];
  const site = fact.group.sites[fact.block.site];
  if (reference === undefined || site === undefined)
    throw new Error('A block names a table or site that its group does not list.');
  const single = singleFact(fact);
  const body = groupBody(single);
  const keyPlaces = reference.key.map((index) => fact.block.columns.indexOf(index));
  const row = fact.block.rows[fact.row] ?? [];
  const lives = new Map(fact.block.lives);
  refuseBeyondBounds(admission, body.length);
  const { changes, lastInsertRowid } = store.db
    .prepare<unknown[]>(
      `insert into _concord_held (reason, op, table_id, table_name, column_id, key, hlc, site, life, body, size_bytes, since_ms, via, quarantined)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0) on conflict do nothing`,
    )
    .run(
      fact.reason,
      opOf(fact.block),
      tableIdOf(admission, reference),
      reference.name,
      fact.places === undefined ? null : fact.places.map((place) => columnIdAt(fact, place)).join(','),
      heldKey(keyPlaces.map((place) => row[place] ?? null)),
      fact.block.hlc,
      BigInt(store.sites.ordinalOf(site)),
      BigInt(lives.get(fact.row) ?? (fact.block.kind === 'deletes' ? 2 : 1)),
      body,
      BigInt(body.length),
      BigInt(store.ports.clock.nowMs()),
      admission.via === null ? null : BigInt(admission.via),
    );
  admission.report.held += changes;
  if (changes === 0) return;
  admission.heldTables.add(reference.name);
  // It rides on to whoever has the table, with its author and HLC (U03).
  const newest = newestStamp(fact);
  const origin = admission.originOf(fact.group, newest.hlc, newest.site);
  store.logWriter.appendHeld(
    BigInt(lastInsertRowid),
    fact.wasHere === true ? { ...origin, via: null } : origin,
  );
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

/** Why the row that a fact speaks of waits itself; null when it does not. */
export function reasonOfHeldRow(
  admission: Admission,
  fact: Pick<HeldFact, 'group' | 'block' | 'row'>,
): HeldReason | null {
  const reference = fact.group.tables[fact.block.table];
  if (reference === undefined) return null;
  const row = fact.block.rows[fact.row] ?? [];
  const key = heldKey(reference.key.map((index) => row[fact.block.columns.indexOf(index)] ?? null));
  const reason = admission.store.db
    .preparePluck<unknown[], HeldReason>(
      `select reason from _concord_held where table_id = ? and key is ? and op = 'row' limit 1`,
    )
    .get(tableIdOf(admission, reference), key);
  return reason ?? null;
}

/** Keeps a migration of an object that is set aside. */
export function holdMigration(admission: Admission, migration: Migration): void {
  const { store } = admission;
  const body = groupBody({ sites: [], tables: [], blocks: [], migrations: [migration] });
  store.db
    .prepare<unknown[]>(
      `insert into _concord_held (reason, op, table_id, table_name, column_id, key, hlc, site, life, body, size_bytes, since_ms, via, quarantined)
       values ('setAside', 'migration', ?, ?, null, ?, ?, ?, 0, ?, ?, ?, ?, 0) on conflict do nothing`,
    )
    .run(
      migration.tableId ?? '',
      migration.object,
      migration.id,
      migration.stamp.hlc,
      BigInt(store.sites.ordinalOf(migration.stamp.site)),
      body,
      BigInt(body.length),
      BigInt(store.ports.clock.nowMs()),
      admission.via === null ? null : BigInt(admission.via),
    );
}

export interface HeldEntry {
  readonly n: number;
  readonly reason: HeldReason;
  readonly op: 'row' | 'cells' | 'delete' | 'migration';
  readonly tableId: string;
  readonly tableName: string;
  readonly via: number | null;
  readonly group: ChangeGroup;
}

/** Held entries of a table that drain by themselves, oldest HLC first; the quarantined ones are left out. */
export function heldEntries(
  admission: Admission,
  filter: { readonly tableId: string; readonly reasons: readonly HeldReason[] },
): readonly HeldEntry[] {
  const rows = admission.store.db
    .prepare<[string, string], HeldRow>(
      `select n, reason, op, table_id as tableId, table_name as tableName, via, body from _concord_held
       where table_id = ? and quarantined = 0 and reason in (select value from json_each(?)) order by hlc, n`,
    )
    .all(filter.tableId, JSON.stringify(filter.reasons));
  return rows.map(({ body, n, via, ...entry }) => ({
    ...entry,
    n: Number(n),
    via: via === null ? null : Number(via),
    group: readGroupBody(body),
  }));
}

/** Held migrations of objects that are set aside, oldest HLC first. */
export function heldMigrations(admission: Admission): readonly HeldEntry[] {
  const ids = admission.store.db
    .preparePluck<[], string>(
      `select distinct table_id from _concord_held where op = 'migration' and quarantined = 0`,
    )
    .all();
  return ids.flatMap((tableId) =>
    heldEntries(admission, { tableId, reasons: ['setAside'] }).filter((entry) => entry.op === 'migration'),
  );
}

interface HeldRow extends Pick<HeldEntry, 'reason' | 'op' | 'tableId' | 'tableName'> {
  readonly n: bigint;
  readonly via: bigint | null;
  readonly body: Uint8Array;
}

/** Takes an entry out of held, in the transaction that admits it. */
export function releaseHeld(admission: Admission, n: number): void {
  admission.store.db.prepare<[bigint]>('delete from _concord_held where n = ?').run(BigInt(n));
}

function refuseBeyondBounds(admission: Admission, bytes: number): void {
  const { heldMaxFacts, heldMaxBytes } = admission.store.settings;
  // Counted once per admission, then carried along: counting for every fact would be quadratic.
  admission.heldUsage ??= heldUsageOf(admission);
  const { facts, size } = admission.heldUsage;
  if (facts < heldMaxFacts && size + bytes <= heldMaxBytes) {
    admission.heldUsage = { facts: facts + 1, size: size + bytes };
    return;
  }
  throw new AdmissionRefused({
    cause: 'heldLimit',
    object: '',
    message: `${String(facts)} changes of this peer are held already, ${String(size)} bytes; the bound is ${String(heldMaxFacts)} changes or ${String(heldMaxBytes)} bytes. Make room for them, or raise the bound.`,
  });
}

function heldUsageOf(admission: Admission): { readonly facts: number; readonly size: number } {
  const [facts, size] =
    admission.store.db
      .prepareRaw<[bigint | null], [bigint, bigint]>(
        `select count(*), coalesce(sum(size_bytes), 0) from _concord_held where via is ?`,
      )
      .get(admission.via === null ? null : BigInt(admission.via)) ?? [];
  return { facts: Number(facts), size: Number(size) };
}

/** The fact alone, as a group of one row. */
function singleFact({ group, block, row, places }: HeldFact): ChangeGroup {
  const reference = group.tables[block.table];
  const keyPlaces = new Set(reference?.key.map((index) => block.columns.indexOf(index)));
  const kept = block.columns.flatMap((_column, place) =>
    places === undefined || places.includes(place) || keyPlaces.has(place) ? [place] : [],
  );
  const values = block.rows[row] ?? [];
  const life = block.lives.find(([index]) => index === row);
  return {
    sites: group.sites,
    tables: reference === undefined ? [] : [reference],
    migrations: [],
    blocks: [
      {
        table: 0,
        hlc: block.hlc,
        site: block.site,
        kind: places === undefined ? block.kind : 'cells',
        columns: kept.map((place) => block.columns[place] ?? -1),
        rows: [kept.map((place) => values[place] ?? null)],
        lives: life === undefined ? [] : [[0, life[1]]],
        clocks: block.clocks.flatMap(([index, place, hlc, site]) =>
          index === row && kept.includes(place) ? [[0, kept.indexOf(place), hlc, site] as const] : [],
        ),
      },
    ],
  };
}

const opOf = (block: FactBlock): 'row' | 'cells' | 'delete' =>
  block.kind === 'rows' ? 'row' : block.kind === 'cells' ? 'cells' : 'delete';

function columnIdAt({ group, block }: HeldFact, place: number): string {
  return group.tables[block.table]?.columns[block.columns[place] ?? -1]?.id ?? '';
}

/** One value that tells keys of a table apart; not an identity (the table is not here to say its collations). */
function heldKey(key: readonly SqlValue[]): SqlValue {
  const [only] = key;
  if (key.length === 1 && only !== undefined && !isRaw(only)) return only;
  return JSON.stringify(key, (_name, value: unknown) =>
    typeof value === 'bigint'
      ? `${value.toString()}n`
      : value instanceof Uint8Array
        ? Array.from(value)
        : value,
  );
}

const isRaw = (value: SqlValue): boolean =>
  typeof value === 'object' && value !== null && 'textBytes' in value;
