import type { SqlValue } from '#shared/model/sql-value.ts';

import type { StoredClock } from './earlier-keys.ts';
import type { OutgoingFact } from './group-builder.ts';
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
    const key = new Set(table.key.map(({ col }) => col));
    const columns = [...table.key, ...others.filter(({ col }) => !key.has(col))];
    // Facts may go by a key that the table had before.
    const name = `${table.tbl}:${[...key].join()}:${columns.map(({ col }) => col).join()}`;
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
function wholeRowOf(
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

/** What was read of a row, key first. */
interface RowRead {
  readonly columns: readonly TrackedColumn[];
  readonly values: readonly SqlValue[];
}

/**
 * What a fact says of a whole row that was recorded at `seq`: columns, values and the clocks of its cells, those that the fact does
 * not carry have entries of their own. `columns`: those of `table` as of then; `keyed`: the table with the key that the fact goes by.
 */
export function wholeRowFact(
  shapes: Shapes,
  row: {
    readonly table: TrackedTable;
    readonly keyed: TrackedTable;
    readonly seq: number;
    readonly columns: readonly TrackedColumn[];
    readonly added: readonly TrackedColumn[];
    readonly clocked: readonly StoredClock[];
    readonly read: RowRead;
  },
): Pick<OutgoingFact, 'table' | 'columns' | 'values' | 'clocks'> {
  const { table, keyed, seq, added, clocked, read } = row;
  const isByKey = keyed === table;
  const known = isByKey ? row.columns : shapes.wholeRow(keyed, seq);
  const columns = wholeRowOf(shapes, { table: keyed, columns: known, added, clocked });
  const isAll = isByKey && columns.length === read.columns.length;
  const values = isAll ? read.values : valuesOf(columns, read);
  return { table: keyed, columns, values, clocks: placeClocks(columns, clocked) };
}

/** The values of a shape, out of those of all columns that were read. */
const valuesOf = (shape: readonly TrackedColumn[], read: RowRead): readonly SqlValue[] =>
  shape.map(({ col }) => read.values[read.columns.findIndex((column) => column.col === col)] ?? null);

function placeClocks(
  columns: readonly TrackedColumn[],
  clocks: readonly StoredClock[],
): OutgoingFact['clocks'] {
  return clocks.flatMap(({ col, hlc, site }) => {
    const place = columns.findIndex((column) => column.col === col);
    return place < 0 ? [] : [{ place, hlc, site }];
  });
}
