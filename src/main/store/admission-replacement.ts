import type { ChangeGroup, Stamp } from '#shared/model/change-group.ts';
import type { SiteId } from '#shared/model/ids.ts';

import { quoteIdentifier } from '../sql/quote-identifier.ts';
import type { Admission } from './admission-context.ts';
import { leaveOut } from './admission-left-out.ts';
import { placeOfTable } from './admission-place.ts';
import type { PlannedBlock } from './admission-plan.ts';
import { findRow, findRowByKey, selectRows, type LocalRow } from './admission-row-read.ts';
import { keyExpression, keyValueOf } from './key-expression.ts';
import { decodeKey } from './key-lookup.ts';
import type { RowPlace } from './log-write.ts';
import type { ReplicaStore } from './replica-store.ts';
import { besideTriggers, silenceTriggers } from './silence-triggers.ts';
import { TABLE_KIND, type TrackedTable } from './table-registry.ts';
import {
  isReplaced,
  keepReplacement,
  replacementOver,
  replacementsOf,
  type Replacement,
} from './table-replacements.ts';

/**
 * Takes in that tables were made anew elsewhere, after the rows that came with it: rows that the author knew and did not put
 * out again are left out, here and now; of rows that come late `leaveOutLateRows` sees to it (ROW-003).
 */
export function admitReplacements(admission: Admission, group: ChangeGroup): void {
  for (const { table: index, ...replacement } of group.replacements ?? []) {
    const reference = group.tables[index];
    if (reference === undefined) throw new Error('A replacement names a table that its group does not list.');
    const known = admission.store.registry.byId(reference.id);
    const kept = { tableId: known?.id ?? reference.id, tbl: known?.tbl ?? null, replacement };
    if (!keepReplacement(admission.store, kept, admission.via)) continue;
    const place = placeOfTable(admission, reference, replacement.stamp);
    if (place.kind === 'table') leaveOutKnown(admission, place.table, replacement);
  }
}

function leaveOutKnown(admission: Admission, table: TrackedTable, replacement: Replacement): void {
  const name = table.name ?? '';
  const rids = knownPlaces(admission, table, replacement);
  if (rids.length === 0) return;
  silenceTriggers(admission, name);
  besideTriggers(admission, name, () => {
    for (const rid of rids) {
      const local = rowAt(admission, table, rid);
      if (local !== null) leaveOutRow(admission, { table, local, by: replacement });
    }
  });
}

function rowAt(admission: Admission, table: TrackedTable, rid: RowPlace): LocalRow | null {
  if (table.kind === TABLE_KIND.withoutRowid) return findRowByKey(admission, table, decodeKey(table, rid));
  const where = `${table.ridExpression} = ?`;
  return typeof rid === 'bigint' ? (selectRows(admission, table, { where, values: [rid] })[0] ?? null) : null;
}

/**
 * Leaves out what came late of a table that was made anew: rows that its author knew, and that did not come out again with a
 * later stamp. A block has one stamp, so most need no second look.
 */
export function leaveOutLateRows(admission: Admission, planned: PlannedBlock): void {
  const { block, plan } = planned;
  if (!isBlockReplaced(admission, plan.table, planned)) return;
  const replacements = replacementsOf(admission.store, plan.table);
  for (const row of block.rows) {
    const local = findRow(admission, planned, row);
    const by = local === null ? null : replacementOver(replacements, stampHere(admission, plan.table, local));
    if (local !== null && by !== null) leaveOutRow(admission, { table: plan.table, local, by });
  }
}

/** Whether facts are of rows that were known to somebody who made their table anew. */
export function isBlockReplaced(
  { store }: Admission,
  table: TrackedTable,
  { group, block }: Pick<PlannedBlock, 'group' | 'block'>,
): boolean {
  const site = group.sites[block.site];
  if (block.kind !== 'rows' || site === undefined) return false;
  return replacementOver(replacementsOf(store, table), { hlc: block.hlc, site }) !== null;
}

const stampHere = ({ store }: Admission, { tbl }: TrackedTable, { rid }: LocalRow): Stamp =>
  store.clocks.row(tbl, rid).row();

function leaveOutRow(
  admission: Admission,
  { table, local, by }: { readonly table: TrackedTable; readonly local: LocalRow; readonly by: Replacement },
): void {
  const { store } = admission;
  const { stamp } = by;
  const key = keyValueOf(
    table,
    table.key.map((column) => local.values[table.columns.indexOf(column)] ?? null),
  );
  // Rows without a whole key are this replica's alone.
  if (key === null) return;
  const known = store.clocks.life(table.tbl, key);
  const life = known !== null && known % 2 === 1 ? known : 1;
  const site = stamp.site === store.site ? null : store.sites.ordinalOf(stamp.site);
  // It was found here: whoever brought the replacement need not have found it.
  leaveOut(admission, { table, key, local, life, stamp, origin: { hlc: stamp.hlc, site, via: null } });
}

/** Places of the rows whose stamps the author of a replacement knew. */
function knownPlaces(
  { store }: Admission,
  table: TrackedTable,
  replacement: Replacement,
): readonly RowPlace[] {
  const { db } = store;
  const isKnown = createTest(store, replacement);
  const alone = db
    .prepareRaw<[number], [RowPlace, bigint, bigint | null]>(
      `select c.rid, l.hlc, l.site from _concord_cell as c cross join _concord_log as l on l.seq = c.seq
       where c.tbl = ? and c.col = -1`,
    )
    .all(table.tbl)
    .filter(([, hlc, site]) => isKnown(hlc, site));
  const stretches = db
    .prepareRaw<[number], [bigint, bigint, bigint, bigint | null]>(
      `select g.lo, g.hi, l.hlc, l.site from _concord_range as g cross join _concord_log as l on l.seq = g.seq
       where g.tbl = ?`,
    )
    .all(table.tbl)
    .filter(([, , hlc, site]) => isKnown(hlc, site));
  return [
    ...alone.map(([rid]) => rid),
    ...stretches.flatMap(([lo, hi]) => placesWithin(store, table, { lo, hi })),
  ];
}

function createTest(
  { site: own, sites }: ReplicaStore,
  replacement: Replacement,
): (hlc: bigint, ordinal: bigint | null) => boolean {
  const siteByOrdinal = new Map<bigint | null, SiteId>([[null, own]]);
  return (hlc, ordinal) => {
    const site = siteByOrdinal.get(ordinal) ?? sites.siteOf(Number(ordinal));
    siteByOrdinal.set(ordinal, site);
    return isReplaced(replacement, { hlc, site });
  };
}

/** Rows of a stretch whose stamp it still is. */
function placesWithin(
  { db }: ReplicaStore,
  table: TrackedTable,
  { lo, hi }: { readonly lo: bigint; readonly hi: bigint },
): readonly RowPlace[] {
  const isByKey = table.kind === TABLE_KIND.withoutRowid;
  const rid = isByKey ? keyExpression(table.key, 't.') : `t.${table.ridExpression}`;
  const within = isByKey ? 'true' : `${rid} between @lo and @hi`;
  return db
    .preparePluck<unknown[], RowPlace>(
      `select ${rid} from ${quoteIdentifier(table.name ?? '')} as t${isByKey ? '' : ' not indexed'} where ${within}
         and not exists (select 1 from _concord_cell as c where c.tbl = ${table.tbl} and c.rid = +${rid} and c.col = -1)`,
    )
    .all(...(isByKey ? [] : [{ lo, hi }]));
}
