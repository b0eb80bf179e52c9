import { compareStamps } from '#shared/model/hlc.ts';

import type { ReplicaStore } from './replica-store.ts';
import type { TrackedTable } from './table-registry.ts';

/**
 * The name under which a table was dropped: SQLite leaves it in what refers to the table. Of several drops the first by its
 * stamp says it, on every replica alike: all drops go to everybody, renames of what is gone do not. Null of one whose drop is not recorded.
 */
export function nameAtDrop({ migrations }: ReplicaStore, { tbl, dropped }: TrackedTable): string | null {
  const known = dropped === null ? null : migrations.byNumber(dropped);
  const drops = [...migrations.ofTable(tbl), ...(known === null ? [] : [known])]
    .map(({ migration }) => migration)
    .filter(({ type }) => type === 'drop_table')
    .sort((left, right) => compareStamps(left.stamp, right.stamp));
  return drops[0]?.object ?? null;
}
