import type { Migration } from '#shared/model/change-group.ts';

import type { IndexDefinition } from '../sql/ast.ts';
import { renderStatement } from '../sql/render-statement.ts';
import { AdmissionRefused } from './admission-refused.ts';
import { findEqualRows, sentenceOf, type Breach } from './alter-breach.ts';
import { installCapture } from './capture-triggers.ts';
import { constraintOf } from './constraint-failure.ts';
import { currentDefinition } from './live-table.ts';
import { indexHere } from './names-here.ts';
import type { ReplicaStore } from './replica-store.ts';
import type { TrackedTable } from './table-registry.ts';
import { withRecordedDdl } from './with-recorded-ddl.ts';

/**
 * Makes the index of a create_index on its table, with this replica's names; returns how it stands in the file.
 *
 * Throws `AdmissionRefused` with cause `rowsBreakConstraint` where rows are equal in what a unique one is on.
 */
export function makeIndex(
  store: ReplicaStore,
  migration: Migration,
  table: TrackedTable,
): { readonly name: string; readonly text: string } {
  const index = indexHere(store, migration);
  const text = renderStatement({ kind: 'createIndex', ifNotExists: false, index });
  try {
    withRecordedDdl(store, () => {
      store.db.exec(text);
      // A further unique key may want a watch for REPLACE.
      if (index.unique) installCapture(store.db, table);
      return { value: null, touched: [] };
    });
  } catch (cause) {
    const breach = constraintOf(cause) === 'unique' ? equalRows(store, index) : null;
    if (breach === null) throw cause;
    throw new AdmissionRefused({
      cause: 'rowsBreakConstraint',
      object: migration.object,
      kind: 'index',
      message: sentenceOf(index.table, breach),
    });
  }
  return { name: index.name, text };
}

function equalRows(store: ReplicaStore, index: IndexDefinition): Breach | null {
  const table = currentDefinition(store, index.table);
  return table === null ? null : findEqualRows(store.db, table, index);
}
