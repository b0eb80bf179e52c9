import type { Migration } from '#shared/model/change-group.ts';
import { compareStamps } from '#shared/model/hlc.ts';
import type { ConflictId, MigrationId } from '#shared/model/ids.ts';
import type { BlockCause } from '#shared/model/vocabulary.ts';

import { conflictIdOf } from '../engine/migration/conflict-id.ts';
import type { RecordedMigration } from './migration-records.ts';
import type { ReplicaStore } from './replica-store.ts';

/** What is recorded of a table's making: its creations and those of its twins, and the decisions about its shape. */
export interface TableLineage {
  /** The lowest stamp first: the one whose IDs twins keep. */
  readonly creations: readonly RecordedMigration[];
  /** The latest last: it holds. */
  readonly redefinitions: readonly RecordedMigration[];
}

/**
 * What a drop overtakes: it is sent no more. Decisions about the shape go on: whoever has one of the creations that
 * they unified learns by them that the drop is meant for it too.
 */
export const OVERTAKEN_BY_DROP: readonly Migration['type'][] = ['create_table', 'add_column', 'create_index'];

/** Reads a table's lineage; empty of a table that was never recorded. */
export function readLineage(store: ReplicaStore, tbl: number): TableLineage {
  const recorded = store.migrations
    .ofTable(tbl)
    .toSorted((left, right) => compareStamps(left.migration.stamp, right.migration.stamp));
  const ofType = (type: Migration['type']): readonly RecordedMigration[] =>
    recorded.filter(({ migration }) => migration.type === type);
  return { creations: ofType('create_table'), redefinitions: ofType('redefine_table') };
}

/**
 * The migration that says what a table is: the latest decision about its shape, else its creation. The same on every
 * replica that has the same record, so that a conflict with it has one name.
 */
export function definingMigration(store: ReplicaStore, tbl: number): Migration | null {
  const { creations, redefinitions } = readLineage(store, tbl);
  return (redefinitions.at(-1) ?? creations[0])?.migration ?? null;
}

/**
 * The decisions in force that answer one of these conflicts.
 *
 * A decision answers what it says it does, and every contradiction between two of the migrations that it made one:
 * others may have met in another pair of twins than the person who decided.
 */
export function redefinitionsAnswering(
  store: ReplicaStore,
  conflicts: readonly ConflictId[],
): readonly RecordedMigration[] {
  const wanted = new Set<string>(conflicts);
  if (wanted.size === 0) return [];
  return store.migrations.redefinitions().filter((recorded) => {
    const declared = recorded.migration.redefine?.conflictIds ?? [];
    if (declared.some((conflict) => wanted.has(conflict))) return true;
    return contradictionsWithin(store, recorded).some((conflict) => wanted.has(conflict));
  });
}

const CAUSES: readonly BlockCause[] = ['divergentDefinition', 'columnType'];

function contradictionsWithin(store: ReplicaStore, recorded: RecordedMigration): readonly ConflictId[] {
  const made = recorded.tbl === null ? [] : store.migrations.ofTable(recorded.tbl);
  const ids = new Set<MigrationId>([
    ...(recorded.migration.redefine?.creations ?? []).map(({ migration }) => migration),
    ...made.filter(({ migration }) => MAKES.has(migration.type)).map(({ migration }) => migration.id),
  ]);
  const all = [...ids];
  return all.flatMap((left, place) =>
    all
      .slice(place + 1)
      .flatMap((right) =>
        CAUSES.map((cause) => conflictIdOf({ cause, migrations: [left, right] }, store.ports.hash)),
      ),
  );
}

const MAKES: ReadonlySet<Migration['type']> = new Set(['create_table', 'add_column', 'redefine_table']);

/** Whether a decision unifies and answers nothing that another one does not. */
export function isCoveredBy(covered: Migration, by: Migration): boolean {
  const said = new Set(sayingsOf(by));
  return sayingsOf(covered).every((saying) => said.has(saying));
}

/** All IDs that a decision unifies and answers. */
const sayingsOf = ({ redefine }: Migration): readonly string[] =>
  redefine === null
    ? []
    : [...redefine.creations.flatMap(({ table, migration }) => [table, migration]), ...redefine.conflictIds];
