import type { TrackedColumn, TrackedTable } from './table-registry.ts';

/**
 * The columns that facts carry, key first. The same list is the same array, so that facts of one shape share a block.
 */
export interface Shapes {
  /** Of whole rows recorded at a seq: columns that were added later are not spoken of. */
  readonly wholeRow: (table: TrackedTable, seq: number) => readonly TrackedColumn[];
  /** Of changed cells; null when there are none. */
  readonly cells: (table: TrackedTable, changed: readonly TrackedColumn[]) => readonly TrackedColumn[] | null;
}

/** Makes the shapes of one page. */
export function createShapes(): Shapes {
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
    cells: (table, changed) => (changed.length === 0 ? null : shared(table, changed)),
  };
}
