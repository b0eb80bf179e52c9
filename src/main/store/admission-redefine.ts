import type { Migration, Redefinition } from '#shared/model/change-group.ts';
import type { ColumnId, TableId } from '#shared/model/ids.ts';

import type { TableDefinition } from '../sql/ast.ts';
import { comparableDefault } from '../sql/comparable-default.ts';
import { isSameName } from '../sql/fold-identifier.ts';
import { canonicalTable } from '../sql/canonical-table.ts';
import { compareTables } from '../sql/compare-tables.ts';
import { renderCreateTable } from '../sql/render-create-table.ts';
import { quoteIdentifier } from '../sql/quote-identifier.ts';
import { attemptWithin } from './admission-attempt.ts';
import type { Admission } from './admission-context.ts';
import { selectRows } from './admission-row-read.ts';
import { installCapture } from './capture-triggers.ts';
import { constraintOf } from './constraint-failure.ts';
import { keyOfDefinition, kindOfDefinition } from './definition-key.ts';
import { holdFact } from './held-facts.ts';
import { isAnswered } from './is-answered.ts';
import { currentDefinition } from './live-table.ts';
import { rebuildTable, replaceEmptyTable, type RebuildReport, type RebuildRequest } from './rebuild-table.ts';
import { admitExportedRows, exportRows } from './redefine-rows.ts';
import { readTombstones, recordTombstones } from './redefine-tombstones.ts';
import { silenceTriggers } from './silence-triggers.ts';
import { keyAffinities } from './stored-key.ts';
import type { LiveColumn, TrackedTable } from './table-registry.ts';
import {
  addTableAlias,
  dropTrackedColumn,
  forgetTrackedColumn,
  refreshTrackedTable,
  renameTrackedColumn,
  trackAddedDefault,
  trackColumn,
  trackTable,
} from './track-table.ts';
import { rowAsFact } from './row-as-fact.ts';

/**
 * Gives a table the shape that an operator chose, and makes the creations that the decision unifies one table.
 *
 * Rows are kept with their stamps. Values of columns that the shape lacks, and rows that it would not take, are held.
 * Where key and kind stay, the rows stay where they are; where they change, the rows are admitted anew under the new key.
 */
export function applyRedefine(
  admission: Admission,
  redefine: { readonly migration: Migration; readonly table: TrackedTable; readonly target: TableDefinition },
): void {
  const { table, target } = redefine;
  const map = redefinitionOf(redefine.migration);
  const sources = sourcesOf(admission, { table, target, map });
  const left = table.liveColumns.filter((column) => !sources.some(({ from }) => from?.col === column.col));
  const dropped = droppedBeside(admission, { decision: redefine.migration, table });
  const reshape = {
    table,
    target,
    map,
    sources,
    lost: left.filter(({ col }) => !dropped.has(col)),
    dropped: left.filter(({ col }) => dropped.has(col)),
  };
  if (hasShape(admission, table, target)) retrack(admission, reshape);
  else if (keepsKey(admission, reshape)) reshapeInPlace(admission, reshape);
  else if (keyOfDefinition(target).length === 0) makeLocal(admission, reshape);
  else admitAnew(admission, reshape);
}

interface Reshape {
  readonly table: TrackedTable;
  readonly target: TableDefinition;
  readonly map: Redefinition;
  readonly sources: readonly ColumnSource[];
  /** Columns that the target lacks. */
  readonly lost: readonly LiveColumn[];
  /** Columns that were dropped where another table stood that is one with this one: their values go with them. */
  readonly dropped: readonly LiveColumn[];
}

/** Columns of which a drop is recorded that the decision did not know of. */
function droppedBeside(
  { store }: Admission,
  { decision, table }: { readonly decision: Migration; readonly table: TrackedTable },
): ReadonlySet<number> {
  const drops = store.migrations
    .ofTable(table.tbl)
    .filter(({ migration }) => migration.type === 'drop_column' && !isAnswered(decision, migration));
  return new Set(
    drops.flatMap(({ migration: { columns } }) =>
      columns.flatMap(({ id }) => store.registry.ordinalOf(table, id) ?? []),
    ),
  );
}

