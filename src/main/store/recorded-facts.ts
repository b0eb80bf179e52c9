import type { Migration } from '#shared/model/change-group.ts';
import { compareStamps } from '#shared/model/hlc.ts';
import type { ColumnId, MigrationId } from '#shared/model/ids.ts';
import type { MigrationType } from '#shared/model/vocabulary.ts';

import type { RecordedFacts } from '../engine/migration/gate-recorded.ts';
import { groupLives } from '../engine/migration/group-lives.ts';
import type { IsEqualDefinition, KnownMigration, Life } from '../engine/migration/group-lives.ts';
import { knewOf } from '../engine/migration/knew-of.ts';
import { isCreation } from '../engine/migration/precedence.ts';
import { registerOf, type Register } from '../engine/migration/register.ts';
import { isSameName } from '../sql/fold-identifier.ts';
import { alterationOf } from './migration-definition.ts';
import { isEqualCreation } from './equal-creations.ts';
import type { RecordedMigration } from './migration-records.ts';
import { readLineage } from './redefinition-lineage.ts';
import { isAnswered } from './is-answered.ts';
import type { ReplicaStore } from './replica-store.ts';
import type { TrackedTable } from './table-registry.ts';

/**
 * What is recorded for the element of an arriving migration, as gate 1 wants it. `unit`: the migrations that arrive
 * with it; a drop among them counts already, so that a creation that is dropped by now contradicts nobody.
 */
export function recordedFacts(
  store: ReplicaStore,
  arriving: Migration,
  unit: readonly Migration[] = [],
): RecordedFacts {
  const history = historyOf(store, arriving, unit);
  return {
    arriving: knownMigration(store, arriving),
    history: history.map((migration) => knownMigration(store, migration)),
    isEqual: createDefinitionComparison(store, [...history, arriving]),
  };
}

/**
 * As `recordedFacts`, for a decision about tables that never were here: what else has or had the name is not its
 * life, and only the catalog can say that it stands in the way.
 */
export function recordedFactsOfUnknown(
  store: ReplicaStore,
  arriving: Migration,
  unit: readonly Migration[],
): RecordedFacts {
  const facts = recordedFacts(store, arriving, unit);
  const own = groupLives([...facts.history, facts.arriving], facts.isEqual).find(({ creations }) =>
    creations.some(({ id }) => facts.arriving.unifies.includes(id)),
  );
  const isOwn = (known: KnownMigration): boolean =>
    !isCreation(known.type) || own?.creations.some(({ id }) => id === known.id) === true;
  return { ...facts, history: facts.history.filter(isOwn) };
}

/** What kind of element a migration is about: each has a history of its own. */
function historyOf(
  store: ReplicaStore,
  arriving: Migration,
  unit: readonly Migration[],
): readonly Migration[] {
  const { type } = arriving;
  if (EXISTENCE.has(type)) return [...existenceOf(store, arriving), ...coming(store, arriving, unit)];
  const made = migrationsOfTable(store, arriving);
  switch (type) {
    case 'add_column':
    case 'drop_column':
      return columnHistory(store, arriving, [...made, ...dropsComing(store, arriving, unit)]);
    case 'add_constraint':
    case 'drop_constraint':
      return made.filter((known) => isOfConstraint(known, arriving));
    case 'rename_constraint':
      // Which constraint it is about, only the whole record of the table says.
      return [];
    default:
      return made.filter((known) => isOfRegister(store, known, arriving));
  }
}

const EXISTENCE: ReadonlySet<MigrationType> = new Set([
  'create_table',
  'drop_table',
  'redefine_table',
  'create_index',
  'drop_index',
  'create_view',
  'drop_view',
  'create_trigger',
  'drop_trigger',
]);

/**
 * What makes, ends and redefines what was created under a name. A table may have been dropped under another name than
 * it was created under.
 */
function existenceOf(
  store: ReplicaStore,
  { kind, object, tableId }: Pick<Migration, 'kind' | 'object' | 'tableId'>,
): readonly Migration[] {
  const named = store.migrations.ofName(kind, object);
  const known = tableId === null ? null : store.registry.byId(tableId);
  if (kind === 'index')
    return named.map(({ migration }) => migration).filter((one) => !isOfDropped(store, known, one));
  if (kind !== 'table') return named.map(({ migration }) => migration);
  const tables = new Set([...named.flatMap(({ tbl }) => tbl ?? []), ...(known === null ? [] : [known.tbl])]);
  const related = [...tables].flatMap((tbl) => store.migrations.ofTable(tbl)).filter(isOfExistence);
  const all = new Map<MigrationId, Migration>();
  for (const { migration } of [...named, ...related]) all.set(migration.id, migration);
  return [...all.values()];
}

