import type { Migration } from '#shared/model/change-group.ts';
import type { ConflictId } from '#shared/model/ids.ts';
import type { ResolutionOption } from '#shared/model/vocabulary.ts';

import {
  planRedefinition,
  type DivergentSide,
  type PlannedRedefinition,
} from '../engine/resolution/plan-redefinition.ts';
import { isSameName } from '../sql/fold-identifier.ts';
import type { TableDefinition } from '../sql/ast.ts';
import { readBlockedUnit, type BlockedRow } from './blocked-batches.ts';
import { columnOf, currentDefinition, tableOf } from './migration-catalog-facts.ts';
import { creationOf } from './migration-history.ts';
import type { ReplicaStore } from './replica-store.ts';
import type { TrackedTable } from './table-registry.ts';

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
  const remote = local === null ? null : remoteSide(row, { arriving, local });
  if (table === null || local === null || remote === null) return null;
  return { conflictId: row.conflictId, table, local, remote };
}

function localSide(store: ReplicaStore, table: TrackedTable): DivergentSide | null {
  const definition = table.name === null ? null : currentDefinition(store, table.name);
  const creation = creationOf(store, table.tbl);
  if (definition === null || creation === null) return null;
  return {
    migration: creation.migration.id,
    table: table.id,
    columns: table.columns.map(({ id, name }) => ({ id, name })),
    definition,
  };
}

function remoteSide(
  row: BlockedRow,
  { arriving, local }: { readonly arriving: Migration; readonly local: DivergentSide },
): DivergentSide | null {
  if (row.refusal.cause === 'columnType') return remoteByColumn(local, arriving);
  if (row.refusal.cause !== 'divergentDefinition' || arriving.type !== 'create_table') return null;
  return {
    migration: arriving.id,
    table: arriving.tableId ?? local.table,
    columns: arriving.columns,
    definition: tableOf(arriving),
  };
}

/** Of a column that differs, the remote side is the table here with the column as the peer has it. */
function remoteByColumn(local: DivergentSide, arriving: Migration): DivergentSide {
  const column = columnOf(arriving);
  const replace = (definition: TableDefinition): TableDefinition => ({
    ...definition,
    columns: definition.columns.map((candidate) =>
      isSameName(candidate.name, column.name) ? column : candidate,
    ),
  });
  const [id] = arriving.columns;
  return {
    ...local,
    columns: local.columns.map((candidate) =>
      id !== undefined && isSameName(candidate.name, column.name) ? id : candidate,
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
  if (arriving.type === 'create_table') return store.registry.byName(row.refusal.object);
  return arriving.tableId === null ? null : store.registry.byId(arriving.tableId);
}
