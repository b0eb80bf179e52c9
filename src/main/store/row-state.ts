import type { ChangeGroup, FactBlock, Stamp, TableReference } from '#shared/model/change-group.ts';
import type { ColumnId, SiteId } from '#shared/model/ids.ts';
import { compareStamps } from '#shared/model/hlc.ts';
import type { SqlValue } from '#shared/model/sql-value.ts';

import { isSameValue } from './is-same-value.ts';
import type { ColumnPlace, TrackedTable } from './table-registry.ts';

/** One cell of a row on its way, with its own stamp. */
export interface CellState {
  readonly id: ColumnId;
  readonly name: string;
  readonly value: SqlValue;
  readonly stamp: Stamp;
}

/** A row apart from its table: as it travels, as it waits. */
export interface RowState {
  readonly life: number;
  /** Of the row as such. */
  readonly stamp: Stamp;
  /** By column ID here, or the author's where the column is unknown here; those of the key first. */
  readonly cells: ReadonlyMap<string, CellState>;
  /** IDs of the key, in key order. */
  readonly key: readonly string[];
}

/** A fact: one row of a block. */
export interface FactInGroup {
  readonly group: ChangeGroup;
  readonly block: FactBlock;
  readonly row: number;
}

/** What reads facts of a table: twins of its columns count as its own. */
export interface RowReader {
  readonly table: TrackedTable;
  readonly resolveColumn: (table: TrackedTable, id: string) => ColumnPlace;
}

/** A row, or some cells of it, out of the block that brought it. */
export function readRowState(reader: RowReader, fact: FactInGroup): RowState {
  const { group, block, row } = fact;
  const reference = group.tables[block.table];
  const stamp = { hlc: block.hlc, site: siteAt(group, block.site) };
  const own = ownStamps(fact);
  const columns = block.columns.map((index) => columnHere(reader, reference?.columns[index]));
  const cells = columns.flatMap((column, place): readonly (readonly [string, CellState])[] => {
    if (column === null) return [];
    const value = block.rows[row]?.[place] ?? null;
    return [[column.id, { ...column, value, stamp: own.get(place) ?? stamp }]];
  });
  const key = (reference?.key ?? []).map((index) => columns[block.columns.indexOf(index)]?.id ?? '');
  const life = block.lives.find(([index]) => index === row)?.[1] ?? 1;
  return { life, stamp, cells: new Map(cells), key };
}

/** A column as it is called here; under its author's name and ID where it is unknown. */
function columnHere(
  { table, resolveColumn }: RowReader,
  column: TableReference['columns'][number] | undefined,
): Pick<CellState, 'id' | 'name'> | null {
  if (column === undefined) return null;
  const here = resolveColumn(table, column.id);
  const { id, name } = here.kind === 'column' ? here.column : column;
  return { id, name };
}

function siteAt(group: ChangeGroup, index: number): SiteId {
  const site = group.sites[index];
  if (site === undefined) throw new Error('A stamp names a site that its group does not list.');
  return site;
}

/** Stamps of cells that differ from their row's, by their place. */
const ownStamps = ({ group, block, row }: FactInGroup): ReadonlyMap<number, Stamp> =>
  new Map(
    block.clocks.flatMap(([index, place, hlc, site]) =>
      index === row ? [[place, { hlc, site: siteAt(group, site) }] as const] : [],
    ),
  );

/**
 * A row with the cells of another fact of the same life: of each cell the later write, and what only one of them has.
 * Null where nothing of it is new. `isWhole`: whether the fact is a row, which has a stamp as such; of cells the key only
 * says which row is meant.
 */
export function joinRowStates(row: RowState, fact: RowState, isWhole: boolean): RowState | null {
  const isKey = new Set(row.key);
  const newer = [...fact.cells.values()].filter((cell) => {
    const known = row.cells.get(cell.id);
    if (!isWhole && isKey.has(cell.id) && isSameValue(known?.value ?? null, cell.value)) return false;
    return known === undefined || compareStamps(cell.stamp, known.stamp) > 0;
  });
  const isLater = isWhole && compareStamps(fact.stamp, row.stamp) > 0;
  if (newer.length === 0 && !isLater) return null;
  const cells = new Map(row.cells);
  for (const cell of newer) cells.set(cell.id, cell);
  return { ...row, stamp: isLater ? fact.stamp : row.stamp, cells };
}

/** Whether a fact says nothing that the row does not have with the same stamps. */
export const isKnownOf = (row: RowState, fact: RowState): boolean =>
  [...fact.cells.values()].every((cell) => {
    const known = row.cells.get(cell.id);
    return known !== undefined && compareStamps(cell.stamp, known.stamp) === 0;
  });

/** The fact that brings a row to a peer: a group of it alone. */
export function rowStateAsFact(table: Pick<TrackedTable, 'id' | 'name'>, row: RowState): FactInGroup {
  const sites: SiteId[] = [row.stamp.site];
  const siteIndex = (site: SiteId): number => {
    if (!sites.includes(site)) sites.push(site);
    return sites.indexOf(site);
  };
  const keyCells = row.key.flatMap((id) => row.cells.get(id) ?? []);
  const cells = [...keyCells, ...[...row.cells.values()].filter(({ id }) => !row.key.includes(id))];
  const clocks = cells.flatMap(({ stamp }, place) =>
    compareStamps(stamp, row.stamp) === 0 ? [] : [[0, place, stamp.hlc, siteIndex(stamp.site)] as const],
  );
  const block: FactBlock = {
    table: 0,
    hlc: row.stamp.hlc,
    site: 0,
    kind: 'rows',
    columns: cells.map((_cell, place) => place),
    rows: [cells.map(({ value }) => value)],
    lives: row.life === 1 ? [] : [[0, row.life]],
    clocks,
  };
  const reference = {
    id: table.id,
    name: table.name ?? '',
    columns: cells.map(({ id, name }) => ({ id, name })),
    key: keyCells.map((_cell, place) => place),
  };
  return { group: { sites, tables: [reference], migrations: [], blocks: [block] }, block, row: 0 };
}
