import type { ConflictAction } from '../ast.ts';
import type { TokenCursor } from './token-cursor.ts';

const ACTIONS: readonly ConflictAction[] = ['rollback', 'abort', 'fail', 'ignore', 'replace'];

/** Reads ON CONFLICT and its action if it stands here. */
export function readConflict(cursor: TokenCursor): ConflictAction | undefined {
  if (!cursor.take('on', 'conflict')) return undefined;
  const action = ACTIONS.find((candidate) => cursor.take(candidate));
  if (action === undefined) cursor.fail('expected ROLLBACK, ABORT, FAIL, IGNORE or REPLACE');
  return action;
}
