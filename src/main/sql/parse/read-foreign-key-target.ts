import type { Deferral, ForeignKeyTarget, ReferentialAction } from '../ast.ts';
import { readOptionalNames } from './read-names.ts';
import type { TokenCursor } from './token-cursor.ts';

/** Reads what follows REFERENCES, without the deferral. */
export function readForeignKeyTarget(cursor: TokenCursor): ForeignKeyTarget {
  const table = cursor.expectName('the parent table');
  const columns = readOptionalNames(cursor, 'a parent column');
  let target: ForeignKeyTarget = { table, columns };
  for (;;) {
    if (cursor.take('on', 'delete')) target = { ...target, onDelete: readAction(cursor) };
    else if (cursor.take('on', 'update')) target = { ...target, onUpdate: readAction(cursor) };
    // SQLite's grammar has this arm too and forgets what it says.
    else if (cursor.take('on', 'insert')) readAction(cursor);
    else if (cursor.take('match')) target = { ...target, match: cursor.expectName('a match type') };
    else return target;
  }
}

/** Reads [NOT] DEFERRABLE [INITIALLY DEFERRED | IMMEDIATE] if it stands here. */
export function readDeferral(cursor: TokenCursor): Deferral | undefined {
  const isNegated = cursor.take('not', 'deferrable');
  if (!isNegated && !cursor.take('deferrable')) return undefined;
  const deferrable = !isNegated;
  if (!cursor.take('initially')) return { deferrable };
  if (cursor.take('deferred')) return { deferrable, initially: 'deferred' };
  cursor.expect('immediate');
  return { deferrable, initially: 'immediate' };
}

function readAction(cursor: TokenCursor): ReferentialAction {
  if (cursor.take('set', 'null')) return 'setNull';
  if (cursor.take('set', 'default')) return 'setDefault';
  if (cursor.take('cascade')) return 'cascade';
  if (cursor.take('restrict')) return 'restrict';
  cursor.expect('no', 'action');
  return 'noAction';
}
