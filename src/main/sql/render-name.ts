import { isKeyword } from './keywords.ts';
import { quoteIdentifier } from './quote-identifier.ts';

/** Writes a name as people like to read it: bare where it is a plain word that SQLite has no use for, else quoted. */
export function renderName(name: string): string {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !isKeyword(name) ? name : quoteIdentifier(name);
}
