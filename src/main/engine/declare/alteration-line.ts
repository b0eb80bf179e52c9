import type { AlterAction, ColumnDefinition } from '../../sql/ast.ts';
import { renderStatement } from '../../sql/render-statement.ts';

/** What an alteration does to a table, in the words of the log. */
export function alterationLine(table: string, action: AlterAction): string {
  switch (action.kind) {
    case 'addColumn':
      return `added column ${withType(action.column)} to "${table}"`;
    case 'dropColumn':
      return `dropped column "${action.column}" from "${table}"`;
    case 'setDataType':
      return `converted column "${action.column}" of "${table}" to ${action.type === '' ? 'no type' : action.type}`;
    default:
      return `changed "${table}": ${renderStatement({ kind: 'alterTable', table, action })}`;
  }
}

const withType = ({ name, type }: ColumnDefinition): string =>
  type === '' ? `"${name}"` : `"${name}" ${type}`;
