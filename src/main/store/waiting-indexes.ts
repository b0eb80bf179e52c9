import type { Migration } from '#shared/model/change-group.ts';

import type { Admission } from './admission-context.ts';
import { creationToShow } from './creation-to-show.ts';
import { elementOf } from './element-clocks.ts';
import { makeIndex } from './make-index.ts';
import type { RecordedMigration } from './migration-records.ts';
import { indexFacts } from './object-facts.ts';
import type { ReplicaStore } from './replica-store.ts';
import type { TrackedTable } from './table-registry.ts';

/**
 * Makes the indexes that came before their table, or before a column that they are on, once a migration has brought it.
 *
 * Authors know what they index, so this happens where a file lost by a restore what others built upon: what it lost
 * comes back later than what they made of it.
 *
 * Throws `AdmissionRefused` with cause `rowsBreakConstraint` where rows are equal in what a unique one is on.
 */
export function makeWaitingIndexes(admission: Admission, { type, tableId }: Migration): void {
  if (tableId === null || !BRINGS.has(type)) return;
  const { store } = admission;
  const table = store.registry.byId(tableId);
  if (typeof table?.name !== 'string') return;
  for (const creation of store.migrations.indexesWaiting(table.tbl))
    if (canStand(store, creation, table)) makeNow(admission, creation, table);
}

const BRINGS: ReadonlySet<Migration['type']> = new Set(['create_table', 'redefine_table', 'add_column']);

function canStand(store: ReplicaStore, { n, migration }: RecordedMigration, table: TrackedTable): boolean {
  const facts = indexFacts(store, migration);
  return (
    facts.type === 'create_index' &&
    facts.missing === null &&
    facts.standing.kind === 'absent' &&
    hasItsColumns(store, migration, table) &&
    creationToShow(store, migration)?.n === n
  );
}

/** Another column may have the name by now. */
function hasItsColumns(store: ReplicaStore, { mentions, tableId }: Migration, table: TrackedTable): boolean {
  const live = new Set(table.liveColumns.map(({ col }) => col));
  return mentions
    .filter((mention) => mention.table === tableId)
    .every(({ columns }) => columns.every(({ id }) => live.has(store.registry.ordinalOf(table, id) ?? -1)));
}

function makeNow(admission: Admission, { n, migration }: RecordedMigration, table: TrackedTable): void {
  const { store } = admission;
  const { name, text } = makeIndex(store, migration, table);
  store.migrations.execute(n, 'afterTable');
  store.elements.raise(elementOf(migration), {
    hlc: migration.stamp.hlc,
    site: store.sites.ordinalOf(migration.stamp.site),
    version: migration.version,
    life: 1,
    migration: n,
  });
  store.objects.put({ kind: 'index', name, migration: n, tbl: table.tbl, text });
  admission.changedTables.add(table.tbl);
}
