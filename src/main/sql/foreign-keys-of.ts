import type { CheckClause, ForeignKeyTarget, TableDefinition } from './ast.ts';

/** A foreign key with the columns that refer. */
export interface DefinedForeignKey {
  readonly columns: readonly string[];
  readonly target: ForeignKeyTarget;
}

/** Every CHECK of a table, of its columns first. */
export const checksOf = ({ columns, constraints }: TableDefinition): readonly CheckClause[] => [
  ...columns.flatMap(({ checks }) => checks),
  ...constraints.flatMap((constraint) => (constraint.kind === 'check' ? [constraint] : [])),
];

/** Every foreign key of a table, of its columns first. */
export const foreignKeysOf = ({ columns, constraints }: TableDefinition): readonly DefinedForeignKey[] => [
  ...columns.flatMap(({ name, references }) => references.map((target) => ({ columns: [name], target }))),
  ...constraints.flatMap((constraint) => (constraint.kind === 'foreignKey' ? [constraint] : [])),
];