/** Whether an index is on another table than this one, which had the same name and is dropped: it went with it. */
function isOfDropped(store: ReplicaStore, table: TrackedTable | null, { tableId }: Migration): boolean {
  const other = tableId === null ? null : store.registry.byId(tableId);
  return table !== null && other?.name === null && other.tbl !== table.tbl;
}

const isOfExistence = ({ migration }: RecordedMigration): boolean =>
  migration.kind === 'table' && EXISTENCE.has(migration.type);

function migrationsOfTable(store: ReplicaStore, { tableId }: Migration): readonly Migration[] {
  const table = tableId === null ? null : store.registry.byId(tableId);
  return table === null ? [] : store.migrations.ofTable(table.tbl).map(({ migration }) => migration);
}

/** A column that is dropped in the unit that adds it contradicts nobody. */
const dropsComing = (
  store: ReplicaStore,
  arriving: Migration,
  unit: readonly Migration[],
): readonly Migration[] =>
  arriving.type === 'add_column'
    ? unit.filter(
        ({ id, type, tableId }) =>
          type === 'drop_column' && tableId === arriving.tableId && !store.migrations.has(id),
      )
    : [];

/** Twins of a column were added under one name; its drops are about one of them. */
function columnHistory(
  store: ReplicaStore,
  arriving: Migration,
  made: readonly Migration[],
): readonly Migration[] {
  const decisions = decisionsAbout(store, arriving);
  const decision = decisions.at(-1);
  const isFree = (migration: Migration): boolean =>
    // What a decision took away, or has in its shape, is no twin of a column that it did not know of.
    decision === undefined || !isAnswered(decision, migration);
  const subject = subjectOf(store, arriving);
  const added = made.filter(
    (known) =>
      known.type === 'add_column' &&
      isFree(known) &&
      (isSameElement(known, arriving) || subjectOf(store, known) === subject),
  );
  const subjects = new Set([subject, ...added.map((known) => subjectOf(store, known))]);
  const dropped = made.filter(
    (known) => known.type === 'drop_column' && subjects.has(subjectOf(store, known)),
  );
  return [...added, ...dropped, ...(arriving.type === 'add_column' ? decisions : [])];
}

const isSameElement = (left: Migration, right: Migration): boolean =>
  left.element !== null && right.element !== null && isSameName(left.element, right.element);

const CONSTRAINT_TYPES: ReadonlySet<MigrationType> = new Set(['add_constraint', 'drop_constraint']);

/** Constraints have a name alone, those without one their definition. */
const isOfConstraint = (known: Migration, arriving: Migration): boolean =>
  CONSTRAINT_TYPES.has(known.type) &&
  (arriving.element === null ? known.element === null : isSameElement(known, arriving));

function isOfRegister(store: ReplicaStore, known: Migration, arriving: Migration): boolean {
  if (EXISTENCE.has(known.type) || isCreation(known.type)) return false;
  return (
    registerHeldBy(known) === registerHeldBy(arriving) &&
    isOfColumn(known) === isOfColumn(arriving) &&
    (!isOfColumn(arriving) || subjectOf(store, known) === subjectOf(store, arriving))
  );
}

/**
 * Values of a column's or key's register that a later one has overwritten: they are sent no more. Names go on, since
 * between two of them another table or column may have had the name.
 */
export function overwrittenBy(store: ReplicaStore, migration: Migration): readonly RecordedMigration[] {
  if (migration.type !== 'alter_column' && migration.type !== 'alter_primary_key') return [];
  const table = migration.tableId === null ? null : store.registry.byId(migration.tableId);
  if (table === null) return [];
  return store.migrations
    .ofTable(table.tbl)
    .filter(
      ({ migration: known, inForce }) =>
        inForce && isOfRegister(store, known, migration) && compareStamps(known.stamp, migration.stamp) < 0,
    );
}

const isOfColumn = ({ type }: Migration): boolean => type === 'alter_column' || type === 'rename_column';

/** Which register a migration sets; of an alteration of a column its statement says it. */
function registerHeldBy(migration: Migration): Register {
  if (migration.type !== 'alter_column') return registerOf(migration.type);
  const alteration = alterationOf(migration);
  return alteration === null ? 'existence' : registerOf({ alteration });
}

