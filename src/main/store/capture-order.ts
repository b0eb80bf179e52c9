import { installCapture, mayRaise } from './capture-triggers.ts';
import type { ReplicaStore } from './replica-store.ts';

/**
 * Keeps the capture of a table ahead of triggers of the application that have just been made: one that passes over what
 * follows it would pass over capture too. `sql`: their texts. Costs nothing where none of them raises.
 */
export function keepCaptureAhead(store: ReplicaStore, tableName: string, sql: string): void {
  const table = mayRaise(sql) ? store.registry.byName(tableName) : null;
  if (table !== null) installCapture(store.db, table);
}