/** Rows stay where they are, unless the shape would not take one of them: then all of them are admitted anew. */
function reshapeInPlace(admission: Admission, reshape: Reshape): void {
  if (fitsInPlace(admission, reshape)) retrack(admission, reshape);
  else admitAnew(admission, reshape);
}

/** Whether the shape takes all rows; else everything is as it was. */
function fitsInPlace(admission: Admission, reshape: Reshape): boolean {
  return attemptWithin(admission, () => {
    try {
      holdLostCells(admission, reshape.table, reshape.lost);
      rebuildInPlace(admission, reshape);
      return true;
    } catch (cause) {
      if (constraintOf(cause) === null) throw cause;
      return false;
    }
  });
}

/**
 * Under a shape without a key rows are no facts any more: they stay on whoever has them. Where the shape would not take
 * one of them, all of them wait in held.
 */
function makeLocal(admission: Admission, reshape: Reshape): void {
  const { store } = admission;
  const { table, target } = reshape;
  if (!fitsInPlace(admission, reshape)) {
    for (const row of selectRows(admission, table, { where: '1 = 1', values: [] }))
      holdFact(admission, {
        ...rowAsFact(admission, table, row),
        row: 0,
        reason: 'refusedValue',
        wasHere: true,
      });
    noteLost(admission, table, replaceEmptyTable(store.db, { name: table.name ?? '', target }));
  }
  forgetRows(admission, table);
  retrack(admission, reshape);
}

/** Rows and deletions get their identities under the new key, and keep their stamps. */
function admitAnew(admission: Admission, reshape: Reshape): void {
  const { store } = admission;
  const { table, target } = reshape;
  silenceTriggers(admission, table.name ?? '');
  exportRows(admission, table);
  const tombstones = readTombstones(admission, table);
  noteLost(admission, table, replaceEmptyTable(store.db, { name: table.name ?? '', target }));
  forgetRows(admission, table);
  retrack(admission, reshape);
  admitExportedRows(admission, { of: table.tbl });
  recordTombstones(admission, store.trackedTable(table.tbl), tombstones);
}

function hasShape(admission: Admission, table: TrackedTable, target: TableDefinition): boolean {
  const current = currentDefinition(admission.store, table.name ?? '');
  return current !== null && compareTables(current, { ...target, name: current.name }).equal;
}

/** Makes the table of a decision on a replica that had none of its creations. */
export function createRedefined(
  admission: Admission,
  migration: Migration,
  target: TableDefinition,
): TrackedTable {
  const { store } = admission;
  const map = redefinitionOf(migration);
  store.db.exec(renderCreateTable(target, { name: migration.object }));
  const [kept, ...others] = map.creations;
  if (kept === undefined) throw new Error('A redefine_table names no creation.');
  const tbl = trackTable(store.db, {
    name: migration.object,
    id: kept.table,
    columnId: (name) => idsOf(map, name)[0] ?? store.newColumnId(),
    definition: canonicalTable({ ...target, name: migration.object }),
    created: null,
    addedSeq: 0,
  });
  store.registry.invalidate();
  const table = store.trackedTable(tbl);
  aliasTables(
    admission,
    table,
    others.map((creation) => creation.table),
  );
  for (const column of table.liveColumns)
    aliasColumns(admission, { table, column, ids: idsOf(map, column.name) });
  for (const { col, name } of table.liveColumns) {
    const added = map.columnMap.find((column) => isSameName(column.name, name))?.added;
    if (added !== undefined) trackAddedDefault(store.db, { tbl, col, defaultText: added });
  }
  store.registry.invalidate();
  installCapture(store.db, store.trackedTable(tbl));
  return store.trackedTable(tbl);
}

