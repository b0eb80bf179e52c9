import type { FactBlock, Migration } from '#shared/model/change-group.ts';

import { knewOf } from '../engine/migration/knew-of.ts';
import { foldIdentifier } from '../sql/fold-identifier.ts';
import { quoteIdentifier } from '../sql/quote-identifier.ts';
import type { Admission } from './admission-context.ts';
import { selectRows, type LocalRow } from './admission-row-read.ts';
import { installCapture } from './capture-triggers.ts';
import { withRecordedDdl } from './with-recorded-ddl.ts';
import { holdFact } from './held-facts.ts';
import type { KeyValue } from './key-expression.ts';
import { decodeKey } from './key-lookup.ts';
import type { RecordedMigration } from './migration-records.ts';
import { livesOf } from './recorded-facts.ts';
import { OVERTAKEN_BY_DROP } from './redefinition-lineage.ts';
import { TABLE_KIND, type TrackedTable } from './table-registry.ts';
import { addTableAlias, dropTrackedTable, trackDroppedTable } from './track-table.ts';
import { rowAsFact } from './row-as-fact.ts';

type RecordedDrop = Pick<RecordedMigration, 'n' | 'migration'>;

/** Drops a table by a drop that is recorded. What the drop did not know of is held. */
export function endTable(admission: Admission, table: TrackedTable, drop: RecordedDrop): void {
  const { store } = admission;
  holdUnknownRows(admission, drop.migration, table);
  withRecordedDdl(store, () => {
    store.db.exec(`drop table ${quoteIdentifier(table.name ?? '')}`);
    return { value: null, touched: [table.name ?? ''], isDropped: true };
  });
  store.migrations.retire({ types: OVERTAKEN_BY_DROP, tbl: table.tbl });
  dropTrackedTable(store.db, table.tbl, drop.n);
  store.registry.invalidate();
  store.clocks.forget();
  admission.namesFreed = true;
}

/**
 * Takes away what is here of lives that are dropped by now: a twin, or a decision, made it one with something whose drop
 * is recorded. Does nothing for lives whose drop is still to come.
 */
export function endDroppedLives(admission: Admission, migration: Migration): void {
  const { kind, element } = migration;
  if (element !== null || (kind !== 'table' && kind !== 'index')) return;
  const { store } = admission;
  for (const { creations, drops } of livesOf(store, migration)) {
    const [first] = drops;
    const drop = first === undefined ? null : store.migrations.byId(first.id);
    if (drop === null) continue;
    for (const { id } of creations) {
      const creation = store.migrations.byId(id);
      if (creation === null) continue;
      if (kind === 'table') endTableOf(admission, creation, drop);
      else endIndexOf(admission, creation);
    }
  }
}

function endTableOf(admission: Admission, { migration }: RecordedMigration, drop: RecordedDrop): void {
  const table = migration.tableId === null ? null : admission.store.registry.byId(migration.tableId);
  if (typeof table?.name === 'string') endTable(admission, table, drop);
}

function endIndexOf({ store }: Admission, { migration, inForce }: RecordedMigration): void {
  if (!inForce || !store.catalog.read().indexes.has(foldIdentifier(migration.object))) return;
  store.db.exec(`drop index ${quoteIdentifier(migration.object)}`);
  const table = migration.tableId === null ? null : store.registry.byId(migration.tableId);
  if (table !== null) installCapture(store.db, table);
  store.migrations.retire({ types: ['create_index'], object: migration.object });
  store.objects.remove('index', migration.object);
}

/** Of a table that never was here, its drop is kept in mind: late facts of it, and twins, are known by it. */
export function keepDropInMind(admission: Admission, drop: Migration, n: number): void {
  const { store } = admission;
  if (drop.tableId === null || store.registry.byId(drop.tableId) !== null) return;
  const tbl = trackDroppedTable(store.db, { id: drop.tableId, dropped: n });
  store.registry.invalidate();
  // What waits for the table belongs to a dropped life now.
  admission.changedTables.add(tbl);
  for (const { n: creation, migration, tbl: known } of store.migrations.ofName('table', drop.object)) {
    if (known === null && migration.tableId === drop.tableId) store.migrations.assign(creation, tbl);
  }
  giveTwinsOfDropped(admission, drop, tbl);
}

