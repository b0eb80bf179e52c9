import type { Migration } from '#shared/model/change-group.ts';

import { foldIdentifier } from '../sql/fold-identifier.ts';
import { canonicalTable } from '../sql/canonical-table.ts';
import { quoteIdentifier } from '../sql/quote-identifier.ts';
import { renderCreateTable } from '../sql/render-create-table.ts';
import type { Admission } from './admission-context.ts';
import { applyRedefine, createRedefined, unifyGoneColumns } from './admission-redefine.ts';
import { installCapture } from './capture-triggers.ts';
import { withRecordedDdl } from './with-recorded-ddl.ts';
import { elementOf } from './element-clocks.ts';
import { findKeyGaps } from './key-gaps.ts';
import { adoptWaiting } from './adopt-waiting.ts';
import { liveTable, tablesOfCreations } from './live-table.ts';
import { makeIndex } from './make-index.ts';
import { tableDefinitionHere } from './names-here.ts';
import { settleTable, type SettlingPlan } from './settle-table.ts';
import { executeBody } from './view-execute.ts';
import { meetAddedColumns } from './meet-added-columns.ts';
import { endTable, keepDropInMind } from './migration-drop.ts';
import { unifyLife } from './migration-twins.ts';
import type { RecordedMigration } from './migration-records.ts';
import { overwrittenBy } from './recorded-facts.ts';
import { isCoveredBy, readLineage } from './redefinition-lineage.ts';
import { targetOf } from './redefinition-target.ts';
import type { ReplicaStore } from './replica-store.ts';
import type { TrackedTable } from './table-registry.ts';
import { trackTable } from './track-table.ts';
import { uniteTables } from './unite-tables.ts';
import { nameInUnit, renamesInUnit } from './unit-names.ts';

/**
 * Runs an admitted migration and records it as executed.
 *
 * The statement is rendered from the structure with this replica's names.
 */
export function executeMigration(
  admission: Admission,
  migration: Migration,
  unit: readonly Migration[] = [],
): void {
  if (migration.kind === 'view' || migration.kind === 'trigger') {
    executeBody(admission, migration);
    return;
  }
  switch (migration.type) {
    case 'create_table':
      createTable(admission, migration, unit);
      return;
    case 'drop_table':
      dropTable(admission, migration);
      return;
    case 'create_index':
      createIndex(admission, migration);
      return;
    case 'drop_index':
      dropIndex(admission, migration);
      return;
    case 'redefine_table':
      redefine(admission, migration);
      return;
    default:
      alterByRecord(admission, migration, { unit });
  }
}

/** Records an alteration, and brings the table up to its record. `plan`: what it was found to do before it was recorded. */
export function alterByRecord(
  admission: Admission,
  migration: Migration,
  { unit, plan }: { readonly unit: readonly Migration[]; readonly plan?: SettlingPlan },
): void {
  const table = liveTable(admission.store, migration);
  if (table === null) throw new Error(`${migration.type} was to be executed on a table that is not here.`);
  for (const { n } of overwrittenBy(admission.store, migration)) admission.store.migrations.retireOne(n);
  const { seq } = recordExecuted(admission, migration, table.tbl);
  const renamed = recordRenames(admission, { creation: migration, unit, tbl: table.tbl });
  // Renames are read by what names the table or column too, this very table's foreign keys among it.
  const isPlanOfNow = renamed === 0 && !migration.type.startsWith('rename');
  settleTable(admission, table.tbl, { addedSeq: seq, plan: isPlanOfNow ? plan : undefined });
}

/** What is renamed in its own unit never has the name that it was made under here. Gives how many renames that were. */
function recordRenames(
  admission: Admission,
  made: { readonly creation: Migration; readonly unit: readonly Migration[]; readonly tbl: number },
): number {
  const renames = renamesInUnit(admission.store, made.creation, made.unit);
  for (const rename of renames) recordExecuted(admission, rename, made.tbl);
  return renames.length;
}

/** Writes an executed migration into history and log, and raises its element's clock. */
function recordExecuted(
  admission: Admission,
  migration: Migration,
  tbl: number | null,
): { readonly n: number; readonly seq: number } {
  const { store } = admission;
  const entry = store.migrations.record({
    migration,
    verdict: 'executed',
    reason: admission.afterRows ? 'afterRows' : '',
    tbl,
    via: admission.via,
    nowMs: store.ports.clock.nowMs(),
  });
  store.elements.raise(elementOf(migration), {
    hlc: migration.stamp.hlc,
    site: store.sites.ordinalOf(migration.stamp.site),
    version: migration.version,
    life: 1,
    migration: entry.n,
  });
  if (tbl !== null) admission.changedTables.add(tbl);
  admission.report.migrations += 1;
  return entry;
}

