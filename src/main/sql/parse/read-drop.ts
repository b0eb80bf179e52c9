import type { DropStatement } from '../ast.ts';
import { readQualifiedName } from './read-names.ts';
import type { TokenCursor } from './token-cursor.ts';

const KINDS = [
  ['table', 'dropTable'],
  ['index', 'dropIndex'],
  ['view', 'dropView'],
  ['trigger', 'dropTrigger'],
] as const;

/** Reads what follows DROP. */
export function readDrop(cursor: TokenCursor): DropStatement {
  const kind = KINDS.find(([word]) => cursor.take(word))?.[1];
  if (kind === undefined) cursor.fail('expected TABLE, INDEX, VIEW or TRIGGER');
  const ifExists = cursor.take('if', 'exists');
  return { kind: kind ?? 'dropTable', ifExists, ...readQualifiedName(cursor, 'a name') };
}
