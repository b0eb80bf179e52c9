import type { DdlStatement } from './ast.ts';
import { mentionedNames } from './mentioned-names.ts';

/**
 * Whether SQLite's RENAME TO of one of the tables, given by folded names, might change what a trigger means.
 *
 * SQLite 3.54 takes EXCLUDED for the table that an upsert writes to, and writes the table's new name for both: of
 * `set n = excluded.n` it makes `set n = renamed.n`, which is the old value instead of the new one.
 */
export function isSpoiltByRename(statement: DdlStatement, tables: Iterable<string>): boolean {
  if (statement.kind !== 'createTrigger') return false;
  const identifiers = new Set(mentionedNames(statement).identifiers);
  return identifiers.has('excluded') && [...tables].some((table) => identifiers.has(table));
}
