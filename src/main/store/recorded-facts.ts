import { compareIndexes } from '../sql/compare-indexes.ts';
import { compareTables } from '../sql/compare-tables.ts';
import { parseDdl } from '../sql/parse-ddl.ts';
import type { Migration } from '#shared/model/change-group.ts';
import type { MigrationId } from '#shared/model/ids.ts';
import { groupLives } from '../engine/migration/group-lives.ts';
import type { IsEqualDefinition, KnownMigration, Life } from '../engine/migration/group-lives.ts';
import { isCreation } from '../engine/migration/precedence.ts';
import { registerOf } from '../engine/migration/register.ts';
import type { RecordedFacts } from '../engine/migration/gate-recorded.ts';
import { isSameName } from '../sql/fold-identifier.ts';
import type { RecordedMigration } from './migration-records.ts';
import { readLineage } from './redefinition-lineage.ts';
import { isAnswered } from './redefinition-target.ts';
import type { ReplicaStore } from './replica-store.ts';

/**
 * What is recorded for the element of an arriving migration, as gate 1 wants it. `unit`: the migrations that arrive
 * with it; a drop among them counts already, so that a creation that is dropped by now contradicts nobody.
 */
export function recordedFacts(
  store: ReplicaStore,
  arriving: Migration,
  unit: readonly Migration[] = [],
): RecordedFacts {
  const recorded = store.migrations.ofElement({
    kind: arriving.kind,
    object: arriving.object,
    element: arriving.element,
    tbl:
      arriving.element === null || arriving.tableId === null
        ? null
        : (store.registry.byId(arriving.tableId)?.tbl ?? null),
  });
  const decisions = decisionsAbout(store, arriving);
  const decision = decisions.at(-1);
  const history = [
    // What a decision took away, or has in its shape, is no twin of a column that it did not know of.
    ...recorded
      .map(({ migration }) => migration)
      .filter((migration) => decision === undefined || !isAnswered(decision, migration)),
    ...coming(store, arriving, unit),
    ...decisions,
  ];
  return {
    arriving: knownMigration(store, arriving),
    history: history.map((migration) => knownMigration(store, migration)),
    isEqual: createDefinitionComparison([...history, arriving]),
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

const unifiedBy = ({ redefine }: Migration): readonly MigrationId[] =>
  (redefine?.creations ?? []).map(({ migration }) => migration);

/** What ends or unifies an object of this name in the unit that is being admitted. */
function coming(store: ReplicaStore, arriving: Migration, unit: readonly Migration[]): readonly Migration[] {
  const speaking = SPEAK_OF.get(arriving.type) ?? [];
  return unit.filter(
    ({ id, type, object }) =>
      speaking.includes(type) &&
      id !== arriving.id &&
      isSameName(object, arriving.object) &&
      !store.migrations.has(id),
  );
}

/** Which migrations, though later, already count for one that comes in the same unit. */
const SPEAK_OF: ReadonlyMap<Migration['type'], readonly Migration['type'][]> = new Map([
  ['create_table', ['drop_table', 'redefine_table']],
  ['redefine_table', ['drop_table']],
  ['create_index', ['drop_index']],
]);

/** Decisions about the shape of a table speak of its columns too. */
function decisionsAbout(store: ReplicaStore, arriving: Migration): readonly Migration[] {
  if (arriving.type !== 'add_column' || arriving.tableId === null) return [];
  const table = store.registry.byId(arriving.tableId);
  return table === null ? [] : readLineage(store, table.tbl).redefinitions.map(({ migration }) => migration);
}

/** The lives of a table's or an index's name, as far as they are recorded. */
export function livesOf(
  store: ReplicaStore,
  { kind, object }: Pick<Migration, 'kind' | 'object'>,
): readonly Life[] {
  const recorded = store.migrations
    .ofElement({ kind, object, element: null, tbl: null })
    .map(({ migration }) => migration);
  return groupLives(
    recorded.map((migration) => knownMigration(store, migration)),
    createDefinitionComparison(recorded),
  );
}

function knownMigration(store: ReplicaStore, migration: Migration): KnownMigration {
  return {
    id: migration.id,
    type: migration.type,
    stamp: migration.stamp,
    knew: migration.knew,
    // alter_column is refused before it gets here: which register it sets is said by its statement.
    register: migration.type === 'alter_column' ? 'dataType' : registerOf(migration.type),
    subject: subjectOf(store, migration),
    unifies: unifiedBy(migration),
  };
}

/** Tables and columns have IDs, twins one for both; an index is known by its name, whatever table it is on. */
function subjectOf(
  store: ReplicaStore,
  { kind, element, tableId, columns }: Migration,
): KnownMigration['subject'] {
  if (kind !== 'table') return null;
  if (element !== null) return columns[0]?.id ?? null;
  return tableId === null ? null : (store.registry.byId(tableId)?.id ?? tableId);
}

function createDefinitionComparison(migrations: readonly Migration[]): IsEqualDefinition {
  const byId = new Map<MigrationId, Migration>(migrations.map((migration) => [migration.id, migration]));
  return (left, right) => {
    const one = byId.get(left);
    const other = byId.get(right);
    return one !== undefined && other !== undefined && isEqualText(one.ddl, other.ddl);
  };
}

/** Whether two CREATE statements define the same. */
export function isEqualText(left: string, right: string): boolean {
  if (left === right) return true;
  const one = parseDdl(left);
  const other = parseDdl(right);
  if (!one.ok || !other.ok) return false;
  if (one.value.kind === 'createTable' && other.value.kind === 'createTable') {
    return compareTables(one.value.table, other.value.table).equal;
  }
  if (one.value.kind === 'createIndex' && other.value.kind === 'createIndex') {
    return compareIndexes(one.value.index, other.value.index).equal;
  }
  return false;
}

/** The record of the create_table that made a table, or the redefine_table that brought it here. */
export function creationOf(store: ReplicaStore, tbl: number): RecordedMigration | null {
  return (
    store.migrations.latest({ types: ['create_table'], tbl }) ??
    store.migrations.latest({ types: ['redefine_table'], tbl })
  );
}