function createTable(admission: Admission, migration: Migration, unit: readonly Migration[]): void {
  const { store } = admission;
  const name = nameInUnit(store, migration, unit);
  const tbl = withRecordedDdl(store, () => ({ value: makeTable(store, migration, name), touched: [] }));
  const { seq } = recordExecuted(admission, migration, tbl);
  recordRenames(admission, { creation: migration, unit, tbl });
  adoptWaiting(admission, tbl, seq);
}

/** Makes the table of a creation under a name, keeps track of it and captures it; hands back its ordinal. */
function makeTable(store: ReplicaStore, migration: Migration, name: string): number {
  const table = { ...tableDefinitionHere(store, migration), name };
  store.db.exec(renderCreateTable(table, { name }));
  const idByName = new Map(migration.columns.map((column) => [foldIdentifier(column.name), column.id]));
  const tbl = trackTable(store.db, {
    name,
    id: migration.tableId ?? store.newTableId(),
    columnId: (column) => idByName.get(foldIdentifier(column)) ?? store.newColumnId(),
    definition: canonicalTable(table),
    created: null,
    addedSeq: 0,
  });
  store.registry.invalidate(tbl);
  installCapture(store.db, store.trackedTable(tbl));
  findKeyGaps(store.db, store.trackedTable(tbl), store.ports.clock.nowMs());
  return tbl;
}

function dropTable(admission: Admission, migration: Migration): void {
  const { store } = admission;
  const table = liveTable(store, migration);
  if (table === null) {
    keepDropInMind(admission, migration, recordExecuted(admission, migration, null).n);
    return;
  }
  const { n } = recordExecuted(admission, migration, table.tbl);
  endTable(admission, table, { n, migration });
}

function createIndex(admission: Admission, migration: Migration): void {
  const { store } = admission;
  const table = liveTable(store, migration);
  if (table === null) throw new Error('create_index was to be executed on a table that is not here.');
  const { name, text } = makeIndex(store, migration, table);
  const { n } = recordExecuted(admission, migration, table.tbl);
  store.objects.put({ kind: 'index', name, migration: n, tbl: table.tbl, text });
}

function dropIndex(admission: Admission, migration: Migration): void {
  const { store } = admission;
  const table = liveTable(store, migration);
  withRecordedDdl(store, () => {
    store.db.exec(`drop index ${quoteIdentifier(migration.object)}`);
    if (table !== null) installCapture(store.db, table);
    return { value: null, touched: [migration.object] };
  });
  store.migrations.retire({ types: ['create_index'], object: migration.object });
  store.objects.remove('index', migration.object);
  recordExecuted(admission, migration, table?.tbl ?? null);
}

function redefine(admission: Admission, migration: Migration): void {
  const { store } = admission;
  const [table, ...others] = tablesOfCreations(store, migration);
  if (table === undefined) {
    const made = createRedefined(admission, migration, tableDefinitionHere(store, migration));
    const { seq } = recordExecuted(admission, migration, made.tbl);
    unifyLife(store, migration, made);
    adoptWaiting(admission, made.tbl, seq);
    return;
  }
  if (others.length === 0) reshape(admission, migration, table);
  else
    uniteTables(admission, { decision: migration, table, others }, () => {
      reshape(admission, migration, store.trackedTable(table.tbl));
    });
}

function reshape(admission: Admission, migration: Migration, table: TrackedTable): void {
  const { store } = admission;
  meetAddedColumns(store, migration, table);
  const { target, redefinition, kept } = targetOf(store, { migration, table });
  retireOvertaken(store, { by: migration, tbl: table.tbl, kept });
  const { seq } = recordExecuted(admission, migration, table.tbl);
  applyRedefine(admission, { migration: { ...migration, redefine: redefinition }, table, target });
  unifyGoneColumns(admission, migration, store.trackedTable(table.tbl));
  unifyLife(store, migration, store.trackedTable(table.tbl));
  settleTable(admission, table.tbl, { addedSeq: seq });
}

/**
 * What a decision has overtaken is no longer sent: creations, and decisions that it covers. Alterations that it has answered
 * are: a later decision, which holds then, may not have known of them.
 */
export function retireOvertaken(
  store: ReplicaStore,
  overtaken: {
    readonly by: Migration;
    readonly tbl: number;
    readonly kept: readonly RecordedMigration[];
  },
): void {
  const { by, tbl, kept } = overtaken;
  store.migrations.retire({ types: ['create_table'], tbl });
  // Columns that it did not know of go on, also those that an older decision had taken away.
  for (const { n } of kept) store.migrations.restoreOne(n);
  for (const { n, migration } of readLineage(store, tbl).redefinitions) {
    if (migration.id !== by.id && isCoveredBy(migration, by)) store.migrations.retireOne(n);
  }
}
