import { formatStamp } from '#shared/model/hlc.ts';

import type { Admission } from './admission-context.ts';

/** Tells what was held anew and what found its place, a line per table. Once it has committed. */
export function logHeld({ store, via, heldTables, drainedTables }: Admission): void {
  const from = via === null ? null : store.sites.siteOf(via);
  for (const [table, { facts, newest }] of heldTables)
    store.ports.log.info('held.added', { table, facts, newest: formatStamp(newest), from });
  for (const [table, facts] of drainedTables) store.ports.log.info('held.drained', { table, facts });
}
