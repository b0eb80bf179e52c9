import type { ChangeGroup, FactBlock, TableReference } from '#shared/model/change-group.ts';

import type { TableDefinition } from '../sql/ast.ts';
import type { ColumnAffinity } from '../sql/column-affinity.ts';
import { keyAffinities } from './stored-key.ts';
import type { ColumnPlace, TrackedColumn, TrackedTable } from './table-registry.ts';

/** Where the values of a block go in the table that is here. */
export interface BlockPlan {
  readonly table: TrackedTable;
  /** Per place in the block's columns. */
  readonly targets: readonly ColumnPlace[];
  /** Places of this table's key columns in the block's rows, in key order; null when the block does not carry them all. */
  readonly keyPlaces: readonly number[] | null;
  /** Affinities of the key columns here, in key order. */
  readonly keyAffinities: readonly ColumnAffinity[];
  /** Places that go into columns here, key included. */
  readonly known: readonly { readonly place: number; readonly column: TrackedColumn }[];
  /** Places of columns that are unknown here: their cells are held. */
  readonly unknown: readonly number[];
}

export interface PlannedBlock {
  readonly group: ChangeGroup;
  readonly block: FactBlock;
  readonly plan: BlockPlan;
}

/** Whether a column of the key also comes as a cell: the row is found by what it has now, and becomes another. */
export const writesKey = ({ known, keyPlaces }: BlockPlan): boolean =>
  known.some(({ place, column }) => column.pk > 0 && keyPlaces?.includes(place) === false);

/** Places that say what a row is to hold: of a key column that comes twice, the one that does not say which row is meant. */
export function cellPlaces(plan: BlockPlan): BlockPlan['known'] {
  if (!writesKey(plan)) return plan.known;
  const { known, keyPlaces } = plan;
  return known.filter(
    ({ place, column }) =>
      keyPlaces?.includes(place) !== true ||
      !known.some((other) => other.column.col === column.col && other.place !== place),
  );
}

/** Finds the local column behind each column of the block: by ID, through twins. Pure. */
export function planBlock(input: {
  readonly table: TrackedTable;
  readonly block: FactBlock;
  readonly reference: TableReference;
  readonly resolveColumn: (table: TrackedTable, id: string) => ColumnPlace;
  /** The table's definition now; null where it cannot be read. */
  readonly definition: TableDefinition | null;
}): BlockPlan {
  const { table, block, reference, resolveColumn, definition } = input;
  const targets = block.columns.map((index): ColumnPlace => {
    const column = reference.columns[index];
    return column === undefined ? { kind: 'unknown' } : resolveColumn(table, column.id);
  });
  const known = targets.flatMap((target, place) =>
    target.kind === 'column' ? [{ place, column: target.column }] : [],
  );
  const keyPlaces = table.key.map((key) => known.find((entry) => entry.column.col === key.col)?.place ?? -1);
  return {
    table,
    targets,
    keyPlaces: table.key.length > 0 && keyPlaces.every((place) => place >= 0) ? keyPlaces : null,
    keyAffinities: keyAffinities(definition, table.key),
    known,
    unknown: targets.flatMap((target, place) => (target.kind === 'unknown' ? [place] : [])),
  };
}