/** Creations that were one with that of a dropped table: facts by their IDs are facts of it. */
function giveTwinsOfDropped({ store }: Admission, drop: Migration, tbl: number): void {
  const lives = livesOf(store, drop).filter(({ drops }) => drops.some(({ id }) => id === drop.id));
  for (const { id } of lives.flatMap(({ creations }) => creations)) {
    const creation = store.migrations.byId(id);
    const tableId = creation?.migration.tableId ?? null;
    if (creation?.tbl !== null || tableId === null || store.registry.byId(tableId) !== null) continue;
    store.migrations.assign(creation.n, tbl);
    addTableAlias(store.db, { id: tableId, tbl });
    store.registry.invalidate();
  }
}

/**
 * What the drop did not know of belongs to the dropped life and waits for a person, on every replica alike; rows without a
 * key, of which nobody else can know, wait here alone.
 */
function holdUnknownRows(admission: Admission, drop: Migration, table: TrackedTable): void {
  const { store } = admission;
  const isKnown = (hlc: bigint, site: ReturnType<typeof store.sites.siteOf>): boolean =>
    knewOf(drop, { hlc, site });
  const newest = store.db
    .prepareRaw<[bigint], [bigint | null, bigint]>(
      `select site, max(hlc) from _concord_log where tbl = ? and hlc is not null group by site`,
    )
    .all(BigInt(table.tbl));
  const isAllKnown = newest.every(([site, hlc]) =>
    isKnown(hlc, store.sites.siteOf(site === null ? 1 : Number(site))),
  );
  if (!isAllKnown) holdUnknownDeletes(admission, drop, table);
  const where = isAllKnown ? whereNameless(table) : '1 = 1';
  if (where === null) return;
  for (const row of selectRows(admission, table, { where, values: [] })) {
    const { group, block } = rowAsFact(admission, table, row);
    const stamps = [
      { hlc: block.hlc, site: block.site },
      ...block.clocks.map(([, , hlc, site]) => ({ hlc, site })),
    ];
    const isKnownRow =
      !isNameless(table, row) &&
      stamps.every(({ hlc, site }) => isKnown(hlc, group.sites[site] ?? store.site));
    if (!isKnownRow) holdFact(admission, { group, block, row: 0, reason: 'droppedTable', wasHere: true });
  }
}

/** Finds the rows without a key, or with NULL in it; null where there can be none. */
function whereNameless({ key, kind }: TrackedTable): string | null {
  if (kind === TABLE_KIND.noKey) return '1 = 1';
  if (kind !== TABLE_KIND.rowid) return null;
  return key.map(({ name }) => `${quoteIdentifier(name)} is null`).join(' or ');
}

const isNameless = ({ key, columns }: TrackedTable, { values }: LocalRow): boolean =>
  key.length === 0 || key.some((column) => (values[columns.indexOf(column)] ?? null) === null);

/** A deletion is a fact too: who has the row of it in held must know that it is over. */
function holdUnknownDeletes(admission: Admission, migration: Migration, table: TrackedTable): void {
  const { store } = admission;
  const deleted = store.db
    .prepareRaw<[number], [KeyValue, bigint, bigint, bigint | null]>(
      `select y.key, y.life, l.hlc, l.site from _concord_life as y join _concord_log as l on l.seq = y.seq
       where y.tbl = ? and y.life % 2 = 0`,
    )
    .all(table.tbl);
  const reference = {
    id: table.id,
    name: table.name ?? '',
    columns: table.key.map(({ id, name }) => ({ id, name })),
    key: table.key.map((_column, place) => place),
  };
  for (const [key, life, hlc, ordinal] of deleted) {
    const site = ordinal === null ? store.site : store.sites.siteOf(Number(ordinal));
    if (knewOf(migration, { hlc, site })) continue;
    const block: FactBlock = {
      table: 0,
      hlc,
      site: 0,
      kind: 'deletes',
      columns: reference.key,
      rows: [decodeKey(table, key)],
      lives: life === 2n ? [] : [[0, Number(life)]],
      clocks: [],
    };
    const group = { sites: [site], tables: [reference], migrations: [], blocks: [block] };
    holdFact(admission, { group, block, row: 0, reason: 'droppedTable', wasHere: true });
  }
}
