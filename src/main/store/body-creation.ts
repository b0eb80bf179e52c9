import type { Migration } from '#shared/model/change-group.ts';

import type { RecordedObject } from './recorded-objects.ts';
import type { ReplicaStore } from './replica-store.ts';

const creationsByStore = new WeakMap<ReplicaStore, Map<number, Migration>>();

/** What created a recorded view or trigger. Read once: it never changes. */
export function bodyCreation(store: ReplicaStore, { migration }: RecordedObject): Migration | null {
  const creations = creationsByStore.get(store) ?? new Map<number, Migration>();
  creationsByStore.set(store, creations);
  const known = creations.get(migration);
  if (known !== undefined) return known;
  const created = store.migrations.byNumber(migration)?.migration ?? null;
  if (created !== null) creations.set(migration, created);
  return created;
}

/** After a rollback: numbers of migrations are given anew. */
export function forgetBodyCreations(store: ReplicaStore): void {
  creationsByStore.delete(store);
}

/** Tells whether the names of all that a migration names are still those of another time. */
export function namesSignature(store: ReplicaStore, { mentions }: Migration): string {
  return JSON.stringify(
    mentions.map(({ table: id, columns }) => {
      const table = store.registry.byId(id);
      if (typeof table?.name !== 'string') return null;
      const nameByOrdinal = new Map(table.liveColumns.map(({ col, name }) => [col, name]));
      return [
        table.name,
        ...columns.map(
          (column) => nameByOrdinal.get(store.registry.ordinalOf(table, column.id) ?? -1) ?? null,
        ),
      ];
    }),
  );
}
