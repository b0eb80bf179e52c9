import type { Migration } from '#shared/model/change-group.ts';
import { compareStamps } from '#shared/model/hlc.ts';

export interface OrderedMigrations {
  readonly beforeRows: readonly Migration[];
  /** Those that check rows. */
  readonly afterRows: readonly Migration[];
}

export interface OrderingFacts {
  /** Whether rows can break the migration. See `isRowValidating`. */
  readonly validatesRows: (migration: Migration) => boolean;
  /** What the migration's order is kept for: the table that it concerns, else the object itself. */
  readonly objectOf: (migration: Migration) => string;
}

/**
 * Orders the migrations of one admission unit: by stamp, and of equal stamps as they came, which is as they were written.
 *
 * What checks rows waits for the unit's rows, but only if every later migration of the same object waits too: so
 * nothing overtakes what it was written after.
 */
export function orderMigrations(migrations: readonly Migration[], facts: OrderingFacts): OrderedMigrations {
  const inOrder = migrations.toSorted((left, right) => compareStamps(left.stamp, right.stamp));
  const waiting = new Set<Migration>();
  const busyObjects = new Set<string>();
  for (const migration of inOrder.toReversed()) {
    const object = facts.objectOf(migration);
    if (facts.validatesRows(migration) && !busyObjects.has(object)) waiting.add(migration);
    else busyObjects.add(object);
  }
  return {
    beforeRows: inOrder.filter((migration) => !waiting.has(migration)),
    afterRows: inOrder.filter((migration) => waiting.has(migration)),
  };
}