function redefinitionOf(migration: Migration): Redefinition {
  if (migration.redefine === null) throw new Error('A redefine_table says nothing of what it unifies.');
  return migration.redefine;
}

interface ColumnSource {
  readonly column: TableDefinition['columns'][number];
  readonly from: LiveColumn | null;
}

/** The columns here that become the columns of the target, by their IDs: a name may be that of another. */
function sourcesOf(
  admission: Admission,
  { table, target, map }: Pick<Reshape, 'table' | 'target' | 'map'>,
): readonly ColumnSource[] {
  const { registry } = admission.store;
  return target.columns.map((column) => {
    const known = new Set(idsOf(map, column.name).map((id) => registry.ordinalOf(table, id)));
    return { column, from: table.liveColumns.find(({ col }) => known.has(col)) ?? null };
  });
}

/**
 * Whether rows keep their identity and place: the same key columns, stored and compared alike, rowids of the same kind.
 */
function keepsKey(admission: Admission, { table, target, sources }: Reshape): boolean {
  const wanted = keyOfDefinition(target);
  const stored = keyAffinities(currentDefinition(admission.store, table.name ?? ''), table.key);
  const here = table.key.map(
    (column, place) =>
      `${String(column.col)} ${(column.collation ?? 'BINARY').toUpperCase()} ${stored[place] ?? ''}`,
  );
  const affinities = keyAffinities(target, wanted);
  const there = wanted.map(({ name, collation }, place) => {
    const source = sources.find(({ column }) => isSameName(column.name, name));
    return `${String(source?.from?.col ?? -1)} ${collation.toUpperCase()} ${affinities[place] ?? ''}`;
  });
  return here.join() === there.join() && table.kind === kindOfDefinition(target);
}

/** A column that comes fills the rows with what it was added with, whatever its default is by now. */
function sourceOf(map: Redefinition, { column, from }: ColumnSource): RebuildRequest['sources'][number] {
  if (from !== null) return { column: column.name, from: from.name };
  const fill = comparableDefault(addedOf(map, column) ?? undefined);
  return { column: column.name, from: null, ...(fill === undefined ? {} : { fill }) };
}

const addedOf = (map: Redefinition, { name, defaultText }: ColumnSource['column']): string | null => {
  const added = map.columnMap.find((candidate) => isSameName(candidate.name, name))?.added;
  return added === undefined ? (defaultText ?? null) : added;
};

function rebuildInPlace(admission: Admission, { table, target, map, sources }: Reshape): void {
  const current = currentDefinition(admission.store, table.name ?? '');
  if (current === null) throw new Error(`The definition of ${table.name ?? ''} cannot be read.`);
  const report = rebuildTable(admission.store.db, {
    name: table.name ?? '',
    current,
    target,
    sources: sources
      .filter(({ column }) => column.generated === undefined)
      .map(({ column, from }) => sourceOf(map, { column, from })),
  });
  noteLost(admission, table, report);
}

/** An index that went with a column needs no drop of its own: it goes everywhere, by this very decision. */
function noteLost({ store }: Admission, table: TrackedTable, { lost }: RebuildReport): void {
  for (const { type, name, message } of lost) {
    if (type === 'index') store.migrations.retire({ types: ['create_index'], object: name });
    store.ports.log.warn('redefine.dependant-lost', { table: table.name, type, name, message });
  }
}

/** Values of columns that the shape lacks wait in held, cell by cell. */
function holdLostCells(admission: Admission, table: TrackedTable, lost: readonly LiveColumn[]): void {
  // What is generated has no value of its own.
  for (const column of table.columns.filter(({ col }) => lost.some((gone) => gone.col === col))) {
    const rows = selectRows(admission, table, {
      where: `${quoteIdentifier(column.name)} is not null`,
      values: [],
    });
    for (const row of rows) {
      const { group, block } = rowAsFact(admission, table, row);
      const place = block.columns.indexOf(table.columns.indexOf(column));
      // The default of a column is nobody's value.
      if (place < 0) continue;
      holdFact(admission, { group, block, row: 0, reason: 'unknownColumn', places: [place], wasHere: true });
    }
  }
}

