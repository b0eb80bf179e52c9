import type { SqlValue } from '#shared/model/sql-value.ts';

import { quoteIdentifier } from '../sql/quote-identifier.ts';
import type { Admission } from './admission-context.ts';
import type { TableFactsInGroup } from './admission-earlier-key.ts';
import { writesKey, type PlannedBlock } from './admission-plan.ts';
import { deleteQuietly, isLater, selectRows } from './admission-row-read.ts';
import { readJoinedKeys } from './earlier-keys.ts';
import { appendFormerDelete, findFormerDeletion, formerKeyName, readFormerKeys } from './former-keys.ts';
import { keyValueOf } from './key-expression.ts';
import { currentDefinition } from './live-table.ts';
import { keyAffinities, storedKeyPart } from './stored-key.ts';
import type { TrackedColumn, TrackedTable } from './table-registry.ts';

/**
 * Whether facts go by a key that the table does not have now. Deletions carry the columns of their key and no others; of changed
 * cells one may have joined the key since, which then says what the row is to be and not which one it is.
 */
export function isUnderFormerKey({ group, block, plan }: PlannedBlock): boolean {
  if (plan.keyPlaces === null) return true;
  if (block.kind === 'deletes') return block.columns.length !== plan.table.key.length;
  const named = group.tables[block.table]?.key.length ?? 0;
  return block.kind === 'cells' && plan.keyPlaces.some((place) => place >= named);
}

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

/** Rows of a block that may mean a row which has another key here, and the facts by the key under which it is looked for. */
interface RowsByFormerKey {
  readonly rows: ReadonlySet<number>;
  readonly facts: TableFactsInGroup;
}

/**
 * Whole rows that may mean a row which has another key here: a cell of theirs, or of the row that is here, was written apart before
 * its column joined the key. All others stand or fall by the key of now.
 */
export function rowsOfFormerKey(
  { store }: Admission,
  facts: TableFactsInGroup,
  plan: PlannedBlock['plan'],
): readonly RowsByFormerKey[] {
  const { block, reference } = facts;
  const { keyPlaces, table } = plan;
  // What names a key column twice is looked for already.
  if (block.kind !== 'rows' || keyPlaces === null || writesKey(plan)) return [];
  const joined = new Set(keyPlaces.filter((place) => place >= reference.key.length));
  if (joined.size > 0) {
    const apart = block.clocks.flatMap(([row, place]) => (joined.has(place) ? [row] : []));
    return apart.length === 0 ? [] : [{ rows: new Set(apart), facts }];
  }
  return readJoinedKeys(store.db, table).flatMap(({ columns, has }) => {
    const places = columns.map(({ col }) => plan.known.find(({ column }) => column.col === col)?.place ?? -1);
    if (places.includes(-1)) return [];
    const rows = block.rows.flatMap((row, index) => {
      const key = keyValueOf(
        { key: columns },
        places.map((place) => row[place] ?? null),
      );
      return key !== null && has(key) ? [index] : [];
    });
    return rows.length === 0 ? [] : [{ rows: new Set(rows), facts: keyedBy(facts, places) }];
  });
}

/** The same facts by another key: these places of the block come first. */
function keyedBy(
  { group, block, reference }: TableFactsInGroup,
  places: readonly number[],
): TableFactsInGroup {
  const order = [
    ...places,
    ...block.columns.map((_column, place) => place).filter((at) => !places.includes(at)),
  ];
  const key = places.map((place) => block.columns[place] ?? -1);
  const keyed = { ...reference, key };
  return {
    group: { ...group, tables: group.tables.map((known, at) => (at === block.table ? keyed : known)) },
    block: {
      ...block,
      columns: order.map((place) => block.columns[place] ?? -1),
      rows: block.rows.map((row) => order.map((place) => row[place] ?? null)),
      clocks: block.clocks.map(([row, place, hlc, site]) => [row, order.indexOf(place), hlc, site] as const),
    },
    reference: keyed,
  };
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
