import { foldIdentifier } from '../sql/fold-identifier.ts';
import { parseDdl } from '../sql/parse-ddl.ts';
import { recordDrop } from '../store/catalog-objects.ts';
import { endFinding } from '../store/write-finding.ts';
import type { ReplicaStore } from '../store/replica-store.ts';

/**
 * Drops a view or trigger that is parked, which SQLite does not know of, and records that. False, and nothing done, where the
 * statement is about anything else.
 */
export function dropParked(store: ReplicaStore, text: string): boolean {
  const parsed = parseDdl(text);
  if (!parsed.ok || (parsed.value.kind !== 'dropView' && parsed.value.kind !== 'dropTrigger')) return false;
  const { name } = parsed.value;
  const kind = parsed.value.kind === 'dropView' ? 'view' : 'trigger';
  const parked = store.objects.get(kind, name);
  const { views, triggers } = store.catalog.read();
  const isInFile = (kind === 'view' ? views : triggers).has(foldIdentifier(name));
  if (parked?.text !== null || isInFile) return false;
  recordDrop(store, parked);
  endFinding(store, { kind: 'parked', table: parked.name, subject: kind });
  return true;
}
