import type { Migration } from '#shared/model/change-group.ts';
import { compareStamps } from '#shared/model/hlc.ts';

import { findOvertaking } from './find-overtaking.ts';

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
 * nothing overtakes what it was written after. What checks rows and is taken back in the same unit checks nothing: it comes
 * behind what takes it back, and finds itself overtaken.
 */
export function orderMigrations(migrations: readonly Migration[], facts: OrderingFacts): OrderedMigrations {
  const { lasting, followers } = setOvertakenBehind(migrations, facts);
  const waiting = new Set<Migration>();
  const busyObjects = new Set<string>();
  for (const migration of lasting.toReversed()) {
    const object = facts.objectOf(migration);
    if (facts.validatesRows(migration) && !busyObjects.has(object)) waiting.add(migration);
    else busyObjects.add(object);
  }
  const withFollowers = (migration: Migration): readonly Migration[] => [
    migration,
    ...(followers.get(migration) ?? []).flatMap(withFollowers),
  ];
  return {
    beforeRows: lasting.filter((migration) => !waiting.has(migration)).flatMap(withFollowers),
    afterRows: lasting.filter((migration) => waiting.has(migration)).flatMap(withFollowers),
  };
}

interface OvertakenApart {
  /** Those that have an effect once the unit is in, and all that check no rows. */
  readonly lasting: readonly Migration[];
  /** Those that are taken back, by what does so. */
  readonly followers: ReadonlyMap<Migration, readonly Migration[]>;
}

function setOvertakenBehind(migrations: readonly Migration[], facts: OrderingFacts): OvertakenApart {
  const inOrder = migrations.toSorted((left, right) => compareStamps(left.stamp, right.stamp));
  const followers = new Map<Migration, readonly Migration[]>();
  const lasting = inOrder.filter((migration, at) => {
    const by = facts.validatesRows(migration) ? findOvertaking(migration, inOrder.slice(at + 1)) : null;
    if (by !== null) followers.set(by, [...(followers.get(by) ?? []), migration]);
    return by === null;
  });
  return { lasting, followers };
}
