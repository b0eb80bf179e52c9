import type { Migration } from '#shared/model/change-group.ts';
import { compareStamps } from '#shared/model/hlc.ts';
import type { ColumnId, MigrationId, TableId } from '#shared/model/ids.ts';

import { areConcurrent, knewOf } from './knew-of.ts';
import { isCreation, isDrop } from './precedence.ts';
import type { Register } from './register.ts';

// The lives of a name are a function of the set of migrations that are recorded for it, not of the order in which they
// came. So replicas that have the same migrations have the same lives, whatever way each of them got there.

/** A migration as far as the record looks at it. */
export type KnownMigration = Pick<Migration, 'id' | 'type' | 'stamp' | 'knew'> & {
  readonly register: Register;
  /** ID of the table or column that it is about; null of elements that have a name alone. */
  readonly subject: TableId | ColumnId | null;
  /** Of a redefine_table: the creations that it makes one, of tables or of columns. Else empty. */
  readonly unifies: readonly MigrationId[];
};

/** Whether two creations of the same name have equal definitions. */
export type IsEqualDefinition = (left: MigrationId, right: MigrationId) => boolean;

export interface Life {
  /** Twins, the lowest stamp first: its IDs are the ones that are kept. */
  readonly creations: readonly [KnownMigration, ...KnownMigration[]];
  /** Drops that are about one of the creations: any of them ends the life. */
  readonly drops: readonly KnownMigration[];
}

/**
 * Sorts what is recorded under one name into lives, the oldest first.
 *
 * Creations that are equal and did not know of each other are twins: one life. So are creations that a redefine_table
 * made one. Every other creation begins a life of its own, also one that knew of the drop of another: who hears of a drop alone
 * knows what went. A twin of several lives belongs to the oldest.
 */
export function groupLives(
  migrations: readonly KnownMigration[],
  isEqual: IsEqualDefinition,
): readonly Life[] {
  const groups: KnownMigration[][] = [];
  const drops = migrations.filter(({ type }) => isDrop(type));
  const isTwin = (left: KnownMigration, right: KnownMigration): boolean =>
    areConcurrent(left, right) &&
    isEqual(left.id, right.id) &&
    !knewOfEnd(left, right, drops) &&
    !knewOfEnd(right, left, drops);
  for (const creation of creationsOf(migrations)) {
    const home = groups.find((group) => group.every((member) => isTwin(creation, member)));
    if (home === undefined) groups.push([creation]);
    else home.push(creation);
  }
  return uniteRedefined(groups, migrations).map((creations) => lifeOf(creations, drops));
}

const creationsOf = (migrations: readonly KnownMigration[]): readonly KnownMigration[] =>
  migrations
    .filter(({ type }) => isCreation(type))
    .sort((left, right) => compareStamps(left.stamp, right.stamp));

/** Whether the author of a creation knew of a drop of another one, though not of that one itself. */
const knewOfEnd = (
  creation: KnownMigration,
  other: KnownMigration,
  drops: readonly KnownMigration[],
): boolean => drops.some((drop) => knewOf(creation, drop.stamp) && isAbout(drop, [other]));

function uniteRedefined(
  groups: readonly (readonly KnownMigration[])[],
  migrations: readonly KnownMigration[],
): readonly (readonly KnownMigration[])[] {
  return migrations.reduce<readonly (readonly KnownMigration[])[]>((lives, { unifies }) => {
    const isAnswered = (life: readonly KnownMigration[]): boolean =>
      life.some(({ id }) => unifies.includes(id));
    const united = lives.filter(isAnswered).flat();
    if (united.length === 0) return lives;
    const [first] = lives.filter(isAnswered);
    return lives.flatMap((life) => (life === first ? [creationsOf(united)] : isAnswered(life) ? [] : [life]));
  }, groups);
}

function lifeOf(creations: readonly KnownMigration[], drops: readonly KnownMigration[]): Life {
  return {
    // A group is begun by a creation, so it has a first one.
    creations: creations as Life['creations'],
    drops: drops.filter((drop) => isAbout(drop, creations)),
  };
}

/**
 * Whether a drop or an alteration is about what one of the creations made: by its ID, and of elements without one
 * by what its author knew. Knowing alone says too little where there are IDs: the author may have known a table of
 * this name that it had set aside.
 */
export const isAbout = (migration: KnownMigration, creations: readonly KnownMigration[]): boolean =>
  creations.some(({ subject, stamp }) =>
    subject === null || migration.subject === null ? knewOf(migration, stamp) : subject === migration.subject,
  );

/** The creation that shows of those lives that were not dropped: the latest. Undefined when there is none. */
export function showingCreation(lives: readonly Life[]): KnownMigration | undefined {
  const alive = lives.filter(({ drops }) => drops.length === 0).map(({ creations }) => creations);
  return alive
    .flat()
    .reduce<KnownMigration | undefined>(
      (latest, creation) =>
        latest === undefined || compareStamps(creation.stamp, latest.stamp) > 0 ? creation : latest,
      undefined,
    );
}
