import type { Migration } from '#shared/model/change-group.ts';
import type { Verdict } from '#shared/model/vocabulary.ts';

import type { Admission } from './admission-context.ts';
import { elementOf } from './element-clocks.ts';

/** Writes an admitted migration that took effect into history and log, and raises its element's clock. */
export function recordAdmitted(
  admission: Admission,
  migration: Migration,
  outcome: { readonly verdict: Verdict; readonly reason: string; readonly tbl: number | null },
): { readonly n: number; readonly seq: number } {
  const { store } = admission;
  const entry = store.migrations.record({
    migration,
    ...outcome,
    via: admission.via,
    nowMs: store.ports.clock.nowMs(),
  });
  store.elements.raise(elementOf(migration), {
    hlc: migration.stamp.hlc,
    site: store.sites.ordinalOf(migration.stamp.site),
    version: migration.version,
    life: 1,
    migration: entry.n,
  });
  admission.report.migrations += 1;
  return entry;
}
