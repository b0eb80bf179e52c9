import { present } from '#shared/assert.ts';

import type { Admission } from './admission-context.ts';
import { admitLeftOut, type LeftOut } from './admission-left-out.ts';
import type { PlannedBlock } from './admission-plan.ts';
import { deleteQuietly, findRow, keyOf } from './admission-row-read.ts';
import { localLifeOf } from './admission-row-write.ts';
import { keyValueOf } from './key-expression.ts';
import { isPrunedHere } from './pruned-deletes.ts';
import { endWaiting } from './waiting-row.ts';

/** Takes in the deletions of a block; those with an odd life leave rows out of it. */
export function admitDeletes(admission: Admission, planned: PlannedBlock): void {
  const { group, block, plan } = planned;
  const { store, report } = admission;
  const { table } = plan;
  const stamp = { hlc: block.hlc, site: present(group.sites[block.site], 'a block names its site') };
  const isPruned = isPrunedHere(store, stamp);
  const lives = new Map(block.lives);
  const origin = admission.originOf(group, block.hlc, block.site);
  block.rows.forEach((row, index) => {
    const key = keyValueOf(table, keyOf(admission, planned, row));
    if (key === null) return;
    const local = findRow(admission, planned, row);
    const localLife = localLifeOf(admission, table.tbl, { key, isHere: local !== null });
    const deletion: LeftOut = { table, key, local, life: lives.get(index) ?? 2, stamp, origin };
    if (isPruned && !isFoundLate(deletion, localLife)) report.duplicates += 1;
    else if (deletion.life % 2 === 1) admitLeftOut(admission, deletion, localLife);
    else admitDeletion(admission, deletion, localLife);
  });
}

/** Deletions of an author come in their order, but what is left out is found where its row is: late, under the stamp of others. */
const isFoundLate = ({ life }: LeftOut, localLife: number): boolean => life % 2 === 1 && localLife !== 0;

function admitDeletion(admission: Admission, deletion: LeftOut, localLife: number): void {
  const { store, report } = admission;
  const { table, key, local, life, origin } = deletion;
  if (life <= localLife) {
    report[life === localLife ? 'duplicates' : 'superseded'] += 1;
    return;
  }
  if (local === null) endWaiting(admission, table, { identity: key, life });
  else deleteQuietly(admission, table, local);
  store.logWriter.appendDelete(table.tbl, { rid: local?.rid ?? null, key, life }, origin);
  admission.touchedKeys.add(table.tbl);
  report.applied += 1;
}
