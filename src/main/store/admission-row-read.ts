import type { FactBlock, Stamp } from '#shared/model/change-group.ts';
import { compareStamps } from '#shared/model/hlc.ts';
import type { SqlValue } from '#shared/model/sql-value.ts';

import { quoteIdentifier } from '../sql/quote-identifier.ts';
import type { Admission } from './admission-context.ts';
import type { PlannedBlock } from './admission-plan.ts';
import { readExactly } from './exact-values.ts';
import type { RowPlace } from './log-write.ts';
import type { StoredValue } from './store-database.ts';
import { storedKeyPart } from './stored-key.ts';
import { TABLE_KIND, type TrackedTable } from './table-registry.ts';

/** A row that is here: its place, and its values in the order of `table.columns`. */
export interface LocalRow {
  readonly rid: RowPlace;
  readonly values: readonly SqlValue[];
}

/** The row that a fact speaks of, if it is here. */
export function findRow(
  admission: Admission,
  planned: PlannedBlock,
  row: readonly SqlValue[],
): LocalRow | null {
  return findRowByKey(admission, planned.plan.table, keyOf(admission, planned, row));
}

/** The key of a fact's row, in the order of the key here and as the columns here store it. */
export const keyOf = (
  admission: Admission,
  { plan }: PlannedBlock,
  row: readonly SqlValue[],
): readonly SqlValue[] =>
  (plan.keyPlaces ?? []).map((place, at) =>
    storedKeyPart(admission.store.db, row[place] ?? null, plan.keyAffinities[at] ?? 'blob'),
  );

/** As `findRow`, for key values in key order. */
export function findRowByKey(
  admission: Admission,
  table: TrackedTable,
  key: readonly SqlValue[],
): LocalRow | null {
  const [found] = selectRows(admission, table, {
    where: table.key
      .map((column, at) => `${quoteIdentifier(column.name)} = ${admission.placeholder(key[at] ?? null)}`)
      .join(' and '),
    values: key,
  });
  return found ?? null;
}

/** Rows of a table that answer a condition, with their places. */
export function selectRows(
  admission: Admission,
  table: TrackedTable,
  condition: { readonly where: string; readonly values: readonly SqlValue[] },
): readonly LocalRow[] {
  const columns = [table.ridExpression, ...table.columns.map((column) => quoteIdentifier(column.name))];
  return admission.store.db
    .prepareRaw<unknown[]>(
      `select ${columns.join(', ')} from ${quoteIdentifier(table.name ?? '')} where ${condition.where}`,
    )
    .all(...condition.values.map(admission.bindable))
    .map(([rid, ...values]) => {
      if (!isPlace(rid)) throw new Error(`A row of ${table.name ?? ''} has no place.`);
      return { rid, values: readExactly(admission.store, { table, columns: table.columns, rid, values }) };
    });
}

const isPlace = (value: StoredValue | undefined): value is RowPlace => value !== undefined && value !== null;

/** A condition that finds this row again quickly: by rowid, or by its key columns where there is none. */
export function whereRow(
  admission: Admission,
  table: TrackedTable,
  row: LocalRow,
): { readonly sql: string; readonly values: readonly unknown[] } {
  if (table.kind !== TABLE_KIND.withoutRowid) return { sql: `${table.ridExpression} = ?`, values: [row.rid] };
  const key = table.key.map((column) => row.values[table.columns.indexOf(column)] ?? null);
  return {
    sql: table.key
      .map((column, at) => `${quoteIdentifier(column.name)} = ${admission.placeholder(key[at] ?? null)}`)
      .join(' and '),
    values: key.map(admission.bindable),
  };
}

/** Deletes one row and its clocks; records nothing. */
export function deleteQuietly(admission: Admission, table: TrackedTable, row: LocalRow): void {
  const where = whereRow(admission, table, row);
  admission.store.db
    .prepare<unknown[]>(`delete from ${quoteIdentifier(table.name ?? '')} where ${where.sql}`)
    .run(...where.values);
  admission.store.logWriter.clearCells(table.tbl, row.rid);
}

export type CellClock = FactBlock['clocks'][number];

/** One row of a block, with the life and cell clocks it travels with. */
export interface RowFact {
  /** Place in the block. */
  readonly index: number;
  readonly life: number;
  readonly clocks: readonly CellClock[];
}

/** The stamp of one cell of a fact: its own where it has one, else the block's. */
export function stampOf(
  planned: PlannedBlock,
  clocks: readonly CellClock[],
  place: number,
): { readonly stamp: Stamp; readonly site: number } {
  const own = clocks.find((clock) => clock[1] === place);
  const site = own === undefined ? planned.block.site : own[3];
  const hlc = own === undefined ? planned.block.hlc : own[2];
  const siteId = planned.group.sites[site];
  if (siteId === undefined) throw new Error('A clock names a site that its group does not list.');
  return { stamp: { hlc, site: siteId }, site };
}

/** Whether the first stamp is the later one; equal stamps are not. */
export const isLater = (left: Stamp, right: Stamp): boolean => compareStamps(left, right) > 0;
