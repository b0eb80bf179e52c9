import type {
  ColumnDefinition,
  ConflictAction,
  ForeignKeyTarget,
  KeyColumn,
  ReferentialAction,
  TableConstraint,
} from '../ast.ts';
import { canonicalExpression } from '../canonical-expression.ts';
import { canonicalType } from '../canonical-type.ts';

export type NameRenderer = (name: string) => string;

/** Writes a column of CREATE TABLE or ADD COLUMN on one line. */
export function renderColumn(column: ColumnDefinition, nameOf: NameRenderer): string {
  return [
    nameOf(column.name),
    canonicalType(column.type),
    ...renderKey(column, nameOf),
    ...(column.notNull === undefined
      ? []
      : [named(column.notNull.name, nameOf, `NOT NULL${renderConflict(column.notNull.conflict)}`)]),
    ...column.uniques.map(({ name, conflict }) => named(name, nameOf, `UNIQUE${renderConflict(conflict)}`)),
    column.defaultText === undefined ? '' : `DEFAULT ${renderDefault(column.defaultText)}`,
    column.collation === undefined ? '' : `COLLATE ${nameOf(column.collation)}`,
    ...column.checks.map(({ name, expression }) => named(name, nameOf, renderCheck(expression))),
    ...column.references.map((target) => named(target.name, nameOf, renderTarget(target, nameOf))),
    renderGenerated(column),
  ]
    .filter((part) => part !== '')
    .join(' ');
}

/** Writes a table constraint on one line. */
export function renderConstraint(constraint: TableConstraint, nameOf: NameRenderer): string {
  return named(constraint.name, nameOf, renderUnnamed(constraint, nameOf));
}

/** Writes `(a, b COLLATE NOCASE DESC)`. */
export function renderKeyColumns(columns: readonly KeyColumn[], nameOf: NameRenderer, suffix = ''): string {
  return `(${columns.map((column) => renderKeyColumn(column, nameOf)).join(', ')}${suffix})`;
}

/** Writes one column of a key or an index. */
export function renderKeyColumn(column: KeyColumn, nameOf: NameRenderer): string {
  const collation = column.collation === undefined ? '' : ` COLLATE ${nameOf(column.collation)}`;
  return `${nameOf(column.column)}${collation}${column.descending ? ' DESC' : ''}`;
}

/** Writes a default; parentheses that the grammar demands stay. */
export function renderDefault(defaultText: string): string {
  return defaultText.startsWith('(')
    ? `(${canonicalExpression(defaultText)})`
    : canonicalExpression(defaultText);
}

function renderKey({ primaryKey }: ColumnDefinition, nameOf: NameRenderer): readonly string[] {
  if (primaryKey === undefined) return [];
  const direction = primaryKey.descending ? ' DESC' : '';
  const autoincrement = primaryKey.autoincrement ? ' AUTOINCREMENT' : '';
  const key = `PRIMARY KEY${direction}${renderConflict(primaryKey.conflict)}${autoincrement}`;
  return [named(primaryKey.name, nameOf, key)];
}

function renderUnnamed(constraint: TableConstraint, nameOf: NameRenderer): string {
  switch (constraint.kind) {
    case 'primaryKey': {
      const suffix = constraint.autoincrement ? ' AUTOINCREMENT' : '';
      const columns = renderKeyColumns(constraint.columns, nameOf, suffix);
      return `PRIMARY KEY ${columns}${renderConflict(constraint.conflict)}`;
    }
    case 'unique':
      return `UNIQUE ${renderKeyColumns(constraint.columns, nameOf)}${renderConflict(constraint.conflict)}`;
    case 'check':
      return renderCheck(constraint.expression);
    case 'foreignKey':
      return `FOREIGN KEY ${renderNames(constraint.columns, nameOf)} ${renderTarget(constraint.target, nameOf)}`;
  }
}

function renderCheck(expression: string): string {
  return `CHECK (${canonicalExpression(expression)})`;
}

function renderGenerated({ generated }: ColumnDefinition): string {
  if (generated === undefined) return '';
  return `GENERATED ALWAYS AS (${canonicalExpression(generated.expression)})${generated.stored ? ' STORED' : ''}`;
}

const ACTIONS: Readonly<Record<ReferentialAction, string>> = {
  noAction: 'NO ACTION',
  restrict: 'RESTRICT',
  setNull: 'SET NULL',
  setDefault: 'SET DEFAULT',
  cascade: 'CASCADE',
};

function renderTarget(target: ForeignKeyTarget, nameOf: NameRenderer): string {
  const columns = target.columns.length === 0 ? '' : ` ${renderNames(target.columns, nameOf)}`;
  const onDelete = target.onDelete === undefined ? '' : ` ON DELETE ${ACTIONS[target.onDelete]}`;
  const onUpdate = target.onUpdate === undefined ? '' : ` ON UPDATE ${ACTIONS[target.onUpdate]}`;
  const match = target.match === undefined ? '' : ` MATCH ${renderMatch(target.match, nameOf)}`;
  return `REFERENCES ${nameOf(target.table)}${columns}${onDelete}${onUpdate}${match}${renderDeferral(target)}`;
}

function renderMatch(match: string, nameOf: NameRenderer): string {
  return /^(?:full|partial|simple)$/i.test(match) ? match.toUpperCase() : nameOf(match);
}

function renderDeferral({ deferral }: ForeignKeyTarget): string {
  if (deferral === undefined) return '';
  const initially = deferral.initially === undefined ? '' : ` INITIALLY ${deferral.initially.toUpperCase()}`;
  return `${deferral.deferrable ? '' : ' NOT'} DEFERRABLE${initially}`;
}

function renderNames(names: readonly string[], nameOf: NameRenderer): string {
  return `(${names.map(nameOf).join(', ')})`;
}

/** Writes ON CONFLICT with a blank before it; '' for none. */
export function renderConflict(conflict: ConflictAction | undefined): string {
  return conflict === undefined ? '' : ` ON CONFLICT ${conflict.toUpperCase()}`;
}

function named(name: string | undefined, nameOf: NameRenderer, text: string): string {
  return name === undefined ? text : `CONSTRAINT ${nameOf(name)} ${text}`;
}
