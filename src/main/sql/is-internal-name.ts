import { foldIdentifier } from './fold-identifier.ts';

/** Whether an object is SQLite's own, such as `sqlite_schema` or `sqlite_autoindex_t_1`. */
export function isInternalName(name: string): boolean {
  return foldIdentifier(name).startsWith('sqlite_');
}