const unifiedBy = ({ redefine }: Migration): readonly MigrationId[] =>
  (redefine?.creations ?? []).map(({ migration }) => migration);

/** What ends or unifies an object of this name in the unit that is being admitted. */
function coming(store: ReplicaStore, arriving: Migration, unit: readonly Migration[]): readonly Migration[] {
  const speaking = SPEAK_OF.get(arriving.type) ?? [];
  return unit.filter(
    ({ id, type, kind, object, tableId }) =>
      speaking.includes(type) &&
      id !== arriving.id &&
      // A table goes by its ID as well; indexes and triggers of one table have that in common, and are several.
      (isSameName(object, arriving.object) ||
        (kind === 'table' && tableId !== null && tableId === arriving.tableId)) &&
      !store.migrations.has(id),
  );
}

/** Which migrations, though later, already count for one that comes in the same unit. */
const SPEAK_OF: ReadonlyMap<MigrationType, readonly MigrationType[]> = new Map([
  ['create_table', ['drop_table', 'redefine_table']],
  ['redefine_table', ['drop_table']],
  ['create_index', ['drop_index']],
  ['create_view', ['drop_view']],
  ['create_trigger', ['drop_trigger']],
]);

/** Decisions about the shape of a table speak of its columns too. */
function decisionsAbout(store: ReplicaStore, arriving: Migration): readonly Migration[] {
  if (arriving.tableId === null) return [];
  const table = store.registry.byId(arriving.tableId);
  return table === null ? [] : readLineage(store, table.tbl).redefinitions.map(({ migration }) => migration);
}

/** The lives of a table's or an object's name, as far as they are recorded. */
export function livesOf(
  store: ReplicaStore,
  element: Pick<Migration, 'kind' | 'object' | 'tableId'>,
): readonly Life[] {
  const recorded = existenceOf(store, element);
  return groupLives(
    recorded.map((migration) => knownMigration(store, migration)),
    createDefinitionComparison(store, recorded),
  );
}

function knownMigration(store: ReplicaStore, migration: Migration): KnownMigration {
  return {
    id: migration.id,
    type: migration.type,
    stamp: migration.stamp,
    knew: migration.knew,
    register: registerHeldBy(migration),
    subject: subjectOf(store, migration),
    unifies: unifiedBy(migration),
  };
}

/** Tables and columns have IDs, twins one for both; other objects, and constraints, are known by their names. */
function subjectOf(
  store: ReplicaStore,
  { kind, type, tableId, columns }: Migration,
): KnownMigration['subject'] {
  if (kind !== 'table' || tableId === null || type.endsWith('constraint')) return null;
  const table = store.registry.byId(tableId);
  if (!type.endsWith('column')) return table?.id ?? tableId;
  const [column] = columns;
  if (column === undefined) return null;
  return table === null ? column.id : oneIdOf(store, table.tbl, column.id);
}

/** The ID under which a column is known here, whichever of its twins' IDs is asked for. */
function oneIdOf(store: ReplicaStore, tbl: number, id: ColumnId): ColumnId {
  const table = store.trackedTable(tbl);
  const col = store.registry.ordinalOf(table, id);
  const known = [...table.liveColumns, ...table.formerColumns].find((column) => column.col === col);
  return known?.id ?? id;
}

function createDefinitionComparison(
  store: ReplicaStore,
  migrations: readonly Migration[],
): IsEqualDefinition {
  const byId = new Map<MigrationId, Migration>(migrations.map((migration) => [migration.id, migration]));
  const laterTypeHolds = store.settings.columnTypeConflict === 'lastWriterWins';
  return (left, right) => {
    const one = byId.get(left);
    const other = byId.get(right);
    return one !== undefined && other !== undefined && isEqualCreation(one, other, { laterTypeHolds });
  };
}

/** The record of the create_table that made a table, or the redefine_table that brought it here. */
export function creationOf(store: ReplicaStore, tbl: number): RecordedMigration | null {
  return (
    store.migrations.latest({ types: ['create_table'], tbl }) ??
    store.migrations.latest({ types: ['redefine_table'], tbl })
  );
}

/** Whether the decision in force about a table's shape speaks of a change of it: it knew of it, or chose between it and another. */
export function decisionAnswering(store: ReplicaStore, migration: Migration): Migration | null {
  const decision = decisionsAbout(store, migration).at(-1);
  if (decision === undefined || migration.type === 'drop_table') return null;
  return knewOf(decision, migration.stamp) || isAnswered(decision, migration) ? decision : null;
}
