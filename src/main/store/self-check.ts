import type { StoreDatabase } from './store-database.ts';
import type { TableRegistry } from './table-registry.ts';

export function checkFile(_db: StoreDatabase, _registry: TableRegistry): readonly string[] {
  return [];
}
