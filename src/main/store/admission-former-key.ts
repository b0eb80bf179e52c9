import type { SqlValue } from '#shared/model/sql-value.ts';

import { quoteIdentifier } from '../sql/quote-identifier.ts';
import type { Admission } from './admission-context.ts';
import type { TableFactsInGroup } from './admission-earlier-key.ts';
import type { PlannedBlock } from './admission-plan.ts';
import { deleteQuietly, isLater, selectRows } from './admission-row-read.ts';
import { appendFormerDelete, findFormerDeletion, formerKeyName, readFormerKeys } from './former-keys.ts';
import { keyValueOf } from './key-expression.ts';
import { currentDefinition } from './live-table.ts';
import { keyAffinities, storedKeyPart } from './stored-key.ts';
import type { TrackedColumn, TrackedTable } from './table-registry.ts';

/** Whether deletions go by a key that the table does not have now: they carry the columns of their key and no others. */
export const isUnderFormerKey = ({ block, plan }: PlannedBlock): boolean =>
  plan.keyPlaces === null || (block.kind === 'deletes' && block.columns.length !== plan.table.key.length);

/**
 * Takes in deletions that go by a key which the table had before. The rows that have that identity and were inserted
 * earlier are deleted, and the deletion is kept by the key that it came with, for rows that come late, and for peers.
 *
 * What names a column that is gone can no longer be told, and is passed over.
 */
export function admitFormerDeletes(
  admission: Admission,
  table: TrackedTable,
  facts: TableFactsInGroup,
): void {
  const columns = formerColumns(admission, table, facts);
  if (columns === null) {
    admission.report.superseded += facts.block.rows.length;
    return;
  }
  const lives = new Map(facts.block.lives);
  facts.block.rows.forEach((row, index) => {
    const values = storedValues(admission, table, { columns, row });
    admitFormerDelete(admission, { table, facts, columns, values, life: lives.get(index) ?? 2 });
  });
}

/** Blocks begin with their key. */
function storedValues(
  { store }: Admission,
  table: TrackedTable,
  { columns, row }: { readonly columns: readonly TrackedColumn[]; readonly row: readonly SqlValue[] },
): readonly SqlValue[] {
  const affinities = keyAffinities(currentDefinition(store, table.name ?? ''), columns);
  return columns.map((_column, place) =>
    storedKeyPart(store.db, row[place] ?? null, affinities[place] ?? 'blob'),
  );
}

/**
 * Which rows of a block that goes by an earlier key belong to a life that was ended under that key: nothing waits for
 * them.
 */
export function formerlyEnded(
  admission: Admission,
  table: TrackedTable,
  facts: TableFactsInGroup,
): ReadonlySet<number> {
  const columns = formerColumns(admission, table, facts);
  if (columns === null) return new Set();
  const cols = formerKeyName(columns);
  const lives = new Map(facts.block.lives);
  const ended = facts.block.rows.flatMap((row, index) => {
    const key = keyValueOf({ key: columns }, storedValues(admission, table, { columns, row }));
    const deletion = key === null ? null : findFormerDeletion(admission.store, { tbl: table.tbl, cols, key });
    return deletion !== null && deletion.life > (lives.get(index) ?? 1) ? [index] : [];
  });
  return new Set(ended);
}

interface FormerDelete {
  readonly table: TrackedTable;
  readonly facts: TableFactsInGroup;
  readonly columns: readonly TrackedColumn[];
  readonly values: readonly SqlValue[];
  readonly life: number;
}

function admitFormerDelete(admission: Admission, deletion: FormerDelete): void {
  const { store, report } = admission;
  const { table, facts, columns, values, life } = deletion;
  const { group, block } = facts;
  const site = group.sites[block.site];
  const key = keyValueOf({ key: columns }, values);
  if (key === null || site === undefined) return;
  const cols = formerKeyName(columns);
  const known = findFormerDeletion(store, { tbl: table.tbl, cols, key });
  if (known !== null && known.life >= life) {
    report[known.life === life ? 'duplicates' : 'superseded'] += 1;
    return;
  }
  for (const local of rowsOf(admission, deletion)) {
    const { row } = store.clocks.row(table.tbl, local.rid);
    if (isLater({ hlc: block.hlc, site }, row())) deleteQuietly(admission, table, local);
  }
  const origin = admission.originOf(group, block.hlc, block.site);
  appendFormerDelete(store.db, { tbl: table.tbl, cols, key, life }, origin);
  admission.touchedKeys.add(table.tbl);
  report.applied += 1;
}

const rowsOf = (admission: Admission, { table, columns, values }: FormerDelete) =>
  selectRows(admission, table, {
    where: columns
      .map(({ name }, place) => `${quoteIdentifier(name)} = ${admission.placeholder(values[place] ?? null)}`)
      .join(' and '),
    values,
  });

/** The columns here by which the facts go, with the collations that they have now; null where one is gone. */
function formerColumns(
  { store }: Admission,
  table: TrackedTable,
  { reference }: TableFactsInGroup,
): readonly TrackedColumn[] | null {
  const definition = currentDefinition(store, table.name ?? '');
  const columns = reference.key.map((index) => {
    const column = reference.columns[index];
    const place = column === undefined ? null : store.registry.resolveColumn(table, column.id);
    if (place?.kind !== 'column') return null;
    const declared = definition?.columns.find(({ name }) => name === place.column.name);
    return { ...place.column, collation: declared?.collation ?? 'BINARY' };
  });
  return columns.every((column) => column !== null) ? columns : null;
}

/** Whether a row was deleted under a key that the table had before, later than it was inserted. */
export function isFormerlyDeleted(admission: Admission, planned: PlannedBlock, index: number): boolean {
  const { store } = admission;
  const { block, group, plan } = planned;
  if (block.kind !== 'rows') return false;
  const site = group.sites[block.site];
  const row = block.rows[index] ?? [];
  return readFormerKeys(store.db, plan.table).some(({ cols, columns }) => {
    const affinities = keyAffinities(currentDefinition(store, plan.table.name ?? ''), columns);
    const values = columns.map(({ col }, place) => {
      const known = plan.known.find(({ column }) => column.col === col);
      const value = known === undefined ? null : (row[known.place] ?? null);
      return storedKeyPart(store.db, value, affinities[place] ?? 'blob');
    });
    const key = keyValueOf({ key: columns }, values);
    if (key === null || site === undefined) return false;
    const deletion = findFormerDeletion(store, { tbl: plan.table.tbl, cols, key });
    return deletion !== null && isLater(deletion.stamp, { hlc: block.hlc, site });
  });
}
