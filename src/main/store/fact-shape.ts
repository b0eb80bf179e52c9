import type { SqlValue } from '#shared/model/sql-value.ts';

import { NO_STAMP_HLC } from './row-clock.ts';
import type { TrackedColumn, TrackedTable } from './table-registry.ts';

/**
 * The columns that facts carry, key first. The same list is the same array, so that facts of one shape share a block.
 */
export interface Shapes {
  /** Of whole rows recorded at a seq: columns that were added later are not spoken of. */
  readonly wholeRow: (table: TrackedTable, seq: number) => readonly TrackedColumn[];
  /**
   * Columns that were added after a whole row was recorded and that the puller has: cells of them that have clocks go along,
   * since the row may not stand without them.
   */
  readonly addedSince: (table: TrackedTable, seq: number) => readonly TrackedColumn[];
  /** Of changed cells; null when there are none. */
  readonly cells: (table: TrackedTable, changed: readonly TrackedColumn[]) => readonly TrackedColumn[] | null;
}

/** Makes the shapes of one page, for a puller that has all migrations up to `catalogSeq`. */
export function createShapes(catalogSeq: number): Shapes {
  const known = new Map<string, readonly TrackedColumn[]>();
  const shared = (table: TrackedTable, others: readonly TrackedColumn[]): readonly TrackedColumn[] => {
    const columns = [...table.key, ...others.filter(({ pk }) => pk === 0)];
    const name = `${table.tbl}:${columns.map(({ col }) => col).join()}`;
    const same = known.get(name);
    if (same !== undefined) return same;
    known.set(name, columns);
    return columns;
  };
  return {
    wholeRow: (table, seq) =>
      shared(
        table,
        table.columns.filter(({ addedSeq }) => addedSeq <= seq),
      ),
    addedSince: (table, seq) =>
      table.columns.filter(({ addedSeq, pk }) => pk === 0 && addedSeq > seq && addedSeq <= catalogSeq),
    cells: (table, changed) => (changed.length === 0 ? null : shared(table, changed)),
  };
}

/**
 * A whole row as it goes out: its columns as of `seq` but for cells that nobody wrote, which the default of their column fills
 * wherever they arrive, and of those added since the cells that have clocks.
 */
export function wholeRowOf(
  shapes: Shapes,
  row: {
    readonly table: TrackedTable;
    readonly columns: readonly TrackedColumn[];
    readonly added: readonly TrackedColumn[];
    readonly clocked: readonly { readonly col: number; readonly hlc: bigint }[];
  },
): readonly TrackedColumn[] {
  const { table, columns, added, clocked } = row;
  if (clocked.length === 0) return columns;
  const clockOf = ({ col }: TrackedColumn): bigint | undefined =>
    clocked.find((clock) => clock.col === col)?.hlc;
  const own = columns.filter((column) => clockOf(column) !== NO_STAMP_HLC);
  const written = added.filter((column) => (clockOf(column) ?? NO_STAMP_HLC) !== NO_STAMP_HLC);
  if (own.length === columns.length && written.length === 0) return columns;
  return shapes.cells(table, [...own, ...written]) ?? columns;
}

/** The values of a shape, out of those of all columns that were read. */
export const valuesOf = (
  shape: readonly TrackedColumn[],
  read: { readonly columns: readonly TrackedColumn[]; readonly values: readonly SqlValue[] },
): readonly SqlValue[] =>
  shape.length === read.columns.length
    ? read.values
    : shape.map((column) => read.values[read.columns.indexOf(column)] ?? null);
