import type { Migration } from '#shared/model/change-group.ts';

import type { Admission } from './admission-context.ts';

/**
 * A decision that made a table which was set aside one with a table that is here ends the setting aside: what was held of
 * it has a place now.
 */
export function endAnsweredAside(admission: Admission, { id, type, redefine }: Migration): void {
  if (type !== 'redefine_table') return;
  const { store } = admission;
  const aside = store.setAside();
  const answered = (redefine?.creations ?? []).filter(({ table }) => aside.has(table));
  if (answered.length === 0 || !store.migrations.has(id)) return;
  for (const { table } of answered) {
    store.endSetAside(table);
    const here = store.registry.byId(table);
    if (here !== null) admission.changedTables.add(here.tbl);
  }
  // Its own creation waits there too.
  admission.namesFreed = true;
}
