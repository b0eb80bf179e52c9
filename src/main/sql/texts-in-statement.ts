import type { AlterAction, ColumnDefinition, DdlStatement, SqlText, TableConstraint } from './ast.ts';

/**
 * Lists what a statement leaves to SQLite to read: expressions, selects, and the statements of a trigger's body, as they
 * were written.
 */
export function textsInStatement(statement: DdlStatement): readonly SqlText[] {
  switch (statement.kind) {
    case 'createTable': {
      const { columns, constraints } = statement.table;
      return [...columns.flatMap(textsInColumn), ...constraints.flatMap(textsInConstraint)];
    }
    case 'createTableAs':
      return [statement.select];
    case 'createIndex': {
      const { parts, where } = statement.index;
      const expressions = parts.flatMap((part) => (part.kind === 'expression' ? [part.expression] : []));
      return [...expressions, ...present(where)];
    }
    case 'createView':
      return [statement.view.select];
    case 'createTrigger':
      return [...present(statement.trigger.when), ...statement.trigger.body];
    case 'alterTable':
      return textsInAction(statement.action);
    default:
      return [];
  }
}

function textsInAction(action: AlterAction): readonly SqlText[] {
  switch (action.kind) {
    case 'addColumn':
      return textsInColumn(action.column);
    case 'addConstraint':
    case 'dropUnnamedConstraint':
      return textsInConstraint(action.constraint);
    case 'setDefault':
      return [action.defaultText];
    default:
      return [];
  }
}

function textsInColumn({ checks, defaultText, generated }: ColumnDefinition): readonly SqlText[] {
  return [
    ...checks.map(({ expression }) => expression),
    ...present(defaultText),
    ...present(generated?.expression),
  ];
}

function textsInConstraint(constraint: TableConstraint): readonly SqlText[] {
  return constraint.kind === 'check' ? [constraint.expression] : [];
}

function present(text: SqlText | undefined): readonly SqlText[] {
  return text === undefined ? [] : [text];
}
