import type {
  AlterAction,
  ColumnDefinition,
  ForeignKeyTarget,
  IndexDefinition,
  KeyColumn,
  TableConstraint,
  TableDefinition,
} from './ast.ts';
import { listExpressionNames, type NameInText } from './expression-names.ts';
import { foldIdentifier, isSameName } from './fold-identifier.ts';
import { quoteIdentifier } from './quote-identifier.ts';
import { renderName } from './render-name.ts';

/** New names of tables and columns. All are given at once, so that two can swap their names. */
export interface NameChanges {
  /** Folded old name of a table to its new name. */
  readonly tables: ReadonlyMap<string, string>;
  /** Folded old name of a table to what its columns are called: folded old name to new name. */
  readonly columns: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

/** The changes of one table's columns alone. */
export function columnChanges(table: string, columns: ReadonlyMap<string, string>): NameChanges {
  return { tables: new Map(), columns: new Map([[foldIdentifier(table), columns]]) };
}

/**
 * Puts the new names into a table: its own, those of its columns, and those of tables that its foreign keys refer to.
 * Constraints keep their names, and texts of string literals their words. An expression in which nothing changes stays as
 * it was written.
 */
export function renameInTable(table: TableDefinition, changes: NameChanges): TableDefinition {
  const context = { table: table.name, changes };
  return {
    ...table,
    name: newTableName(table.name, changes),
    columns: table.columns.map((column) => renameInColumn(column, context)),
    constraints: table.constraints.map((constraint) => renameInConstraint(constraint, context)),
  };
}

/** Puts the new names into an index: its table, its parts, its condition. The index keeps its own. */
export function renameInIndex(index: IndexDefinition, changes: NameChanges): IndexDefinition {
  const context = { table: index.table, changes };
  const { where } = index;
  return {
    ...index,
    table: newTableName(index.table, changes),
    parts: index.parts.map((part) =>
      part.kind === 'column'
        ? { ...part, ...renameInKeyColumn(part, context) }
        : { ...part, expression: renameInExpression(part.expression, context) },
    ),
    ...(where === undefined ? {} : { where: renameInExpression(where, context) }),
  };
}

/** The table whose columns are meant where a name stands alone, by the name that it has in the text. */
export interface RenameContext {
  readonly table: string;
  readonly changes: NameChanges;
}

/** Puts the new names into what an alteration of the table says. */
export function renameInAction(action: AlterAction, context: RenameContext): AlterAction {
  switch (action.kind) {
    case 'renameTable':
    case 'dropConstraint':
    case 'renameConstraint':
      return action;
    case 'addColumn':
      return { ...action, column: renameInColumn(action.column, context) };
    case 'addConstraint':
    case 'dropUnnamedConstraint': {
      const { constraint } = action;
      return { ...action, constraint: renameInConstraint(constraint, context) };
    }
    case 'alterPrimaryKey':
      return { ...action, columns: action.columns.map((column) => renameInKeyColumn(column, context)) };
    default:
      return { ...action, column: newColumnName(action.column, context) };
  }
}

/** Puts the new names into a column: its own, and those in its CHECKs, generated expression and references. */
export function renameInColumn(column: ColumnDefinition, context: RenameContext): ColumnDefinition {
  const { generated } = column;
  return {
    ...column,
    name: newColumnName(column.name, context),
    checks: column.checks.map((check) => ({
      ...check,
      expression: renameInExpression(check.expression, context),
    })),
    references: column.references.map((target) => renameInTarget(target, context.changes)),
    ...(generated === undefined
      ? {}
      : { generated: { ...generated, expression: renameInExpression(generated.expression, context) } }),
  };
}

/** Puts the new names into a constraint of the table, which keeps its own. */
export function renameInConstraint<C extends TableConstraint>(constraint: C, context: RenameContext): C;
export function renameInConstraint(constraint: TableConstraint, context: RenameContext): TableConstraint {
  switch (constraint.kind) {
    case 'primaryKey':
    case 'unique':
      return { ...constraint, columns: constraint.columns.map((part) => renameInKeyColumn(part, context)) };
    case 'check':
      return { ...constraint, expression: renameInExpression(constraint.expression, context) };
    case 'foreignKey':
      return {
        ...constraint,
        columns: constraint.columns.map((column) => newColumnName(column, context)),
        target: renameInTarget(constraint.target, context.changes),
      };
  }
}

/** Puts the new names of columns into an expression of the table, and the new name of the table in front of a dot. */
function renameInExpression(expression: string, context: RenameContext): string {
  const { table, changes } = context;
  const replacements = listExpressionNames(expression).flatMap((column) => {
    if (column.table !== undefined && !isSameName(column.table.name, table)) return [];
    return [
      ...(column.table === undefined
        ? []
        : [{ ...column.table, newName: newTableName(column.table.name, changes) }]),
      { ...column, newName: newColumnName(column.name, context) },
    ];
  });
  return replaceNames(expression, replacements);
}

/** A name in a text with what takes its place. */
export interface Replacement extends NameInText {
  readonly newName: string;
}

/** Writes new names into a text; a name that stays is left as it was written. Replacements in the order of the text. */
export function replaceNames(text: string, replacements: readonly Replacement[]): string {
  let written = '';
  let from = 0;
  for (const { name, start, end, newName } of replacements) {
    if (name === newName) continue;
    written += text.slice(from, start) + renderNameInText(newName);
    from = end;
  }
  return written + text.slice(from);
}

// A bare TRUE is a column only as long as there is one; in quotes it is nothing else.
function renderNameInText(name: string): string {
  return /^(?:true|false)$/i.test(name) ? quoteIdentifier(name) : renderName(name);
}

function renameInKeyColumn(part: KeyColumn, context: RenameContext): KeyColumn {
  const { collation, descending } = part;
  return { column: newColumnName(part.column, context), collation, descending };
}

function renameInTarget<T extends ForeignKeyTarget>(target: T, changes: NameChanges): T {
  const context = { table: target.table, changes };
  return {
    ...target,
    table: newTableName(target.table, changes),
    columns: target.columns.map((column) => newColumnName(column, context)),
  };
}

function newTableName(name: string, { tables }: NameChanges): string {
  return tables.get(foldIdentifier(name)) ?? name;
}

function newColumnName(name: string, { table, changes }: RenameContext): string {
  return changes.columns.get(foldIdentifier(table))?.get(foldIdentifier(name)) ?? name;
}
