import type { Admission } from './admission-context.ts';
import type { KeyValue } from './key-expression.ts';
import { raisePruned } from './pruned-deletes.ts';
import { OWN_SITE_ORDINAL } from './site-registry.ts';
import { toBigInt, toNumber } from './store-database.ts';

/**
 * Whether a key that is deleted here came back at a source which has pruned that deletion: then it is forgotten here too.
 *
 * Lives begin anew at one where a deletion was pruned, so the number of the row's life says nothing beside the one here. The source
 * knew of the deletion and has the row nevertheless: it was written after it.
 */
export function isForgottenThere(
  admission: Admission,
  row: { readonly tbl: number; readonly key: KeyValue },
): boolean {
  const { store, prunedThere } = admission;
  if (prunedThere.size === 0) return false;
  const found = store.db
    .prepareRaw<[number, KeyValue]>(
      `select coalesce(l.site, ${OWN_SITE_ORDINAL}), l.hlc from _concord_life as y join _concord_log as l on l.seq = y.seq
       where y.tbl = ? and y.key = ? and y.life % 2 = 0`,
    )
    .get(row.tbl, row.key);
  if (found === undefined) return false;
  const [ordinal, hlc] = [toNumber(found[0]), toBigInt(found[1])];
  if (hlc > (prunedThere.get(store.sites.siteOf(ordinal)) ?? -1n)) return false;
  store.db
    .prepare<[number, KeyValue]>('delete from _concord_life where tbl = ? and key = ?')
    .run(row.tbl, row.key);
  raisePruned(store, ordinal, hlc);
  return true;
}
