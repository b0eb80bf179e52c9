import type { Migration } from '#shared/model/change-group.ts';
import type { ColumnId, ConflictId, MigrationId, TableId } from '#shared/model/ids.ts';
import type { ResolutionOption } from '#shared/model/vocabulary.ts';

import {
  planRedefinition,
  type DivergentSide,
  type PlannedRedefinition,
} from '../engine/resolution/plan-redefinition.ts';
import { comparableDefault } from '../sql/comparable-default.ts';
import { isSameName } from '../sql/fold-identifier.ts';
import type { TableDefinition } from '../sql/ast.ts';
import { readBlockedUnit, type BlockedRow } from './blocked-batches.ts';
import { currentDefinition } from './live-table.ts';
import { columnDefinitionOf } from './migration-definition.ts';
import { tableDefinitionHere } from './names-here.ts';
import { readLineage } from './redefinition-lineage.ts';
import type { ReplicaStore } from './replica-store.ts';
import type { LiveColumn, TrackedTable } from './table-registry.ts';

export interface ResolvableConflict {
  readonly conflictId: ConflictId;
  readonly table: TrackedTable;
  /** What it is here, and what the peer brings. */
  readonly local: DivergentSide;
  readonly remote: DivergentSide;
}

/** Both sides of a blocked contradiction as the planner wants them; null where the cause has no two shapes. */
export function sidesOf(store: ReplicaStore, row: BlockedRow): ResolvableConflict | null {
  const arriving = arrivingMigration(store, row);
  if (arriving === null) return null;
  const table = localTable(store, row, arriving);
  const local = table === null ? null : localSide(store, table);
  const remote = local === null ? null : remoteSide(store, row, { arriving, local });
  if (table === null || local === null || remote === null) return null;
  return { conflictId: row.conflictId, table, local, remote };
}

function localSide(store: ReplicaStore, table: TrackedTable): DivergentSide | null {
  const definition = table.name === null ? null : currentDefinition(store, table.name);
  const { creations, redefinitions } = readLineage(store, table.tbl);
  if (definition === null || creations.length + redefinitions.length === 0) return null;
  const decided = redefinitions.filter(({ inForce }) => inForce).map(({ migration }) => migration);
  return {
    creations: [
      ...creations.map(({ migration }) => creationOf(migration, table.id)),
      ...decided.flatMap((migration) => migration.redefine?.creations ?? []),
    ],
    columns: table.liveColumns.map((column) => {
      const ids = idsOfColumn(store, table, column);
      const madeAs = nameMadeUnder(store, table, ids);
      return { name: column.name, madeAs, ids, added: addedBefore(table, column, definition) };
    }),
    definition,
    answered: decided.flatMap((migration) => migration.redefine?.conflictIds ?? []),
  };
}

const creationOf = ({ id, tableId }: Migration, table: TableId): DivergentSide['creations'][number] => ({
  migration: id,
  table: tableId ?? table,
});

function idsOfColumn(store: ReplicaStore, table: TrackedTable, column: LiveColumn): readonly ColumnId[] {
  const aliases = store.db
    .preparePluck<[bigint, bigint], ColumnId>(
      `select id from _concord_alias where kind = 'c' and tbl = ? and col = ? order by id`,
    )
    .all(BigInt(table.tbl), BigInt(column.col));
  return [column.id, ...aliases];
}

/** The default with which a column was added, where its definition has another one by now. */
function addedBefore(
  table: TrackedTable,
  { col }: LiveColumn,
  { columns }: TableDefinition,
): string | null | undefined {
  const tracked = table.columns.find((column) => column.col === col);
  if (tracked === undefined || tracked.addedSeq === 0) return undefined;
  const now = columns.find(({ name }) => isSameName(name, tracked.name))?.defaultText;
  return comparableDefault(now) === comparableDefault(tracked.defaultText ?? undefined)
    ? undefined
    : tracked.defaultText;
}

/** What made a column, the table's creation or an ADD COLUMN, calls it so. */
function nameMadeUnder(
  store: ReplicaStore,
  table: TrackedTable,
  ids: readonly ColumnId[],
): string | undefined {
  return store.migrations
    .ofTable(table.tbl)
    .filter(({ migration: { type } }) => type === 'create_table' || type === 'add_column')
    .flatMap(({ migration }) => migration.columns)
    .find(({ id }) => ids.includes(id))?.name;
}

function remoteSide(
  store: ReplicaStore,
  row: BlockedRow,
  { arriving, local }: { readonly arriving: Migration; readonly local: DivergentSide },
): DivergentSide | null {
  if (row.refusal.cause === 'columnType') {
    return remoteByColumn(local, { arriving, contradicted: row.refusal.migrations?.[0] ?? null });
  }
  if (row.refusal.cause !== 'divergentDefinition' || arriving.kind !== 'table') return null;
  const [own] = local.creations;
  return own === undefined ? null : remoteByTable(store, arriving, own.table);
}

/** The table as the peer has it: as it was created there, or as somebody decided. */
function remoteByTable(store: ReplicaStore, arriving: Migration, ownTable: TableId): DivergentSide {
  const { redefine } = arriving;
  const definition = tableDefinitionHere(store, arriving);
  if (redefine !== null) {
    const { creations, columnMap, conflictIds } = redefine;
    return { creations, columns: columnMap, definition, answered: conflictIds };
  }
  return {
    creations: [creationOf(arriving, ownTable)],
    columns: arriving.columns.map(({ id, name }) => ({ name, ids: [id] })),
    definition,
    answered: [],
  };
}

/** Of a column that differs, the remote side is the table here with the column as the peer has it. */
function remoteByColumn(
  local: DivergentSide,
  { arriving, contradicted }: { readonly arriving: Migration; readonly contradicted: MigrationId | null },
): DivergentSide {
  const column = columnDefinitionOf(arriving);
  const replace = (definition: TableDefinition): TableDefinition => ({
    ...definition,
    columns: definition.columns.map((candidate) =>
      isSameName(candidate.name, column.name) ? column : candidate,
    ),
  });
  const [own] = local.creations;
  const arrived = own === undefined ? [] : [creationOf(arriving, own.table)];
  const here =
    contradicted === null || own === undefined ? [] : [{ migration: contradicted, table: own.table }];
  return {
    ...local,
    creations: [...local.creations, ...arrived, ...here],
    columns: local.columns.map((candidate) =>
      isSameName(candidate.name, column.name)
        ? { ...candidate, ids: [...arriving.columns.map(({ id }) => id), ...candidate.ids] }
        : candidate,
    ),
    definition: replace(local.definition),
  };
}

/** The redefine_table that an option stands for. */
export const planFor = (
  conflict: ResolvableConflict,
  option: Extract<ResolutionOption, 'takeRemote' | 'keepLocal'>,
): PlannedRedefinition =>
  planRedefinition({
    option,
    conflictId: conflict.conflictId,
    local: conflict.local,
    remote: conflict.remote,
  });

/** The migration of the refused unit that contradicts what is here. */
export function arrivingMigration(store: ReplicaStore, row: BlockedRow): Migration | null {
  const [, remoteId] = row.refusal.migrations ?? [];
  const unit = readBlockedUnit(store, row.site);
  return (
    unit?.groups.flatMap((group) => group.migrations).find((migration) => migration.id === remoteId) ?? null
  );
}

function localTable(store: ReplicaStore, row: BlockedRow, arriving: Migration): TrackedTable | null {
  const byId = arriving.tableId === null ? null : store.registry.byId(arriving.tableId);
  return byId ?? store.registry.byName(row.refusal.object);
}
