import type { ChangeGroup, FactBlock } from '#shared/model/change-group.ts';

import type { Admission } from './admission-context.ts';
import type { LocalRow } from './admission-row-read.ts';
import { readExactly } from './exact-values.ts';
import { keyValueOf } from './key-expression.ts';
import type { ReplicaStore } from './replica-store.ts';
import { NO_STAMP_HLC, type RowClock } from './row-clock.ts';
import { rowStateAsFact, type CellState, type RowState } from './row-state.ts';
import { TABLE_KIND, type TrackedTable } from './table-registry.ts';

/** When a row without a key was written is not recorded: before all that is, but by somebody, which no default is. */
const LOCAL_ROW_HLC = NO_STAMP_HLC + 1n;

/** A row that is here, apart from its table: exact values, stamps and life. */
export function rowAsState(
  { store }: Pick<Admission, 'store'>,
  table: TrackedTable,
  row: LocalRow,
): RowState {
  const clocks = table.kind === TABLE_KIND.noKey ? localClocks(store) : store.clocks.row(table.tbl, row.rid);
  const values = readExactly(store, { table, columns: table.columns, rid: row.rid, values: row.values });
  const cells = table.columns.flatMap((column, place): readonly (readonly [string, CellState])[] => {
    const stamp = clocks.cell(column);
    // What nobody wrote is no part of the fact: whoever takes it in has a default for it.
    if (stamp.hlc === NO_STAMP_HLC && column.pk === 0) return [];
    const { id, name } = column;
    return [[id, { id, name, value: values[place] ?? null, stamp }]];
  });
  const key = keyValueOf(
    table,
    table.key.map((column) => values[table.columns.indexOf(column)] ?? null),
  );
  const life = key === null ? 1 : (store.clocks.life(table.tbl, key) ?? 1);
  return { life, stamp: clocks.row(), cells: new Map(cells), key: table.key.map(({ id }) => id) };
}

function localClocks({ site }: ReplicaStore): RowClock {
  const stamp = { hlc: LOCAL_ROW_HLC, site };
  return { row: () => stamp, cell: () => stamp };
}

/** A row that is here as the fact that would bring it to a peer. */
export function rowAsFact(
  admission: Pick<Admission, 'store'>,
  table: TrackedTable,
  row: LocalRow,
): { readonly group: ChangeGroup; readonly block: FactBlock } {
  const { group, block } = rowStateAsFact(table, rowAsState(admission, table, row));
  const ids = table.columns.map(({ id }) => id);
  const cells = group.tables[0]?.columns ?? [];
  const reference = {
    id: table.id,
    name: table.name ?? '',
    columns: table.columns.map(({ id, name }) => ({ id, name })),
    key: table.key.map(({ id }) => ids.indexOf(id)),
  };
  // By the columns of the table, so that rows of one shape have blocks of one shape.
  const placed = { ...block, columns: cells.map(({ id }) => ids.indexOf(id)) };
  return { group: { ...group, tables: [reference], blocks: [placed] }, block: placed };
}
