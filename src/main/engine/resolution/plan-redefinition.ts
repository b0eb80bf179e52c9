import type { Redefinition } from '#shared/model/change-group.ts';
import type { ColumnId, ConflictId, MigrationId, TableId } from '#shared/model/ids.ts';
import type { ResolutionOption } from '#shared/model/vocabulary.ts';

import type { TableDefinition } from '../../sql/ast.ts';
import { foldIdentifier } from '../../sql/fold-identifier.ts';

/** One side of a divergence: who created the table, under which IDs, in which shape. */
export interface DivergentSide {
  readonly migration: MigrationId;
  readonly table: TableId;
  readonly columns: readonly { readonly id: ColumnId; readonly name: string }[];
  readonly definition: TableDefinition;
}

export interface PlannedRedefinition {
  readonly target: TableDefinition;
  readonly redefinition: Redefinition;
}

/**
 * Plans the redefine_table that answers a divergent definition. Touches nothing.
 *
 * Both tables become one: the side whose shape is taken gives the IDs that are kept, the other side's become
 * further names of them, column by column of equal name. Rows of both sides are merged under the shape.
 */
export function planRedefinition(input: {
  readonly option: Extract<ResolutionOption, 'takeRemote' | 'keepLocal'>;
  readonly conflictId: ConflictId;
  readonly local: DivergentSide;
  readonly remote: DivergentSide;
}): PlannedRedefinition {
  const [kept, other] =
    input.option === 'takeRemote' ? [input.remote, input.local] : [input.local, input.remote];
  return {
    target: kept.definition,
    redefinition: {
      conflictIds: [input.conflictId],
      creations: [kept, other].map((side) => ({ migration: side.migration, table: side.table })),
      columnMap: kept.columns.map((column) => ({
        name: column.name,
        ids: [column.id, ...idsByName(other, column.name).filter((id) => id !== column.id)],
      })),
    },
  };
}

const idsByName = (side: DivergentSide, name: string): readonly ColumnId[] =>
  side.columns
    .filter((column) => foldIdentifier(column.name) === foldIdentifier(name))
    .map((column) => column.id);
