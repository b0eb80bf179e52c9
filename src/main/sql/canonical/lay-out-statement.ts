import type { AlterAction, AlterTableStatement, DdlStatement, DropStatement } from '../ast.ts';
import { canonicalType } from '../canonical-type.ts';
import { layOutIndex } from './lay-out-index.ts';
import { layOutTable } from './lay-out-table.ts';
import { layOutTrigger } from './lay-out-trigger.ts';
import { layOutView } from './lay-out-view.ts';
import {
  renderColumn,
  renderConflict,
  renderConstraint,
  renderDefault,
  renderKeyColumns,
} from './render-table.ts';
import type { Style } from './style.ts';

/** Writes any DDL statement in the given style. */
export function layOutStatement(statement: DdlStatement, style: Style): string {
  switch (statement.kind) {
    case 'createTable':
      return layOutTable(statement.table, style, headOf(statement, 'TABLE', style));
    case 'createTableAs': {
      const head = headOf(statement, 'TABLE', style);
      return `${head}${style.nameOf(statement.name)} AS\n  ${style.selectOf(statement.select)}`;
    }
    case 'createIndex':
      return layOutIndex(statement.index, style, qualifierOf(statement, style));
    case 'createView':
      return layOutView(statement.view, style, headOf(statement, 'VIEW', style));
    case 'createTrigger':
      return layOutTrigger(statement.trigger, style, headOf(statement, 'TRIGGER', style));
    case 'createVirtualTable': {
      const { name, module, arguments: values } = statement.table;
      const list = values.length === 0 ? '' : `(${values.join(', ')})`;
      return `${headOf(statement, 'VIRTUAL TABLE', style)}${style.nameOf(name)} USING ${style.nameOf(module)}${list}`;
    }
    case 'alterTable':
      return layOutAlter(statement, style);
    default:
      return layOutDrop(statement, style);
  }
}

interface Created {
  readonly schema?: string | undefined;
  readonly temporary?: boolean;
  readonly ifNotExists: boolean;
}

function headOf(created: Created, object: string, style: Style): string {
  return `CREATE ${created.temporary === true ? 'TEMP ' : ''}${object} ${qualifierOf(created, style)}`;
}

function qualifierOf({ schema, ifNotExists }: Created, style: Style): string {
  return `${ifNotExists ? 'IF NOT EXISTS ' : ''}${schemaPrefix(schema, style)}`;
}

function schemaPrefix(schema: string | undefined, { nameOf }: Style): string {
  return schema === undefined ? '' : `${nameOf(schema)}.`;
}

function layOutDrop({ kind, schema, ifExists, name }: DropStatement, style: Style): string {
  const object = kind.slice('drop'.length).toUpperCase();
  return `DROP ${object} ${ifExists ? 'IF EXISTS ' : ''}${schemaPrefix(schema, style)}${style.nameOf(name)}`;
}

function layOutAlter({ schema, table, action }: AlterTableStatement, style: Style): string {
  return `ALTER TABLE ${schemaPrefix(schema, style)}${style.nameOf(table)} ${renderAction(action, style)}`;
}

function renderAction(action: AlterAction, style: Style): string {
  const { nameOf } = style;
  switch (action.kind) {
    case 'addColumn':
      return `ADD COLUMN ${renderColumn(action.column, nameOf)}`;
    case 'dropColumn':
      return `DROP COLUMN ${nameOf(action.column)}`;
    case 'renameColumn':
      return `RENAME COLUMN ${nameOf(action.column)} TO ${nameOf(action.newName)}`;
    case 'renameTable':
      return `RENAME TO ${nameOf(action.newName)}`;
    case 'addConstraint':
      return `ADD ${renderConstraint(action.constraint, nameOf)}`;
    case 'dropConstraint':
      return `DROP CONSTRAINT ${nameOf(action.name)}`;
    case 'renameConstraint':
      return `RENAME CONSTRAINT ${nameOf(action.name)} TO ${nameOf(action.newName)}`;
    case 'alterPrimaryKey':
      return `ALTER PRIMARY KEY ${renderKeyColumns(action.columns, nameOf)}`;
    default:
      return renderRest(action, style);
  }
}

function renderRest(
  action: ColumnChange | Extract<AlterAction, { readonly kind: 'dropUnnamedConstraint' }>,
  { nameOf }: Style,
): string {
  if (action.kind === 'dropUnnamedConstraint') return `DROP ${renderConstraint(action.constraint, nameOf)}`;
  return `ALTER COLUMN ${nameOf(action.column)} ${renderColumnChange(action, nameOf)}`;
}

type ColumnChange = Extract<
  AlterAction,
  { kind: 'setDataType' | 'setNotNull' | 'dropNotNull' | 'setDefault' | 'dropDefault' | 'setCollation' }
>;

function renderColumnChange(change: ColumnChange, nameOf: Style['nameOf']): string {
  switch (change.kind) {
    case 'setDataType':
      return `SET DATA TYPE ${canonicalType(change.type)}`;
    case 'setNotNull':
      return `SET NOT NULL${renderConflict(change.conflict)}`;
    case 'dropNotNull':
      return 'DROP NOT NULL';
    case 'setDefault':
      return `SET DEFAULT ${renderDefault(change.defaultText)}`;
    case 'dropDefault':
      return 'DROP DEFAULT';
    case 'setCollation':
      return `SET COLLATE ${nameOf(change.collation)}`;
  }
}
