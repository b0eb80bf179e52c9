import type { ColumnDefinition, KeyColumn, TableConstraint, TableDefinition } from '../../sql/ast.ts';
import { columnsNamed } from '../../sql/expression-names.ts';
import { foldIdentifier, isSameName } from '../../sql/fold-identifier.ts';
import type { ColumnKey, ShapeRecord } from './shape-record.ts';

export type CheckedConstraint = Exclude<TableConstraint, { readonly kind: 'primaryKey' }>;

/** What a statement says of one constraint, in the form of a constraint of the table. */
export interface ConstraintSource {
  readonly record: ShapeRecord;
  /** The table's name in the statement. */
  readonly table: string;
  readonly name: string | undefined;
  /** The key and NOT NULL are no constraints of their own, but have names that can be changed. */
  readonly body: CheckedConstraint | 'primaryKey' | 'notNull';
  /** The column that it was written on; null of one of the table. */
  readonly column: ColumnKey | null;
}

/** Lists the constraints that a column says, in the order of its text. */
export function constraintsOfColumn(
  { record, table }: Pick<ConstraintSource, 'record' | 'table'>,
  column: ColumnDefinition,
): readonly ConstraintSource[] {
  const key = keyOf(record, column.name);
  const own = { record, table, column: key };
  const named = (name: string | undefined, body: 'primaryKey' | 'notNull'): readonly ConstraintSource[] =>
    name === undefined ? [] : [{ ...own, name, body }];
  const bodies: readonly CheckedConstraint[] = [
    ...column.uniques.map((unique) => ({ kind: 'unique' as const, ...unique, columns: [plain(column)] })),
    ...column.checks.map((check) => ({ kind: 'check' as const, ...check })),
    ...column.references.map(({ name, ...target }) => ({
      kind: 'foreignKey' as const,
      name,
      columns: [column.name],
      target,
    })),
  ];
  return [
    ...named(column.notNull?.name, 'notNull'),
    ...named(column.primaryKey?.name, 'primaryKey'),
    ...bodies.map((body) => ({ ...own, name: body.name, body })),
  ];
}

/** Lists the constraints that a CREATE TABLE says, those of the columns first. */
export function constraintsOfTable(
  record: ShapeRecord,
  definition: TableDefinition,
): readonly ConstraintSource[] {
  const own = { record, table: definition.name };
  return [
    ...definition.columns.flatMap((column) => constraintsOfColumn(own, column)),
    ...definition.constraints.flatMap((constraint): readonly ConstraintSource[] => {
      if (constraint.kind !== 'primaryKey') return [sourceOfConstraint(own, constraint)];
      const { name } = constraint;
      return name === undefined ? [] : [{ ...own, name, body: 'primaryKey', column: null }];
    }),
  ];
}

/** A constraint that stands at the table. */
export const sourceOfConstraint = (
  own: Pick<ConstraintSource, 'record' | 'table'>,
  body: CheckedConstraint,
): ConstraintSource => ({ ...own, name: body.name, body, column: null });

const plain = ({ name }: ColumnDefinition): KeyColumn => ({ column: name, descending: false });

/** The key of a column that a statement names; of one that it should not name, something of its own. */
export const keyOf = ({ columnIds }: ShapeRecord, name: string): ColumnKey =>
  columnIds.get(foldIdentifier(name)) ?? `unknown ${foldIdentifier(name)}`;

/** The keys of the columns that a constraint cannot do without. */
export function columnsNeeded({ record, table, body, column }: ConstraintSource): readonly ColumnKey[] {
  const own = column === null ? [] : [column];
  if (typeof body === 'string') return own;
  switch (body.kind) {
    case 'unique':
      return [...own, ...body.columns.map((part) => keyOf(record, part.column))];
    case 'check':
      return [...own, ...keysNamed(record, body.expression)];
    case 'foreignKey': {
      const { columns, target } = body;
      const parents = isSameName(target.table, table) ? target.columns : [];
      return [...own, ...[...columns, ...parents].map((name) => keyOf(record, name))];
    }
  }
}

/** The keys of the columns that an expression names. What is no column of the table may be a text in double quotes. */
export const keysNamed = ({ columnIds }: ShapeRecord, expression: string): readonly ColumnKey[] =>
  [...columnsNamed(expression)].flatMap((name) => columnIds.get(name) ?? []);
