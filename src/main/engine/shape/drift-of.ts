import type { TableDefinition } from '../../sql/ast.ts';
import { renderConstraint } from '../../sql/canonical/render-table.ts';
import { isSameName } from '../../sql/fold-identifier.ts';
import { renderName } from '../../sql/render-name.ts';
import { createAlterationDraft, underWantedNames } from './alteration-draft.ts';
import type { CheckedConstraint } from './constraint-source.ts';
import type { FoldedTable } from './fold-shape.ts';
import type { FoldedConstraint } from './fold-constraints.ts';
import { matchConstraints, type ConstraintPair } from './match-constraints.ts';
import type { ColumnKey } from './shape-record.ts';

/** A difference between a table and its record that does no harm, for people. */
export interface Drift {
  /** The column that it is about; null of a constraint of the table. */
  readonly column: string | null;
  readonly what: 'check' | 'references' | 'constraintName';
  /** Text of the constraint, or its name. Null where this side has none. */
  readonly local: string | null;
  readonly wanted: string | null;
}

/**
 * Lists where a table differs from its record and may go on so: CHECKs and REFERENCES that twins of a column have and
 * others lack, names of constraints. The order of columns is nothing. What `planAlterations` would change is not in it.
 */
export function driftOf(input: {
  readonly current: TableDefinition;
  readonly currentColumns: ReadonlyMap<string, ColumnKey>;
  readonly wanted: FoldedTable;
}): readonly Drift[] {
  const { current, currentColumns, wanted } = input;
  const here = underWantedNames(createAlterationDraft(current, currentColumns, wanted));
  const { pairs, drifting, lacking } = matchConstraints(here, wanted);
  const nameByKey = new Map(wanted.columns.map(({ key, name }) => [key, name]));
  const columnOf = ({ column }: FoldedConstraint): string | null => nameByKey.get(column ?? '') ?? null;
  return [
    ...pairs.filter(isNameDrift).map((pair): Drift => ({
      column: columnOf(pair.wanted),
      what: 'constraintName',
      local: pair.local.name ?? null,
      wanted: pair.wanted.constraint.name ?? null,
    })),
    ...drifting.map((pair): Drift => ({
      column: columnOf(pair.wanted),
      what: kindOf(pair.local),
      local: renderConstraint(pair.local, renderName),
      wanted: null,
    })),
    ...lacking.map((folded): Drift => ({
      column: columnOf(folded),
      what: kindOf(folded.constraint),
      local: null,
      wanted: renderConstraint(folded.constraint, renderName),
    })),
  ];
}

const kindOf = ({ kind }: CheckedConstraint): 'check' | 'references' =>
  kind === 'foreignKey' ? 'references' : 'check';

function isNameDrift({ local, wanted: { constraint, isRenamed } }: ConstraintPair): boolean {
  const [here, there] = [local.name, constraint.name];
  if (here === undefined || there === undefined) return here !== there;
  // A name that was given by a rename is brought about.
  return !isSameName(here, there) && !isRenamed;
}
