import type { HeldExtent, HeldSelection } from '#shared/model/held-decision.ts';

import { heldBound, HELD_WANTED } from './held-selection.ts';
import type { ReplicaStore } from './replica-store.ts';
import { toNumber } from './store-database.ts';

/** How much a selection means, and whose it is: what is lost where it is deleted. Who wrote most of it comes first. */
export function measureHeld(
  { db, sites }: Pick<ReplicaStore, 'db' | 'sites'>,
  selection: HeldSelection,
): HeldExtent {
  const bound = heldBound(selection);
  const [changes, rows, bytes] = db
    .prepareRaw<unknown[], readonly [bigint, bigint, bigint]>(
      `select count(*), count(distinct case when op <> 'migration' then table_id || ' ' || quote(key) end),
         coalesce(sum(size_bytes), 0)
       from _concord_held where ${HELD_WANTED}`,
    )
    .all(bound)[0] ?? [0n, 0n, 0n];
  const tables = db
    .prepareRaw<unknown[], readonly [string]>(
      `select table_name from _concord_held where ${HELD_WANTED} group by table_name order by count(*) desc, table_name`,
    )
    .all(bound);
  const authors = db
    .prepareRaw<unknown[], readonly [bigint]>(
      `select site from _concord_held where ${HELD_WANTED} group by site order by count(*) desc, site`,
    )
    .all(bound);
  return {
    changes: toNumber(changes),
    rows: toNumber(rows),
    bytes: toNumber(bytes),
    tables: tables.map(([table]) => table),
    authors: authors.map(([site]) => sites.siteOf(toNumber(site))),
  };
}
