import type { Stamp, TableReplacement } from '#shared/model/change-group.ts';
import type { SiteId } from '#shared/model/ids.ts';
import { compareStamps } from '#shared/model/hlc.ts';

import type { KeyValue } from './key-expression.ts';
import type { EntryOrigin } from './log-write.ts';
import { LOG_KIND } from './metadata-schema.ts';
import type { ReplicaStore } from './replica-store.ts';
import { OWN_SITE_ORDINAL, type SiteRegistry } from './site-registry.ts';
import { toBigInt, toNumber } from './store-database.ts';
import type { StoreDatabase, StoredValue } from './store-database.ts';
import type { TrackedTable } from './table-registry.ts';

/** A table that was made anew: by whom and when, and what of it was known there. */
export type Replacement = Omit<TableReplacement, 'table'>;

interface Reading {
  readonly db: StoreDatabase;
  readonly sites: SiteRegistry;
}

/** The replacement behind a log entry; null when a later one covers it. */
export function readReplacement(store: Reading, n: KeyValue | null): Replacement | null {
  if (typeof n !== 'bigint') return null;
  const row = store.db.prepareRaw<[bigint]>(`select ${FIELDS} from _concord_replacement where n = ?`).get(n);
  return row === undefined ? null : replacementOf(store, row);
}

/** All replacements of a table that are still needed, under its own ID and those of its twins. */
export function replacementsOf(
  store: Reading,
  table: Pick<TrackedTable, 'id' | 'tbl'>,
): readonly Replacement[] {
  return store.db
    .prepareRaw<[string, number]>(
      `select ${FIELDS} from _concord_replacement where table_id = ?
         or table_id in (select id from _concord_alias where tbl = ? and kind = 't') order by n`,
    )
    .all(table.id, table.tbl)
    .map((row) => replacementOf(store, row));
}

/** Whether a row with this stamp was known to the author of a replacement, who put it out with a later stamp or left it out. */
export function isReplaced({ knew, waiting }: Replacement, stamp: Stamp): boolean {
  return (
    stamp.hlc <= (knew[stamp.site] ?? -1n) &&
    !waiting.some((other) => other.hlc === stamp.hlc && other.site === stamp.site)
  );
}

/** The latest of the replacements that a row with this stamp fell to; null when it fell to none. */
export const replacementOver = (replacements: readonly Replacement[], stamp: Stamp): Replacement | null =>
  replacements
    .filter((replacement) => isReplaced(replacement, stamp))
    .toSorted((left, right) => compareStamps(right.stamp, left.stamp))
    .at(0) ?? null;

/**
 * Keeps a replacement, for rows that come late and for peers. False when it is known, or a later one that knew of all that it
 * knew; earlier ones of which that is true are forgotten.
 */
export function keepReplacement(
  store: ReplicaStore,
  kept: { readonly tableId: string; readonly tbl: number | null; readonly replacement: Replacement },
  via: EntryOrigin['via'],
): boolean {
  const { tableId, tbl, replacement } = kept;
  const { stamp, knew, waiting } = replacement;
  const known = store.db
    .prepareRaw<[string]>(`select ${FIELDS}, n from _concord_replacement where table_id = ?`)
    .all(tableId)
    .map((row) => ({ n: toBigInt(row[4] ?? null), replacement: replacementOf(store, row) }));
  if (known.some((other) => covers(other.replacement, replacement))) return false;
  const forget = store.db.prepare<[bigint]>('delete from _concord_replacement where n = ?');
  for (const other of known) if (covers(replacement, other.replacement)) forget.run(other.n);
  const site = store.sites.ordinalOf(stamp.site);
  const { lastInsertRowid } = store.db
    .prepare<unknown[]>(
      'insert into _concord_replacement (table_id, hlc, site, knew, waiting) values (?, ?, ?, ?, ?)',
    )
    .run(
      tableId,
      stamp.hlc,
      BigInt(site),
      JSON.stringify(Object.entries(knew).map(([other, hlc]) => [other, hlc.toString()])),
      JSON.stringify(waiting.map(({ hlc, site: other }) => [other, hlc.toString()])),
    );
  store.db
    .prepare<unknown[]>(
      `insert into _concord_log (kind, tbl, rid, hlc, site, via) values (${LOG_KIND.replacement}, ?, ?, ?, ?, ?)`,
    )
    .run(
      tbl,
      lastInsertRowid,
      stamp.hlc,
      site === OWN_SITE_ORDINAL ? null : BigInt(site),
      via === null ? null : BigInt(via),
    );
  return true;
}

/** Whether one is the other, or its author knew of the other and of all that the other's author knew. */
function covers(one: Replacement, other: Replacement): boolean {
  if (compareStamps(one.stamp, other.stamp) === 0) return true;
  return (
    other.stamp.hlc <= (one.knew[other.stamp.site] ?? -1n) &&
    (Object.entries(other.knew) as [SiteId, bigint][]).every(
      ([site, hlc]) => site === other.stamp.site || hlc <= (one.knew[site] ?? -1n),
    )
  );
}

const FIELDS = 'hlc, site, knew, waiting';

function replacementOf({ sites }: Reading, row: readonly StoredValue[]): Replacement {
  const [hlc = null, site = null, knew, waiting] = row;
  return {
    stamp: { hlc: toBigInt(hlc), site: sites.siteOf(toNumber(site)) },
    knew: Object.fromEntries(pairsOf(knew)),
    waiting: pairsOf(waiting).map(([other, at]) => ({ site: other, hlc: at })),
  };
}

/** Written by `keepReplacement` alone. */
const pairsOf = (text: StoredValue | undefined): readonly (readonly [SiteId, bigint])[] =>
  (JSON.parse(String(text)) as [SiteId, string][]).map(([site, hlc]) => [site, BigInt(hlc)]);
