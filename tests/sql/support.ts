import type {
  DdlStatement,
  IndexDefinition,
  TableDefinition,
  TriggerDefinition,
  ViewDefinition,
} from '#main/sql/ast.ts';
import { parseDdl } from '#main/sql/parse-ddl.ts';

/** Parses a statement that is known to be right. */
export function aStatement(sql: string): DdlStatement {
  const parsed = parseDdl(sql);
  if (!parsed.ok) throw new Error(`${sql}\n${JSON.stringify(parsed.error)}`);
  return parsed.value;
}

export function aTable(sql: string): TableDefinition {
  const statement = aStatement(sql);
  if (statement.kind !== 'createTable') throw new Error(`no table: ${sql}`);
  return statement.table;
}

export function anIndex(sql: string): IndexDefinition {
  const statement = aStatement(sql);
  if (statement.kind !== 'createIndex') throw new Error(`no index: ${sql}`);
  return statement.index;
}

export function aView(sql: string): ViewDefinition {
  const statement = aStatement(sql);
  if (statement.kind !== 'createView') throw new Error(`no view: ${sql}`);
  return statement.view;
}

export function aTrigger(sql: string): TriggerDefinition {
  const statement = aStatement(sql);
  if (statement.kind !== 'createTrigger') throw new Error(`no trigger: ${sql}`);
  return statement.trigger;
}
