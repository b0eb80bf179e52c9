import type { Migration } from '#shared/model/change-group.ts';
import { compareStamps } from '#shared/model/hlc.ts';

import { isSameName } from '../sql/fold-identifier.ts';
import { parseDdl } from '../sql/parse-ddl.ts';
import type { RecordedMigration } from './migration-records.ts';
import { livesOf } from './recorded-facts.ts';
import type { ReplicaStore } from './replica-store.ts';

/**
 * The creation that shows under the name of a view or trigger: of those that were not dropped the latest. A function of
 * what is recorded, whatever order it came in. Null when there is none.
 */
export function creationToShow(
  store: ReplicaStore,
  element: Pick<Migration, 'kind' | 'object' | 'tableId'>,
): RecordedMigration | null {
  return creationsOf(store, element).alive.reduce<RecordedMigration | null>(
    (latest, creation) => (latest === null || isLater(creation, latest) ? creation : latest),
    null,
  );
}

/** What was dropped, or ended with its table, is sent no more. */
export function retireEnded(
  store: ReplicaStore,
  element: Pick<Migration, 'kind' | 'object' | 'tableId'>,
): void {
  for (const { n, inForce } of creationsOf(store, element).ended) if (inForce) store.migrations.retireOne(n);
}

function creationsOf(
  store: ReplicaStore,
  element: Pick<Migration, 'kind' | 'object' | 'tableId'>,
): { readonly alive: readonly RecordedMigration[]; readonly ended: readonly RecordedMigration[] } {
  const alive: RecordedMigration[] = [];
  const ended: RecordedMigration[] = [];
  for (const { creations, drops } of livesOf(store, element)) {
    for (const { id } of creations) {
      const creation = store.migrations.byId(id);
      // One of a unit that is still being admitted is not recorded yet.
      if (creation === null) continue;
      (drops.length > 0 || hasEnded(store, creation.migration) ? ended : alive).push(creation);
    }
  }
  return { alive, ended };
}

const isLater = (left: RecordedMigration, right: RecordedMigration): boolean =>
  compareStamps(left.migration.stamp, right.migration.stamp) > 0;

/** A trigger goes with its table for good, as SQLite has it: a table made anew under the name does not bring it back. */
export function hasEnded(store: Pick<ReplicaStore, 'registry'>, migration: Migration): boolean {
  const parsed = migration.kind === 'trigger' ? parseDdl(migration.ddl) : null;
  if (parsed?.ok !== true || parsed.value.kind !== 'createTrigger') return false;
  const { table } = parsed.value.trigger;
  const mention = migration.mentions.find(({ name }) => isSameName(name, table));
  return mention !== undefined && store.registry.byId(mention.table)?.name === null;
}
