import type { ChangeGroup, FactBlock, Stamp } from '#shared/model/change-group.ts';
import type { SqlValue } from '#shared/model/sql-value.ts';

import type { Admission } from './admission-context.ts';
import type { PlannedBlock } from './admission-plan.ts';
import { deleteQuietly, isLater, type LocalRow, type RowFact } from './admission-row-read.ts';
import { tableReference } from './group-builder.ts';
import { holdFact } from './held-facts.ts';
import type { KeyValue } from './key-expression.ts';
import type { EntryOrigin } from './log-write.ts';
import type { TrackedTable } from './table-registry.ts';

// A row that is left out of its life (docs/decisions/0018): whether it is there goes to the later stamp, of its whole rows and
// of what left it out; on a tie it is there. Its cells go on by their own clocks: those that are later wait for the row.

/** A key that is left out, and when. */
export interface LeftOut {
  readonly table: TrackedTable;
  readonly key: KeyValue;
  /** The row, where it is here in that life or an earlier one. */
  readonly local: LocalRow | null;
  /** Odd: the life that it is left out of. */
  readonly life: number;
  readonly stamp: Stamp;
  readonly origin: EntryOrigin;
}

/** Takes in that a row is left out of its life: in an equal one the later stamp holds. `localLife`: of the key here. */
export function admitLeftOut(admission: Admission, leftOut: LeftOut, localLife: number): void {
  const { store, report } = admission;
  const { table, key, local, life, stamp } = leftOut;
  if (life < localLife) {
    report.superseded += 1;
    return;
  }
  const standing =
    life > localLife
      ? null
      : local === null
        ? store.clocks.leftOut(table.tbl, key)
        : store.clocks.row(table.tbl, local.rid).row();
  if (standing === null || isLater(stamp, standing)) leaveOut(admission, leftOut);
  else report.duplicates += 1;
}

/** Leaves a row out of its life and records it. Cells that were written later than that are held until the row is back. */
export function leaveOut(admission: Admission, leftOut: LeftOut): void {
  const { store, report, touchedKeys } = admission;
  const { table, key, local, life, stamp, origin } = leftOut;
  if (local !== null) {
    if (lifeHere(admission, table.tbl, key) === life)
      holdLaterCells(admission, { table, local, life, stamp });
    deleteQuietly(admission, table, local);
  }
  store.logWriter.appendDelete(table.tbl, { rid: local?.rid ?? null, key, life }, origin);
  touchedKeys.add(table.tbl);
  report.applied += 1;
}

const lifeHere = ({ store }: Admission, tbl: number, key: KeyValue): number =>
  store.clocks.life(tbl, key) ?? 1;

function holdLaterCells(
  admission: Admission,
  row: {
    readonly table: TrackedTable;
    readonly local: LocalRow;
    readonly life: number;
    readonly stamp: Stamp;
  },
): void {
  const { table, local, life, stamp } = row;
  const clocks = admission.store.clocks.row(table.tbl, local.rid);
  const reference = tableReference(table);
  const valueOf = (place: number): SqlValue => local.values[place] ?? null;
  table.columns.forEach((column, place) => {
    const clock = clocks.cell(column);
    if (column.pk !== 0 || !isLater(clock, stamp)) return;
    holdCell(admission, {
      group: { sites: [clock.site], tables: [reference], migrations: [], blocks: [] },
      at: { table: 0, hlc: clock.hlc, site: 0 },
      columns: [...reference.key, place],
      values: [...reference.key.map(valueOf), valueOf(place)],
      life,
    });
  });
}

/** Of a whole row that arrives where its key was left out later: the cells that were written later still wait for it. */
export function holdCellsLaterThan(
  admission: Admission,
  { group, block, plan }: PlannedBlock,
  { fact, stamp }: { readonly fact: RowFact; readonly stamp: Stamp },
): void {
  if (block.kind !== 'rows') return;
  const row = block.rows[fact.index] ?? [];
  const width = plan.table.key.length;
  for (const [, place, hlc, site] of fact.clocks) {
    const author = group.sites[site];
    if (author === undefined || place < width || !isLater({ hlc, site: author }, stamp)) continue;
    holdCell(admission, {
      group,
      at: { table: block.table, hlc, site },
      columns: [...block.columns.slice(0, width), block.columns[place] ?? 0],
      values: [...row.slice(0, width), row[place] ?? null],
      life: fact.life,
    });
  }
}

function holdCell(
  admission: Admission,
  cell: {
    readonly group: ChangeGroup;
    readonly at: Pick<FactBlock, 'table' | 'hlc' | 'site'>;
    readonly columns: readonly number[];
    readonly values: readonly SqlValue[];
    readonly life: number;
  },
): void {
  const { group, at, columns, values, life } = cell;
  const block: FactBlock = {
    ...at,
    kind: 'cells',
    columns,
    rows: [values],
    lives: life === 1 ? [] : [[0, life]],
    clocks: [],
  };
  holdFact(admission, { group: { ...group, blocks: [block] }, block, row: 0, reason: 'notNull' });
}
