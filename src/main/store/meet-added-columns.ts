import type { Migration } from '#shared/model/change-group.ts';
import type { ColumnId } from '#shared/model/ids.ts';

import { isSameName } from '../sql/fold-identifier.ts';
import { logicalType } from '../sql/logical-type.ts';
import { AdmissionRefused } from './admission-refused.ts';
import { isAnswered } from './is-answered.ts';
import { columnDefinitionOf, tableDefinitionOf } from './migration-definition.ts';
import type { ReplicaStore } from './replica-store.ts';
import type { LiveColumn, TrackedTable } from './table-registry.ts';
import { addTableAlias } from './track-table.ts';

/**
 * A decision whose shape has a column that was added here meanwhile, without its knowledge: where it was decided, that
 * addition arrives as one of a column that is there, so it is here too. With the same logical type the two are one.
 *
 * Throws `AdmissionRefused` with cause `columnType` where the types differ, under the conflict's name on the other side.
 */
export function meetAddedColumns(store: ReplicaStore, decision: Migration, table: TrackedTable): void {
  for (const { migration } of store.migrations.ofTable(table.tbl)) {
    if (migration.type === 'add_column' && !isAnswered(decision, migration))
      meetAddedColumn(store, { decision, table, added: migration });
  }
}

interface Meeting {
  readonly decision: Migration;
  readonly table: TrackedTable;
  readonly added: Migration;
}

function meetAddedColumn(store: ReplicaStore, { decision, table, added }: Meeting): void {
  const column = columnHere(store, table, added);
  const shape = tableDefinitionOf(decision);
  // As the addition called it: its renames arrive there after it.
  const { element } = added;
  const wanted = shape.columns.find(({ name }) => element !== null && isSameName(name, element));
  if (column === null || wanted === undefined) return;
  const ids = idsOf(decision, wanted.name);
  if (ids.some((id) => store.registry.ordinalOf(table, id) !== null)) return;
  const own = columnDefinitionOf(added);
  const mayDiffer = store.settings.columnTypeConflict === 'lastWriterWins';
  if (!mayDiffer && logicalType(own, shape) !== logicalType(wanted, shape))
    throw typesDiffer({ table, decision, added, types: [own.type, wanted.type] });
  for (const id of ids) addTableAlias(store.db, { id, tbl: table.tbl, col: column.col });
  store.registry.invalidate(table.tbl);
}

const idsOf = ({ redefine }: Migration, column: string): readonly ColumnId[] =>
  redefine?.columnMap.find(({ name }) => isSameName(name, column))?.ids ?? [];

function columnHere(
  store: ReplicaStore,
  table: TrackedTable,
  { columns: [added] }: Migration,
): LiveColumn | null {
  const col = added === undefined ? null : store.registry.ordinalOf(table, added.id);
  return table.liveColumns.find((column) => column.col === col) ?? null;
}

function typesDiffer(
  conflict: Meeting & {
    readonly types: readonly [local: string, remote: string];
  },
): AdmissionRefused {
  const { table, decision, added, types } = conflict;
  const [local, remote] = types;
  const column = added.element ?? '';
  const object = table.name ?? decision.object;
  return new AdmissionRefused({
    cause: 'columnType',
    kind: 'table',
    object,
    column,
    message: `The column ${column} of ${object} is ${local} here and ${remote} at the peer. Choose one type; nothing of the batch is in the tables until then.`,
    migrations: [added.id, decision.id],
    localDdl: local,
    remoteDdl: remote,
    differences: [{ kind: 'type', subject: column, local, remote }],
  });
}
