import type { TableDefinition } from '../../sql/ast.ts';
import { identityOfConstraint } from '../../sql/constraint-identity.ts';
import { renameInConstraint } from '../../sql/rename-in-definition.ts';
import type { ConstraintLife } from './constraint-lives.ts';
import { columnsNeeded, type CheckedConstraint, type ConstraintSource } from './constraint-source.ts';
import type { ColumnLife } from './fold-columns.ts';
import { nameOf } from './fold-columns.ts';
import { contextOf, type TableNames } from './names-here.ts';
import type { ColumnKey } from './shape-record.ts';
import { shareNames } from './share-names.ts';

/** A constraint that is there, under the names that hold. */
export interface FoldedConstraint {
  readonly constraint: CheckedConstraint;
  /** The column that it is written on; null of one of the table. */
  readonly column: ColumnKey | null;
  /** Whether its name was given by a rename, so that it is no matter of drift. */
  readonly isRenamed: boolean;
  /** Whether an ADD of it is recorded: one of the same name is to be there, not only an equal one. */
  readonly isAdded: boolean;
  /** Whether it is drift: twins of its column lack it, and it may be missing for ever. */
  readonly isDrift: boolean;
}

export interface FoldedConstraints {
  readonly standing: readonly FoldedConstraint[];
  /** What only some of the twins of a column say: it may stand where it was written, and comes nowhere else. */
  readonly drifting: readonly FoldedConstraint[];
}

/** Folds the constraints of a table: those that were not dropped and whose columns are all there. */
export function foldConstraints(
  lives: readonly ConstraintLife[],
  context: { readonly columns: readonly ColumnLife[]; readonly names: TableNames },
): FoldedConstraints {
  const { names } = context;
  const columns = new Map(context.columns.map((column) => [column.key, column]));
  const possible = lives.flatMap((life): readonly Candidate[] => {
    if (life.drops.length > 0) return [];
    const shown = life.sources.filter((source) => isShown(source, columns));
    // Those without a name are equal; the first says it in its words.
    const source = (nameOf(life) === undefined ? shown[0] : shown.at(-1)) ?? life.sources[0];
    const { body } = source;
    if (typeof body === 'string' || columnsNeeded(source).some((key) => !columns.has(key))) return [];
    return [{ life, source, body, isStanding: shown.length > 0 }];
  });
  const standing = possible.filter(({ isStanding }) => isStanding);
  const drifting = possible.filter(({ isStanding }) => !isStanding);
  const given = shareConstraintNames(standing);
  const fold = (candidate: Candidate): FoldedConstraint => {
    const { life, source, body } = candidate;
    const name = given.get(candidate) ?? nameOf(life);
    return {
      constraint: { ...renameInConstraint(body, contextOf(source, names)), name },
      column: source.column,
      isRenamed: life.renames.length > 0,
      isAdded: life.sources.some(({ record }) => record.type === 'add_constraint'),
      isDrift: isDrift(candidate, columns),
    };
  };
  return { standing: standing.map(fold), drifting: drifting.map(fold) };
}

interface Candidate {
  readonly life: ConstraintLife;
  /** The one that says what it is. */
  readonly source: ConstraintSource;
  readonly body: CheckedConstraint;
  readonly isStanding: boolean;
}

/** Of what twins of a column say, UNIQUE is as the later has it, and CHECK and REFERENCES as the first. */
function isShown({ column, record, body }: ConstraintSource, columns: ReadonlyMap<ColumnKey, ColumnLife>) {
  if (column === null || typeof body === 'string') return true;
  const sources = columns.get(column)?.sources;
  if (sources === undefined) return false;
  return record === (body.kind === 'unique' ? sources.at(-1) : sources[0])?.record;
}

/** Whether some of the statements that made its column do not say it. */
function isDrift({ life, source: { column }, body }: Candidate, columns: ReadonlyMap<ColumnKey, ColumnLife>) {
  const sources = column === null ? undefined : columns.get(column)?.sources;
  if (sources === undefined || body.kind === 'unique') return false;
  return sources.some(({ record }) => life.sources.every((source) => source.record !== record));
}

function shareConstraintNames(candidates: readonly Candidate[]): ReadonlyMap<Candidate, string> {
  return shareNames(
    candidates.flatMap((candidate) => {
      const { life, source } = candidate;
      const name = nameOf(life);
      const { stamp } = life.renames.at(-1)?.record ?? source.record;
      return name === undefined ? [] : [{ key: candidate, name, stamp }];
    }),
  );
}

/** Without the constraints that have no name and say what another says too. */
export function withoutRepetitions(
  constraints: readonly FoldedConstraint[],
  table: TableDefinition,
): readonly FoldedConstraint[] {
  const named = new Set(
    constraints.flatMap(({ constraint }) =>
      constraint.name === undefined ? [] : [identityOfConstraint(constraint, table)],
    ),
  );
  const seen = new Set<string>();
  return constraints.filter(({ constraint }) => {
    if (constraint.name !== undefined) return true;
    const identity = identityOfConstraint(constraint, table);
    const isSaidAgain = named.has(identity) || seen.has(identity);
    seen.add(identity);
    return !isSaidAgain;
  });
}
