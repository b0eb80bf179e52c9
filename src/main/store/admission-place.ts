import type { Stamp, TableReference } from '#shared/model/change-group.ts';
import type { HeldReason } from '#shared/model/vocabulary.ts';

import type { Admission } from './admission-context.ts';
import { TABLE_KIND, type TrackedTable } from './table-registry.ts';

export type TablePlace =
  | { readonly kind: 'table'; readonly table: TrackedTable }
  | { readonly kind: 'hold'; readonly reason: HeldReason }
  /** The drop knew of the fact, or the rows of the table are local by nature. */
  | { readonly kind: 'nowhere' };

/** Where the facts of a table go on this replica: by ID, through twins; names decide nothing. */
export function placeOfTable(admission: Admission, reference: TableReference, stamp: Stamp): TablePlace {
  const { store } = admission;
  if (store.setAside().has(reference.id)) return { kind: 'hold', reason: 'setAside' };
  const table = store.registry.byId(reference.id);
  if (table === null) return { kind: 'hold', reason: 'unknownTable' };
  if (table.name === null) {
    return store.dropKnewOf(table, stamp) ? { kind: 'nowhere' } : { kind: 'hold', reason: 'droppedTable' };
  }
  return table.kind === TABLE_KIND.noKey ? { kind: 'nowhere' } : { kind: 'table', table };
}
