import type { ChangeGroup, FactBlock, TableReference } from '#shared/model/change-group.ts';
import type { SqlValue } from '#shared/model/sql-value.ts';

import { quoteIdentifier } from '../sql/quote-identifier.ts';
import type { Admission } from './admission-context.ts';
import { selectRows, type LocalRow } from './admission-row-read.ts';
import type { TrackedTable } from './table-registry.ts';

/** Facts of one table as they came. */
export interface TableFactsInGroup {
  readonly group: ChangeGroup;
  readonly block: FactBlock;
  readonly reference: TableReference;
}

/**
 * Facts that name rows by a key which the table had before, as facts under the key that it has now: the columns of the
 * earlier key still find the row. Rows that are not here are left out, their indexes are handed back.
 */
export function underPresentKey(
  admission: Admission,
  table: TrackedTable,
  facts: TableFactsInGroup,
): { readonly facts: TableFactsInGroup | null; readonly missing: readonly number[] } {
  const { block } = facts;
  const earlier = earlierKey(admission, table, facts);
  if (earlier === null) return { facts: null, missing: block.rows.map((_row, index) => index) };
  const found = block.rows.map((row) => findByColumns(admission, table, { names: earlier, row }));
  const kept = found.flatMap((local, index) => (local === null ? [] : [{ local, index }]));
  const missing = found.flatMap((local, index) => (local === null ? [index] : []));
  return { facts: kept.length === 0 ? null : rekeyed(table, facts, kept), missing };
}

/** Names here of the columns that the facts are keyed by; null where one of them is gone. */
function earlierKey(
  admission: Admission,
  table: TrackedTable,
  { reference }: TableFactsInGroup,
): readonly string[] | null {
  const names = reference.key.map((index) => {
    const column = reference.columns[index];
    if (column === undefined) return null;
    const place = admission.store.registry.resolveColumn(table, column.id);
    return place.kind === 'column' ? place.column.name : null;
  });
  // What names its rows by no key finds none.
  return names.length > 0 && names.every((name) => name !== null) ? names : null;
}

/** The one row that has these values; blocks begin with their key. */
function findByColumns(
  admission: Admission,
  table: TrackedTable,
  wanted: { readonly names: readonly string[]; readonly row: readonly SqlValue[] },
): LocalRow | null {
  const values = wanted.names.map((_name, place) => wanted.row[place] ?? null);
  const [found, other] = selectRows(admission, table, {
    where: wanted.names
      .map((name, place) => `${quoteIdentifier(name)} = ${admission.placeholder(values[place] ?? null)}`)
      .join(' and '),
    values,
  });
  return found === undefined || other !== undefined ? null : found;
}

interface FoundRow {
  readonly local: LocalRow;
  readonly index: number;
}

function rekeyed(
  table: TrackedTable,
  { group, block, reference }: TableFactsInGroup,
  kept: readonly FoundRow[],
): TableFactsInGroup {
  const base = reference.columns.length;
  const key = table.key.map((_column, place) => base + place);
  const columns = [...reference.columns, ...table.key.map(({ id, name }) => ({ id, name }))];
  const tables = group.tables.map((known, place) =>
    place === block.table ? { ...reference, columns, key } : known,
  );
  const indexOf = new Map(kept.map(({ index }, place) => [index, place]));
  const shifted = <Entry extends readonly [number, ...unknown[]]>(entry: Entry): readonly Entry[] => {
    const place = indexOf.get(entry[0]);
    return place === undefined ? [] : [entry.with(0, place) as unknown as Entry];
  };
  const next: FactBlock = {
    ...block,
    columns: [...key, ...block.columns],
    rows: kept.map(({ local, index }) => [...keyValues(table, local), ...(block.rows[index] ?? [])]),
    lives: block.lives.flatMap(shifted),
    clocks: block.clocks
      .flatMap(shifted)
      .map(([row, place, hlc, site]) => [row, place + key.length, hlc, site] as const),
  };
  return { group: { ...group, tables }, block: next, reference: { ...reference, columns, key } };
}

const keyValues = (table: TrackedTable, { values }: LocalRow): readonly SqlValue[] =>
  table.key.map((column) => values[table.columns.indexOf(column)] ?? null);
