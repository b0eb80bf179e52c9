import { foldIdentifier } from '../sql/fold-identifier.ts';
import { quoteIdentifier } from '../sql/quote-identifier.ts';
import type { Admission } from './admission-context.ts';
import { sqliteCodeOf } from './constraint-failure.ts';

/**
 * Takes the application's triggers off a table until the admission ends: their effects were captured at the author and
 * travel as facts of their own. A guard in their WHEN would not do: a function that is missing here fails all the same.
 *
 * Source: engine.md, section 1.
 */
export function silenceTriggers(admission: Admission, table: string): void {
  const { db, catalog } = admission.store;
  const key = foldIdentifier(table);
  if (admission.silenced.has(key)) return;
  const triggers = [...catalog.read().triggers.values()].filter(
    (trigger) => foldIdentifier(trigger.table) === key,
  );
  admission.silenced.set(
    key,
    triggers.map(({ sql }) => sql),
  );
  for (const { name } of triggers) db.exec(`drop trigger ${quoteIdentifier(name)}`);
}

/** Puts the triggers of all silenced tables back, each table's in catalog order. Those of a table that is gone went with it. */
export function restoreTriggers({ store, silenced }: Admission): void {
  for (const [table, triggers] of silenced) {
    if (triggers.length === 0 || !store.catalog.read().tables.has(table)) continue;
    for (const sql of triggers) {
      try {
        store.db.exec(sql);
      } catch (cause) {
        if (sqliteCodeOf(cause) !== 'SQLITE_ERROR') throw cause;
        // It speaks of a column that a decision about the table's shape took away (engine.md, section 3).
        store.ports.log.warn('admission.trigger-lost', { table, sql });
      }
    }
  }
  silenced.clear();
}
