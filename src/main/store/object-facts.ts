import type { Migration } from '#shared/model/change-group.ts';

import type { CatalogFacts, Standing } from '../engine/migration/catalog-facts.ts';
import type { IndexDefinition } from '../sql/ast.ts';
import { canonicalIndex } from '../sql/canonical-index.ts';
import { canonicalStatement } from '../sql/canonical-statement.ts';
import { compareIndexes } from '../sql/compare-indexes.ts';
import { columnsNamed } from '../sql/expression-names.ts';
import { foldIdentifier, isSameName } from '../sql/fold-identifier.ts';
import { isEqualText } from './equal-creations.ts';
import { liveTable } from './live-table.ts';
import { indexDefinitionOf } from './migration-definition.ts';
import { indexHere } from './names-here.ts';
import { renderHere } from './render-migration.ts';
import type { ReplicaStore } from './replica-store.ts';
import type { TrackedTable } from './table-registry.ts';
import { whyParked } from './view-execute.ts';

/** What stands under the name of an index, and whether what it is on is here. */
export function indexFacts(store: ReplicaStore, migration: Migration): CatalogFacts {
  const table = liveTable(store, migration);
  const wanted = table === null ? indexDefinitionOf(migration) : indexHere(store, migration);
  const missing = table === null ? 'table' : hasColumns(table, wanted, migration) ? null : 'column';
  // It went with its table: what has its name by now is not in its way.
  const isGone = table === null && isDropped(store, migration);
  return {
    type: 'create_index',
    object: migration.object,
    remote: canonicalIndex(wanted),
    missing,
    isUnique: false,
    standing: isGone ? { kind: 'absent' } : indexStanding(store, wanted, migration.object),
  };
}

function indexStanding(store: ReplicaStore, wanted: IndexDefinition, name: string): Standing {
  const catalog = store.catalog.read();
  const key = foldIdentifier(name);
  const here = catalog.indexes.get(key);
  if (here !== undefined) {
    const isEqual = here.definition !== null && compareIndexes(here.definition, wanted).equal;
    const local = here.definition === null ? here.sql : canonicalIndex(here.definition);
    return { kind: 'sameObject', isEqual, local };
  }
  if (catalog.tables.has(key)) return { kind: 'otherObject', object: 'table' };
  return catalog.views.has(key) ? { kind: 'otherObject', object: 'view' } : { kind: 'absent' };
}

const isDropped = (store: ReplicaStore, { tableId }: Migration): boolean =>
  tableId !== null && store.registry.byId(tableId)?.name === null;

/** Whether all columns that an index is on are there, also those within expressions and its condition. */
function hasColumns(table: TrackedTable, index: IndexDefinition, migration: Migration): boolean {
  const isLive = (name: string): boolean => table.liveColumns.some((column) => isSameName(column.name, name));
  // What an expression names may be a word of another kind: only what the author had as a column counts.
  const mentioned = new Set(
    migration.mentions
      .filter((mention) => mention.table === migration.tableId)
      .flatMap(({ columns }) => columns.map(({ name }) => foldIdentifier(name))),
  );
  const expressions = [
    ...index.parts.flatMap((part) => (part.kind === 'expression' ? [part.expression] : [])),
    ...(index.where === undefined ? [] : [index.where]),
  ];
  const named = expressions.flatMap((expression) => [...columnsNamed(expression)]);
  return (
    index.parts.every((part) => part.kind === 'expression' || isLive(part.column)) &&
    named.every((name) => isLive(name) || !mentioned.has(name))
  );
}

/** What stands under the name of a view or trigger, and whether it can stand itself. */
export function viewOrTriggerFacts(
  store: ReplicaStore,
  migration: Migration,
  type: 'create_view' | 'create_trigger',
): CatalogFacts {
  return {
    type,
    object: migration.object,
    standing: viewOrTriggerStanding(store, migration),
    remote: migration.ddl,
    isParked: whyParked(store, migration) !== null,
  };
}

function viewOrTriggerStanding(store: ReplicaStore, migration: Migration): Standing {
  const catalog = store.catalog.read();
  const key = foldIdentifier(migration.object);
  if (migration.kind === 'view') {
    if (catalog.tables.has(key)) return { kind: 'otherObject', object: 'table' };
    if (catalog.indexes.has(key)) return { kind: 'otherObject', object: 'index' };
  }
  const here = (migration.kind === 'view' ? catalog.views : catalog.triggers).get(key);
  if (here === undefined) return { kind: 'absent' };
  const isEqual = isEqualText(here.sql, canonicalStatement(renderHere(store, migration)));
  return { kind: 'sameObject', isEqual, local: here.sql };
}
