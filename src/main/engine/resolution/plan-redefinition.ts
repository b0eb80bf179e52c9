import type { Redefinition } from '#shared/model/change-group.ts';
import type { ColumnId, ConflictId, MigrationId, TableId } from '#shared/model/ids.ts';
import type { ResolutionOption } from '#shared/model/vocabulary.ts';

import type { TableDefinition } from '../../sql/ast.ts';
import { isSameName } from '../../sql/fold-identifier.ts';

/** One side of a divergence: under which IDs it is known, in which shape it is. */
export interface DivergentSide {
  /** Its creation first, then those that earlier decisions or chance made one with it. */
  readonly creations: readonly { readonly migration: MigrationId; readonly table: TableId }[];
  /** Every ID of each column, its own first. */
  readonly columns: readonly { readonly name: string; readonly ids: readonly ColumnId[] }[];
  readonly definition: TableDefinition;
  /** Conflicts that earlier decisions about it answered. */
  readonly answered: readonly ConflictId[];
}

export interface PlannedRedefinition {
  readonly target: TableDefinition;
  readonly redefinition: Redefinition;
}

/**
 * Plans the redefine_table that answers a divergent definition. Touches nothing.
 *
 * Both tables become one: the side whose shape is taken gives the IDs that are kept, the other side's become
 * further names of them, column by column of equal name. Rows of both sides are merged under the shape. What earlier
 * decisions about either side answered and unified is answered and unified by this one too: only it goes on.
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
      conflictIds: [...new Set([input.conflictId, ...kept.answered, ...other.answered])],
      creations: creationsOf([kept, other]),
      columnMap: kept.columns.map(({ name, ids }) => ({
        name,
        ids: [...new Set([...ids, ...idsByName(other, name)])],
      })),
    },
  };
}

/** Each creation once, in the order of the sides. */
const creationsOf = (sides: readonly DivergentSide[]): Redefinition['creations'] => [
  ...new Map(
    sides.flatMap(({ creations }) => creations).map((creation) => [creation.migration, creation]),
  ).values(),
];

const idsByName = (side: DivergentSide, name: string): readonly ColumnId[] =>
  side.columns.filter((column) => isSameName(column.name, name)).flatMap(({ ids }) => ids);
