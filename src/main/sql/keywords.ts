import { foldIdentifier } from './fold-identifier.ts';

// SQLite's keywords in two halves. Source: https://sqlite.org/lang_keywords.html and the fallback list of its
// grammar; a test asks the SQLite in use about each.

/** Words that can never be a name without quotes. */
const RESERVED = words(`
  add all alter and as autoincrement between case check collate commit constraint create default deferrable delete
  distinct drop else escape except exists foreign from group having in index insert intersect into is isnull join
  limit not nothing notnull null on or order primary references returning select set table then to transaction union
  unique update using values when where`);

/** Words that are a name wherever the grammar has no use for the keyword. */
const FALLBACK = words(`
  abort action after always analyze asc attach before begin by cascade cast column conflict cross current current_date
  current_time current_timestamp database deferred desc detach do each end exclude exclusive explain fail filter first
  following for full generated glob groups if ignore immediate indexed initially inner instead key last left like
  match materialized natural no nulls of offset others outer over partition plan pragma preceding query raise range
  recursive regexp reindex release rename replace restrict right rollback row rows savepoint temp temporary ties
  trigger unbounded vacuum view virtual window with within without`);

/** Whether SQLite knows the word, reserved or not. */
export function isKeyword(word: string): boolean {
  const folded = foldIdentifier(word);
  return RESERVED.has(folded) || FALLBACK.has(folded);
}

/** Whether the word can be a name only in quotes. */
export function isReservedWord(word: string): boolean {
  return RESERVED.has(foldIdentifier(word));
}

function words(list: string): ReadonlySet<string> {
  return new Set(list.trim().split(/\s+/));
}
