import type { Migration } from '#shared/model/change-group.ts';
import { compareStamps } from '#shared/model/hlc.ts';

import { knewOf } from '../engine/migration/knew-of.ts';
import { isSameName } from '../sql/fold-identifier.ts';
import type { ReplicaStore } from './replica-store.ts';
import type { TrackedTable } from './table-registry.ts';

/**
 * The name under which a table was dropped: SQLite leaves it in what refers to the table. Of several drops the first by its
 * stamp says it, on every replica alike: all drops go to everybody, renames of what is gone do not. Null of one whose drop is not recorded.
 */
export const nameAtDrop = (store: ReplicaStore, table: TrackedTable): string | null =>
  dropOf(store, table)?.object ?? null;

/**
 * What refers to a dropped table says by now: the name that it was dropped under, or, as SQLite has it, whatever the table is
 * called by now that got that name afterwards.
 */
export function nameLeftBy(store: ReplicaStore, table: TrackedTable): string | null {
  const drop = dropOf(store, table);
  if (drop === null) return null;
  const next = store.migrations
    .namings(drop.object)
    .filter(({ migration, tbl }) => tbl !== table.tbl && !knewOf(drop, migration.stamp))
    .sort((left, right) => compareStamps(left.migration.stamp, right.migration.stamp));
  for (const { tbl } of next) {
    const taker = tbl === null ? null : store.registry.byTbl(tbl);
    if (taker === null) continue;
    if (taker.name !== null) return taker.name;
    const left = nameAtDrop(store, taker);
    if (left !== null && !isSameName(left, drop.object)) return left;
  }
  return drop.object;
}

function dropOf({ migrations }: ReplicaStore, { tbl, dropped }: TrackedTable): Migration | null {
  const known = dropped === null ? null : migrations.byNumber(dropped);
  const drops = [...migrations.ofTable(tbl), ...(known === null ? [] : [known])]
    .map(({ migration }) => migration)
    .filter(({ type }) => type === 'drop_table')
    .sort((left, right) => compareStamps(left.stamp, right.stamp));
  return drops[0] ?? null;
}
