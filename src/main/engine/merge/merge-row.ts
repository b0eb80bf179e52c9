import { present } from '#shared/assert.ts';
import type { Stamp } from '#shared/model/change-group.ts';
import { compareStamps } from '#shared/model/hlc.ts';

// The rule of rows, one at a time and in words. The store does the same set-wise in SQL, where speed asks for it;
// property tests compare the two.

/** A column of the row's table, key columns excepted. */
export type Column = number;

/** What a replica knows of one key. */
export interface RowState {
  /** Odd: alive for the n-th time; even: deleted. */
  readonly life: number;
  /** Clock of the row as such: of its key, or of its delete. */
  readonly stamp: Stamp;
  /** Clock of each cell that anybody wrote in this life. A column that was filled by its default has none. */
  readonly cells: ReadonlyMap<Column, Stamp>;
}

/** One change of one row, as it arrives. */
export type RowFact =
  | {
      readonly kind: 'row';
      readonly life: number;
      readonly stamp: Stamp;
      /** Every column that the author knew, with the clock of its cell. */
      readonly cells: ReadonlyMap<Column, Stamp>;
    }
  | {
      readonly kind: 'cells';
      readonly life: number;
      readonly stamp: Stamp;
      readonly columns: readonly Column[];
    }
  | { readonly kind: 'delete'; readonly life: number; readonly stamp: Stamp };

export type RowDecision =
  /** Nothing of it is new: it was here before. No conflict. */
  | { readonly action: 'ignore'; readonly because: 'duplicate' }
  /** Everything of it lost to something later, or to a later life. */
  | { readonly action: 'ignore'; readonly because: 'superseded' }
  | { readonly action: 'insert' }
  /** The row of an older life goes, with all its clocks; this one comes. */
  | { readonly action: 'replace' }
  /** These cells win; `row`: so does the clock of the row itself. */
  | { readonly action: 'merge'; readonly columns: readonly Column[]; readonly row: boolean }
  | { readonly action: 'delete' }
  /** Cells of a row that is not here in that life: they wait for it. */
  | { readonly action: 'hold' };

/**
 * Decides what becomes of one arriving change. `local` is null for a key that was never heard of.
 *
 * The higher life wins; equal lives are one, and in it each cell goes to the later stamp. The end is the same in
 * whatever order, how often, and in whatever groups the changes arrive, once what was held is tried again
 * (ROW-001, ROW-002).
 */
export function decideRow(local: RowState | null, fact: RowFact): RowDecision {
  if (local !== null && fact.life < local.life) return SUPERSEDED;
  if (local === null || fact.life > local.life) return beginLife(local, fact);
  switch (fact.kind) {
    case 'delete':
      return byStamp(fact.stamp, local.stamp) ?? { action: 'delete' };
    case 'row':
      return mergeCells(local, fact.cells, fact.stamp);
    case 'cells':
      return mergeCells(local, cellsOf(fact), null);
  }
}

const SUPERSEDED: RowDecision = { action: 'ignore', because: 'superseded' };
const DUPLICATE: RowDecision = { action: 'ignore', because: 'duplicate' };

function beginLife(local: RowState | null, fact: RowFact): RowDecision {
  if (fact.kind === 'delete') return { action: 'delete' };
  if (fact.kind === 'cells') return { action: 'hold' };
  return { action: local === null || isDeleted(local.life) ? 'insert' : 'replace' };
}

/** Whether a life number says deleted. */
export const isDeleted = (life: number): boolean => life % 2 === 0;

/** Null when the arriving stamp wins. */
function byStamp(arriving: Stamp, local: Stamp): RowDecision | null {
  const order = compareStamps(arriving, local);
  if (order > 0) return null;
  return order === 0 ? DUPLICATE : SUPERSEDED;
}

function mergeCells(
  local: RowState,
  arriving: ReadonlyMap<Column, Stamp>,
  rowStamp: Stamp | null,
): RowDecision {
  const columns = [...arriving.keys()].filter((column) =>
    isNewer(arriving.get(column), local.cells.get(column)),
  );
  const row = rowStamp !== null && isNewer(rowStamp, local.stamp);
  if (columns.length > 0 || row) return { action: 'merge', columns, row };
  const isKnown = [...arriving].every(([column, stamp]) => isSame(stamp, local.cells.get(column)));
  return isKnown && (rowStamp === null || isSame(rowStamp, local.stamp)) ? DUPLICATE : SUPERSEDED;
}

/** A cell that nobody wrote yet gives way to any write. */
const isNewer = (arriving: Stamp | undefined, local: Stamp | undefined): boolean =>
  arriving !== undefined && (local === undefined || compareStamps(arriving, local) > 0);

const isSame = (arriving: Stamp, local: Stamp | undefined): boolean =>
  local !== undefined && compareStamps(arriving, local) === 0;

/** What a replica knows of the key once a decision has been carried out. */
export function applyDecision(local: RowState | null, fact: RowFact, decision: RowDecision): RowState | null {
  switch (decision.action) {
    case 'ignore':
    case 'hold':
      return local;
    case 'insert':
    case 'replace':
    case 'delete':
      return { life: fact.life, stamp: fact.stamp, cells: cellsOf(fact) };
    case 'merge':
      return takeCells(present(local, 'only a known row merges'), fact, decision);
  }
}

function takeCells(
  local: RowState,
  fact: RowFact,
  { columns, row }: Extract<RowDecision, { action: 'merge' }>,
): RowState {
  const arriving = cellsOf(fact);
  const cells = new Map(local.cells);
  for (const column of columns)
    cells.set(column, present(arriving.get(column), 'a cell that wins has arrived'));
  return { ...local, stamp: row ? fact.stamp : local.stamp, cells };
}

function cellsOf(fact: RowFact): ReadonlyMap<Column, Stamp> {
  switch (fact.kind) {
    case 'row':
      return fact.cells;
    case 'cells':
      return new Map(fact.columns.map((column) => [column, fact.stamp]));
    case 'delete':
      return new Map();
  }
}
