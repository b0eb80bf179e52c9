import type { ChangeGroup, FactBlock } from '#shared/model/change-group.ts';

import { planBlock } from './admission-plan.ts';
import { keyValueOf, type KeyValue } from './key-expression.ts';
import { currentDefinition } from './live-table.ts';
import type { ReplicaStore } from './replica-store.ts';
import { storedKeyPart } from './stored-key.ts';

/** The identity that a fact's row has here; null where its table is not here, or goes by another key. */
export function identityHere(
  store: ReplicaStore,
  fact: { readonly group: ChangeGroup; readonly block: FactBlock; readonly row: number },
): KeyValue | null {
  const { group, block, row } = fact;
  const reference = group.tables[block.table];
  const table = reference === undefined ? null : store.registry.byId(reference.id);
  if (reference === undefined || typeof table?.name !== 'string') return null;
  const plan = planBlock({
    table,
    block,
    reference,
    resolveColumn: store.registry.resolveColumn,
    definition: currentDefinition(store, table.name),
  });
  if (plan.keyPlaces === null) return null;
  const values = plan.keyPlaces.map((place, at) =>
    storedKeyPart(store.db, block.rows[row]?.[place] ?? null, plan.keyAffinities[at] ?? 'blob'),
  );
  return keyValueOf(table, values);
}