/** The clocks and lives of rows that are admitted anew. */
function forgetRows(admission: Admission, table: TrackedTable): void {
  admission.store.clocks.forget();
  for (const derived of ['_concord_range', '_concord_cell', '_concord_life']) {
    admission.store.db.prepare<[number]>(`delete from ${derived} where tbl = ?`).run(table.tbl);
  }
}

const idsOf = (map: Redefinition, name: string): readonly ColumnId[] =>
  map.columnMap.find((candidate) => isSameName(candidate.name, name))?.ids ?? [];

/** Brings the record of the table up to its new shape, and makes the unified IDs names of it. */
function retrack(admission: Admission, reshape: Reshape): void {
  const { store } = admission;
  const { table, target, map } = reshape;
  // The redefine_table itself was recorded just before: what was recorded earlier does not speak of new columns.
  const addedSeq = store.logWriter.head();
  for (const column of reshape.lost) forgetTrackedColumn(store.db, table.tbl, column.col);
  for (const column of reshape.dropped) dropTrackedColumn(store.db, table.tbl, column.col);
  for (const source of reshape.sources) retrackColumn(admission, { table, map, addedSeq }, source);
  refreshTrackedTable(store.db, table.tbl, {
    definition: canonicalTable({ ...target, name: table.name ?? target.name }),
  });
  store.registry.invalidate();
  const fresh = store.trackedTable(table.tbl);
  aliasTables(
    admission,
    fresh,
    map.creations.map((creation) => creation.table),
  );
  for (const column of fresh.liveColumns)
    aliasColumns(admission, { table: fresh, column, ids: idsOf(map, column.name) });
  store.registry.invalidate();
  installCapture(store.db, store.trackedTable(table.tbl));
}

function retrackColumn(
  admission: Admission,
  reshape: Pick<Reshape, 'table' | 'map'> & { readonly addedSeq: number },
  { column, from }: ColumnSource,
): void {
  const { db, newColumnId } = admission.store;
  const { map, addedSeq } = reshape;
  const { tbl } = reshape.table;
  if (from === null)
    trackColumn(db, {
      tbl,
      name: column.name,
      id: idsOf(map, column.name)[0] ?? newColumnId(),
      addedSeq,
      defaultText: addedOf(map, column),
    });
  else if (from.name !== column.name) renameTrackedColumn(db, { tbl, col: from.col, name: column.name });
}

function aliasTables(admission: Admission, table: TrackedTable, ids: readonly TableId[]): void {
  for (const id of ids) {
    if (admission.store.registry.byId(id) === null) addTableAlias(admission.store.db, { id, tbl: table.tbl });
  }
}

function aliasColumns(
  admission: Admission,
  input: { readonly table: TrackedTable; readonly column: LiveColumn; readonly ids: readonly ColumnId[] },
): void {
  for (const id of input.ids) {
    if (id === input.column.id) continue;
    addTableAlias(admission.store.db, { id, tbl: input.table.tbl, col: input.column.col });
  }
}

/** The IDs of a column that the decision has and that is gone here, by a drop that it did not know of, are one too. */
export function unifyGoneColumns(
  { store }: Admission,
  { redefine }: Pick<Migration, 'redefine'>,
  table: TrackedTable,
): void {
  for (const { ids } of redefine?.columnMap ?? []) {
    const [col] = ids.flatMap((id) => store.registry.ordinalOf(table, id) ?? []);
    if (col === undefined) continue;
    for (const id of ids) {
      if (store.registry.ordinalOf(table, id) === null) addTableAlias(store.db, { id, tbl: table.tbl, col });
    }
  }
  store.registry.invalidate();
}
