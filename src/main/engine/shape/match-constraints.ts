import type { TableDefinition } from '../../sql/ast.ts';
import { identityOfConstraint } from '../../sql/constraint-identity.ts';
import { isSameName } from '../../sql/fold-identifier.ts';
import type { CheckedConstraint } from './constraint-source.ts';
import type { FoldedConstraint } from './fold-constraints.ts';
import type { FoldedTable } from './fold-shape.ts';

/** How the constraints that a table has stand to those that it is to have. Both under the same names of columns. */
export interface ConstraintMatch {
  readonly pairs: readonly ConstraintPair[];
  /** What only this replica has, as twins' drift may. */
  readonly drifting: readonly ConstraintPair[];
  /** What only this replica has and is not to have: places in the list of all that it has. */
  readonly surplus: readonly number[];
  /** What this replica is to have and does not. */
  readonly missing: readonly FoldedConstraint[];
  /** What it lacks and may go on lacking. */
  readonly lacking: readonly FoldedConstraint[];
}

export interface ConstraintPair {
  readonly local: CheckedConstraint;
  readonly wanted: FoldedConstraint;
}

/** Matches by what constraints say, those of equal name first; each at most once. */
export function matchConstraints(current: TableDefinition, wanted: FoldedTable): ConstraintMatch {
  const here = constraintsIn(current).map((constraint) => ({
    constraint,
    identity: identityOfConstraint(constraint, current),
  }));
  const there = wanted.constraints.map((folded) => ({
    folded,
    identity: identityOfConstraint(folded.constraint, wanted.definition),
  }));
  const pairs = pairUp(here, there);
  const paired = new Set<unknown>(pairs.flat());
  const restHere = withoutRepetitions(
    here.filter((one) => !paired.has(one)),
    there,
  );
  const restThere = there.filter((one) => !paired.has(one)).map(({ folded }) => folded);
  const drifting = new Map(
    wanted.drifting.map((folded) => [identityOfConstraint(folded.constraint, wanted.definition), folded]),
  );
  const driftOf = ({ constraint: local, identity }: Local): readonly ConstraintPair[] => {
    const folded = drifting.get(identity);
    return folded === undefined ? [] : [{ local, wanted: folded }];
  };
  return {
    pairs: pairs.map(([local, { folded }]) => ({ local: local.constraint, wanted: folded })),
    drifting: restHere.flatMap(driftOf),
    surplus: restHere.filter(({ identity }) => !drifting.has(identity)).map((one) => here.indexOf(one)),
    missing: restThere.filter(({ isDrift }) => !isDrift),
    lacking: restThere.filter(({ isDrift }) => isDrift),
  };
}

interface Local {
  readonly constraint: CheckedConstraint;
  readonly identity: string;
}

interface Wanted {
  readonly folded: FoldedConstraint;
  readonly identity: string;
}

function pairUp(here: readonly Local[], there: readonly Wanted[]): readonly (readonly [Local, Wanted])[] {
  const pairs: (readonly [Local, Wanted])[] = [];
  const left = [...here];
  const takeUp = (open: readonly Wanted[], isMatch: (local: Local, wanted: Wanted) => boolean): Wanted[] =>
    open.filter((wanted) => {
      const at = left.findIndex((local) => local.identity === wanted.identity && isMatch(local, wanted));
      const local = left[at];
      if (local === undefined) return true;
      left.splice(at, 1);
      pairs.push([local, wanted]);
      return false;
    });
  const unnamed = takeUp(there, ({ constraint }, { folded }) => hasName(constraint, folded.constraint.name));
  // What was added by an ADD of its own is to be there under its name; other names are drift.
  const rest = takeUp(
    unnamed,
    ({ constraint }, { folded }) => isNameFree(folded) || constraint.name !== undefined,
  );
  takeUp(rest, (_, { folded }) => !folded.isAdded);
  return pairs;
}

const isNameFree = ({ constraint }: FoldedConstraint): boolean => constraint.name === undefined;

const hasName = ({ name }: CheckedConstraint, wanted: string | undefined): boolean =>
  name === wanted || (name !== undefined && wanted !== undefined && isSameName(name, wanted));

/** One without a name that says what another says, or is to say, makes no difference. */
function withoutRepetitions(rest: readonly Local[], there: readonly Wanted[]): readonly Local[] {
  const said = new Set(there.map(({ identity }) => identity));
  return rest.filter(({ constraint, identity }) => {
    const isSaidAgain = said.has(identity);
    said.add(identity);
    return constraint.name !== undefined || !isSaidAgain;
  });
}

/** All UNIQUEs, CHECKs and foreign keys of a table in the form of constraints of the table, wherever they are written. */
export function constraintsIn(table: TableDefinition): readonly CheckedConstraint[] {
  return [
    ...table.columns.flatMap((column): readonly CheckedConstraint[] => [
      ...column.uniques.map((unique) => ({
        kind: 'unique' as const,
        ...unique,
        columns: [{ column: column.name, descending: false }],
      })),
      ...column.checks.map((check) => ({ kind: 'check' as const, ...check })),
      ...column.references.map(({ name, ...target }) => ({
        kind: 'foreignKey' as const,
        name,
        columns: [column.name],
        target,
      })),
    ]),
    ...table.constraints.filter((one): one is CheckedConstraint => one.kind !== 'primaryKey'),
  ];
}
