import type { DdlStatement, TriggerDefinition } from '../ast.ts';
import { readBalanced } from './read-balanced.ts';
import { readIfNotExists, readNames, readQualifiedName } from './read-names.ts';
import type { TokenCursor } from './token-cursor.ts';

/** Reads what follows CREATE [TEMP] TRIGGER. */
export function readCreateTrigger(cursor: TokenCursor, temporary: boolean): DdlStatement {
  const ifNotExists = readIfNotExists(cursor);
  const { schema, name } = readQualifiedName(cursor, 'a trigger name');
  const time = readTime(cursor);
  const event = readEvent(cursor);
  const columns = event === 'update' && cursor.take('of') ? readNames(cursor, 'a column name') : [];
  cursor.expect('on');
  const on = readQualifiedName(cursor, 'a table name');
  cursor.take('for', 'each', 'row');
  const when = cursor.take('when') ? readWhen(cursor) : undefined;
  const trigger = { name, table: on.name, time, event, columns, when, body: readBody(cursor) };
  return { kind: 'createTrigger', schema, temporary, ifNotExists, trigger, tableSchema: on.schema };
}

function readTime(cursor: TokenCursor): TriggerDefinition['time'] {
  if (cursor.take('after')) return 'after';
  if (cursor.take('instead', 'of')) return 'insteadOf';
  cursor.take('before');
  return 'before';
}

function readEvent(cursor: TokenCursor): TriggerDefinition['event'] {
  if (cursor.take('insert')) return 'insert';
  if (cursor.take('delete')) return 'delete';
  cursor.expect('update');
  return 'update';
}

function readWhen(cursor: TokenCursor): string {
  // `new.begin` is a column; BEGIN on its own ends the condition.
  const { from, to } = readBalanced(cursor, () => cursor.isAt('begin') && cursor.peek(-1)?.text !== '.');
  return cursor.textBetween(from, to);
}

function readBody(cursor: TokenCursor): readonly string[] {
  cursor.expect('begin');
  const body: string[] = [];
  while (!cursor.isAtEnd() && !cursor.isAt('end')) {
    const { from, to } = readBalanced(cursor, () => cursor.isAtOperator(';'));
    cursor.expectOperator(';');
    body.push(cursor.textBetween(from, to));
  }
  if (body.length === 0) cursor.fail('expected a statement');
  cursor.expect('end');
  return body;
}
