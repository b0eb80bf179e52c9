import { isSameName } from '../sql/fold-identifier.ts';
import { recordAlteration } from './catalog-alteration.ts';
import type { AlteredTable } from './catalog-altered.ts';
import { orderRenames } from './catalog-order-renames.ts';
import type { FileCatalog } from './catalog-read.ts';
import type { ReplicaStore } from './replica-store.ts';
import { renameTrackedTable } from './track-table.ts';

/**
 * Takes up the new names of tables, each as a rename of its own, in an order that finds each name free. Another spelling
 * of the same name is none.
 */
export function takeUpTableNames(
  store: ReplicaStore,
  altered: readonly AlteredTable[],
  catalog: FileCatalog,
): void {
  const renamed = altered.filter(({ table, name }) => table.name !== name);
  if (renamed.length === 0) return;
  const steps = orderRenames(
    renamed
      .filter(({ table, name }) => !isSameName(table.name, name))
      .map((altered) => ({ subject: altered, from: altered.table.name, to: altered.name })),
    [...catalog.tables.keys(), ...catalog.indexes.keys(), ...catalog.views.keys()],
  );
  for (const { subject, from, to } of steps) {
    const { table, before } = subject;
    recordAlteration(store, {
      table: store.trackedTable(table.tbl),
      action: { kind: 'renameTable', newName: to },
      before: { ...before, name: from },
      after: { ...before, name: to },
    });
  }
  for (const { table, name } of renamed) renameTrackedTable(store.db, table.tbl, name);
  store.registry.invalidate();
}
