import type { StoreDatabase } from './store-database.ts';
import type { TableRegistry } from './table-registry.ts';

/** Problems of the file and the bookkeeping, a sentence each; empty when all is sound. */
export function checkBookkeeping(db: StoreDatabase, _registry: TableRegistry): readonly string[] {
  const found = db.preparePluck<[], string>('pragma integrity_check').all();
  return found.filter((line) => line !== 'ok');
}
