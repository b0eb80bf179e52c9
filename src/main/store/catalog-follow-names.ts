import type { TableDefinition } from '../sql/ast.ts';
import { canonicalTable } from '../sql/canonical-table.ts';
import { foldIdentifier } from '../sql/fold-identifier.ts';
import { parseDdl } from '../sql/parse-ddl.ts';
import { renameInTable, type NameChanges } from '../sql/rename-in-definition.ts';
import { nameChanges } from './catalog-names.ts';
import type { ReplicaStore } from './replica-store.ts';
import type { TrackedTable } from './table-registry.ts';
import { redefineTrackedTable } from './track-table.ts';

/**
 * Puts the new names of a table and its columns into what is kept of the tables that refer to it, as SQLite has put them
 * into the file: a rename of a parent changes no child. `before`: the table as it was kept track of before.
 */
export function followNames(store: ReplicaStore, before: TrackedTable): void {
  const now = store.registry.byTbl(before.tbl);
  if (before.name === null || typeof now?.name !== 'string') return;
  const columns = new Map(now.liveColumns.map(({ col, name }) => [col, name]));
  const changes = nameChanges([{ table: { ...before, name: before.name }, name: now.name, columns }]);
  if (changes.tables.size + changes.columns.size === 0) return;
  // As it stands in a definition: a quote in a name is doubled.
  const name = foldIdentifier(before.name).replaceAll('"', '""');
  for (const child of store.registry.all()) {
    if (child.tbl === before.tbl || !foldIdentifier(child.definition).includes(name)) continue;
    followInTable(store, child, changes);
  }
}

function followInTable(store: ReplicaStore, child: TrackedTable, changes: NameChanges): void {
  const definition = definitionIn(child.definition);
  if (definition === null) return;
  const renamed = canonicalTable(renameInTable(definition, changes));
  if (renamed === child.definition) return;
  redefineTrackedTable(store.db, child.tbl, renamed);
  store.registry.invalidate(child.tbl);
}

function definitionIn(sql: string): TableDefinition | null {
  const parsed = parseDdl(sql);
  return parsed.ok && parsed.value.kind === 'createTable' ? parsed.value.table : null;
}
