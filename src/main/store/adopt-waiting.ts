import type { Admission } from './admission-context.ts';
import { settleTable } from './settle-table.ts';

/**
 * What was recorded about a table before its creation came is about the table that is here now: alterations take
 * effect on it.
 */
export function adoptWaiting(admission: Admission, tbl: number, addedSeq: number): void {
  const { store } = admission;
  const table = store.trackedTable(tbl);
  const aliases = store.db
    .preparePluck<[bigint], string>(`select id from _concord_alias where tbl = ? and kind = 't'`)
    .all(BigInt(tbl));
  const ids = [table.id, ...aliases] as const;
  const waiting = store.migrations.waitingFor(ids as readonly (typeof table.id)[]);
  for (const { n } of waiting) store.migrations.assign(n, tbl);
  settleTable(admission, tbl, { addedSeq });
}
