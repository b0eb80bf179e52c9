import { compareIndexes } from '../sql/compare-indexes.ts';
import { compareTables } from '../sql/compare-tables.ts';
import { parseDdl } from '../sql/parse-ddl.ts';
import type { Migration } from '#shared/model/change-group.ts';
import type { MigrationId } from '#shared/model/ids.ts';
import type { IsEqualDefinition, KnownMigration } from '../engine/migration/group-lives.ts';
import { registerOf } from '../engine/migration/register.ts';
import type { RecordedFacts } from '../engine/migration/gate-recorded.ts';
import type { RecordedMigration } from './migration-records.ts';
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
  const coming =
    arriving.type === 'create_table'
      ? unit.filter(
          ({ id, type, tableId }) =>
            type === 'drop_table' && tableId === arriving.tableId && !store.migrations.has(id),
        )
      : [];
  return {
    arriving: knownMigration(arriving),
    history: [...recorded.map(({ migration }) => migration), ...coming].map(knownMigration),
    isEqual: createDefinitionComparison([...recorded.map((entry) => entry.migration), arriving]),
  };
}

function knownMigration(migration: Migration): KnownMigration {
  return {
    id: migration.id,
    type: migration.type,
    stamp: migration.stamp,
    knew: migration.knew,
    // alter_column is refused before it gets here: which register it sets is said by its statement.
    register: migration.type === 'alter_column' ? 'dataType' : registerOf(migration.type),
    subject: subjectOf(migration),
    unifies: migration.redefine?.creations.map((creation) => creation.migration) ?? [],
  };
}

/** Tables and columns have IDs; an index is known by its name, whatever table it is on. */
function subjectOf({ kind, element, tableId, columns }: Migration): KnownMigration['subject'] {
  if (kind !== 'table') return null;
  return element === null ? tableId : (columns[0]?.id ?? null);
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
