import type { AlterAction, ColumnDefinition, TableDefinition } from '../sql/ast.ts';
import { canonicalTable } from '../sql/canonical-table.ts';
import { isSameName } from '../sql/fold-identifier.ts';
import type { AlterRun } from './alter-table.ts';
import { present } from '#shared/assert.ts';
import type { TableFacts } from './table-facts.ts';
import type { LiveColumn } from './table-registry.ts';
import {
  currentFacts,
  dropTrackedColumn,
  refreshTrackedTable,
  renameTrackedColumn,
  renameTrackedTable,
  trackColumn,
} from './track-table.ts';

/** Brings the record of a table up to actions that were done to it together. Drops come first, additions last. */
export function trackAlteration(
  run: AlterRun,
  actions: readonly AlterAction[],
  definition: TableDefinition,
): void {
  const { store } = run.admission;
  const { tbl } = run.table;
  for (const action of actions) {
    if (action.kind === 'dropColumn') dropTrackedColumn(store.db, tbl, columnOf(run, action.column).col);
    if (action.kind === 'renameTable') renameTrackedTable(store.db, tbl, action.newName);
    if (action.kind === 'renameColumn') {
      const { col } = columnOf(run, action.column);
      renameTrackedColumn(store.db, { tbl, col, name: action.newName });
    }
    store.registry.invalidate(tbl);
  }
  const facts = currentFacts(store.db, tbl);
  for (const action of actions) if (action.kind === 'addColumn') trackAdded(run, action.column, facts);
  refreshTrackedTable(store.db, tbl, {
    definition: canonicalTable({ ...definition, name: facts.name }),
    facts,
  });
  store.registry.invalidate(tbl);
}

/** What the default is by now is for later rows: those of peers that do not know the column get what it was added with. */
function trackAdded(
  { admission, table, columnId, addedSeq }: AlterRun,
  { name, defaultText }: ColumnDefinition,
  facts: TableFacts,
): void {
  const { store } = admission;
  trackColumn(
    store.db,
    {
      tbl: table.tbl,
      name,
      id: columnId(name) ?? store.newColumnId(),
      addedSeq,
      defaultText: defaultText ?? null,
    },
    facts,
  );
  store.registry.invalidate(table.tbl);
}

function columnOf({ admission, table }: AlterRun, name: string): LiveColumn {
  const { liveColumns } = admission.store.trackedTable(table.tbl);
  return present(
    liveColumns.find((column) => isSameName(column.name, name)),
    `the column ${name} of ${table.name ?? ''} is not kept track of`,
  );
}

/** An index that went with a column needs no drop of its own: it goes everywhere, by this very change. */
export function forgetIndex({ admission, table }: AlterRun, name: string): void {
  const { store } = admission;
  store.migrations.retire({ types: ['create_index'], object: name });
  store.objects.remove('index', name);
  store.ports.log.warn('alter.index-dropped', { table: table.name, index: name });
}
