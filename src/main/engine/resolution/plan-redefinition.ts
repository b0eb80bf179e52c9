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
  readonly columns: readonly DivergentColumn[];
  readonly definition: TableDefinition;
  /** Conflicts that earlier decisions about it answered. */
  readonly answered: readonly ConflictId[];
}

export interface DivergentColumn {
  readonly name: string;
  /** The name that it was made under, where that is known: renames go on beside a decision that did not know of them. */
  readonly madeAs?: string | undefined;
  readonly ids: readonly ColumnId[];
  /** As in a `RedefinedColumn`. */
  readonly added?: string | null | undefined;
}

export interface PlannedRedefinition {
  readonly target: TableDefinition;
  readonly redefinition: Redefinition;
}

/**
 * Plans the redefine_table that answers a divergent definition. Touches nothing.
 *
 * Both tables become one: the side whose shape is taken gives the IDs that are kept, the other side's become
 * further names of them, column by column: those that were made under one name, else those that have one now. Rows of both sides are merged under the shape. What earlier
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
  const counterparts = pairColumns(kept.columns, other.columns);
  return {
    target: kept.definition,
    redefinition: {
      conflictIds: [...new Set([input.conflictId, ...kept.answered, ...other.answered])],
      creations: creationsOf([kept, other]),
      columnMap: kept.columns.map(({ name, ids, added }) => ({
        name,
        ids: [...new Set([...ids, ...(counterparts.get(name)?.ids ?? [])])],
        ...(added === undefined ? {} : { added }),
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

/**
 * Which column of the other side each one is, by its name. The names that columns were made under come first: whoever
 * decides without knowing of a rename pairs them so, and of two decisions at once both must make the same columns one.
 */
function pairColumns(
  kept: readonly DivergentColumn[],
  other: readonly DivergentColumn[],
): ReadonlyMap<string, DivergentColumn> {
  const pairs = new Map<string, DivergentColumn>();
  const pair = (isPair: (left: DivergentColumn, right: DivergentColumn) => boolean): void => {
    for (const left of kept) {
      const taken = [...pairs.values()];
      const right = other.find((column) => !taken.includes(column) && isPair(left, column));
      if (right !== undefined && !pairs.has(left.name)) pairs.set(left.name, right);
    }
  };
  pair((left, right) => left.ids.some((id) => right.ids.includes(id)));
  pair((left, right) => isSameName(left.madeAs ?? left.name, right.madeAs ?? right.name));
  pair((left, right) => isSameName(left.name, right.name));
  return pairs;
}
