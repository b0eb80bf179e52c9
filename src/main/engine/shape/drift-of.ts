import type { TableDefinition } from '../../sql/ast.ts';
import { renderConstraint } from '../../sql/canonical/render-table.ts';
import { isSameName } from '../../sql/fold-identifier.ts';
import { renderName } from '../../sql/render-name.ts';
import { createAlterationDraft, underWantedNames } from './alteration-draft.ts';
import type { CheckedConstraint } from './constraint-source.ts';
import type { FoldedTable } from './fold-shape.ts';
import { matchConstraints } from './match-constraints.ts';
import type { ColumnKey } from './shape-record.ts';

/** A difference between a table and its record that does no harm, for people. */
export interface Drift {
  /** The column that it is about; null of a constraint over several, or none. */
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
  return [
    ...pairs.flatMap(({ local, wanted: { constraint, isRenamed } }): readonly Drift[] => {
      if (isSameConstraintName(local.name, constraint.name) || (isRenamed && local.name !== undefined))
        return [];
      const [column, what] = [columnOf(local), 'constraintName' as const];
      return [{ column, what, local: local.name ?? null, wanted: constraint.name ?? null }];
    }),
    ...drifting.map((local) => driftOfConstraint(local, 'local')),
    ...lacking.map(({ constraint }) => driftOfConstraint(constraint, 'wanted')),
  ];
}

function driftOfConstraint(constraint: CheckedConstraint, side: 'local' | 'wanted'): Drift {
  const text = renderConstraint(constraint, renderName);
  return {
    column: columnOf(constraint),
    what: constraint.kind === 'foreignKey' ? 'references' : 'check',
    local: side === 'local' ? text : null,
    wanted: side === 'wanted' ? text : null,
  };
}

function columnOf(constraint: CheckedConstraint): string | null {
  if (constraint.kind === 'check') return null;
  const columns = constraint.columns.map((part) => (typeof part === 'string' ? part : part.column));
  const [only] = columns;
  return only !== undefined && columns.length === 1 ? only : null;
}

const isSameConstraintName = (left: string | undefined, right: string | undefined): boolean =>
  left === right || (left !== undefined && right !== undefined && isSameName(left, right));
