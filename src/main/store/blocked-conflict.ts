import type { Migration } from '#shared/model/change-group.ts';
import type { MigrationId } from '#shared/model/ids.ts';
import type { DefinitionDifference } from '#shared/model/views.ts';

import type { DefinitionConflict } from '../engine/migration/catalog-verdict.ts';
import { compareIndexes } from '../sql/compare-indexes.ts';
import { compareTables } from '../sql/compare-tables.ts';
import type { Comparison } from '../sql/comparison.ts';
import type { Refusal } from './admission-refused.ts';
import { currentDefinition } from './live-table.ts';
import { columnDefinitionOf, indexDefinitionOf, tableDefinitionOf } from './migration-definition.ts';
import { definingMigration } from './redefinition-lineage.ts';
import type { ReplicaStore } from './replica-store.ts';
import type { TrackedTable } from './table-registry.ts';
import { foldIdentifier, isSameName } from '../sql/fold-identifier.ts';
import { namingOfColumn, namingOfTable } from './naming-migration.ts';

/** Puts a conflict of two definitions into what a person needs: both texts, the parsed difference, the sentence. */
export function refusalOfConflict(
  store: ReplicaStore,
  migration: Migration,
  conflict: DefinitionConflict,
): Refusal {
  const local = localMigration(store, migration, conflict.cause);
  const differences = differencesOf(store, migration, conflict);
  return {
    cause: conflict.cause,
    kind: migration.kind,
    object: conflict.object,
    ...(conflict.column === null ? {} : { column: conflict.column }),
    message: messageOf(migration, conflict, differences),
    migrations: [local ?? migration.id, migration.id],
    localDdl: conflict.left,
    remoteDdl: conflict.right,
    differences,
  };
}

/** The migration here that the arriving one contradicts: asked there, the other side finds this one. */
function localMigration(
  store: ReplicaStore,
  migration: Migration,
  cause: DefinitionConflict['cause'],
): MigrationId | null {
  const standing = cause === 'nameCollision' ? namingOf(store, migration) : definingOf(store, migration);
  return standing?.id ?? null;
}

/** What defines the object or column that the arriving migration wants to be another. */
function definingOf(store: ReplicaStore, migration: Migration): Migration | null {
  if (migration.kind !== 'table') {
    const types = [migration.type];
    return store.migrations.latest({ types, object: migration.object })?.migration ?? null;
  }
  const known = migration.tableId === null ? null : store.registry.byId(migration.tableId);
  const table =
    migration.type === 'create_table' || known === null ? store.registry.byName(migration.object) : known;
  if (table === null) return null;
  const column = table.liveColumns.find(({ name }) => isSameName(name, migration.element ?? ''));
  return column === undefined
    ? definingMigration(store, table.tbl)
    : namingOfColumn(store, table, column.col);
}

/** What gave the column of a name its name. */
function namingIn(store: ReplicaStore, table: TrackedTable, element: string): Migration | null {
  const column = table.liveColumns.find(({ name }) => isSameName(name, element));
  return column === undefined ? null : namingOfColumn(store, table, column.col);
}

/** What gave the occupant of a name its name. */
function namingOf(store: ReplicaStore, migration: Migration): Migration | null {
  const { element, object, tableId } = migration;
  const own = tableId === null ? null : store.registry.byId(tableId);
  if (element !== null && migration.kind === 'table')
    return own === null ? null : namingIn(store, own, element);
  const table = store.registry.byName(object);
  if (table !== null) return namingOfTable(store, table);
  for (const kind of ['index', 'view'] as const) {
    const standing = store.objects.get(kind, object);
    if (standing !== null) return store.migrations.byNumber(standing.migration)?.migration ?? null;
  }
  return null;
}

/** How many differences the sentence names; all of them are listed beside it. */
const NAMED_DIFFERENCES_MAX = 2;

function messageOf(
  { kind, element }: Migration,
  conflict: DefinitionConflict,
  differences: readonly DefinitionDifference[],
): string {
  const { object, left, right } = conflict;
  switch (conflict.cause) {
    case 'divergentDefinition':
      return `${object} was created here and at the peer with different definitions: ${inWords(differences)}. Choose one shape; nothing of the batch is in the tables until then.`;
    case 'columnType':
      return `The column ${conflict.column ?? ''} of ${object} is ${left} here and ${right} at the peer. Choose one type; nothing of the batch is in the tables until then.`;
    case 'nameCollision': {
      const taken =
        kind === 'table' && element !== null
          ? `The name ${element} is taken in ${object}: here another one has it`
          : `The name ${object} is taken: here it is ${left}`;
      return `${taken}, and the peer brings ${right}. Rename one of them; nothing of the batch is in the tables until then.`;
    }
  }
}

function inWords(differences: readonly DefinitionDifference[]): string {
  const named = differences
    .slice(0, NAMED_DIFFERENCES_MAX)
    .map(
      ({ subject, kind, local, remote }) =>
        `${subject === '' ? kind : subject} is ${local ?? 'absent'} here and ${remote ?? 'absent'} there`,
    );
  const more = differences.length - named.length;
  return more > 0 ? `${named.join(', ')}, and ${String(more)} more` : named.join(', ');
}

function differencesOf(
  store: ReplicaStore,
  migration: Migration,
  conflict: DefinitionConflict,
): readonly DefinitionDifference[] {
  if (conflict.cause === 'columnType') {
    const column = columnDefinitionOf(migration);
    return [{ kind: 'type', subject: column.name, local: conflict.left, remote: conflict.right }];
  }
  if (conflict.cause !== 'divergentDefinition') return [];
  const comparison = compare(store, migration);
  return (comparison?.differences ?? []).map(({ kind, subject, left, right }) => ({
    kind,
    subject,
    local: left ?? null,
    remote: right ?? null,
  }));
}

function compare(store: ReplicaStore, migration: Migration): Comparison | null {
  if (migration.type === 'create_index') {
    const here = store.catalog.read().indexes.get(foldIdentifier(migration.object))?.definition ?? null;
    return here === null ? null : compareIndexes(here, indexDefinitionOf(migration));
  }
  const here = currentDefinition(store, migration.object);
  return here === null ? null : compareTables(here, tableDefinitionOf(migration));
}
