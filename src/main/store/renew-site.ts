import type { Migration } from '#shared/model/change-group.ts';
import { SiteId, type Epoch } from '#shared/model/ids.ts';
import { Epoch as EpochId } from '#shared/model/ids.ts';
import { siteIdToBytes } from '#shared/model/site-bytes.ts';

import { lastServedSeq } from './era-list.ts';
import { foldLog } from './log-fold.ts';
import { LOG_KIND } from './metadata-schema.ts';
import { migrationFromJson, migrationToJson } from './migration-json.ts';
import { moveAhead, type MovedClock } from './move-ahead.ts';
import { readAllAgain } from './peer-records.ts';
import { drawId, forgetMeta, readMeta, writeMeta } from './replica-meta.ts';
import type { ReplicaStore } from './replica-store.ts';
import { OWN_SITE_ORDINAL } from './site-registry.ts';
import { beforeThisEra, readStray } from './stray-note.ts';
import { toBigInt, toNumber } from './store-database.ts';

export interface RenewedSite {
  readonly site: SiteId;
  readonly epoch: Epoch;
  /** Entries of the log that are the new site's: what was written since the file parted from the other one. */
  readonly taken: number;
}

/**
 * Makes the file another replica, in one transaction of the caller's: a new site ID, a new epoch (COPY-001).
 *
 * What was recorded before the file parted from the one that others know stays the former site's, since others have it under that
 * name; what came after, and what this file never served, becomes the new site's, with its HLCs: under the former name the file
 * that has it now would take it for its own, and skip it. The file knows of the former site only what it has: what it lost by
 * a restore comes back from others like anybody's. Peers are read from the start, and read it from the start: what they have is a
 * duplicate, and nothing is skipped. Where it stood with them tells which of them were restored too. What was written by a clock that
 * was ahead, and refused everywhere, counts as written right after what was known before.
 *
 * After it the store must be put together anew: its parts know the former site.
 */
export function renewSite(store: ReplicaStore): RenewedSite {
  const { db, ports } = store;
  store.noticeInTransaction();
  foldLog(db, store.registry);
  const { firstSeq, moved } = moveAhead(store);
  const parted = Math.min(
    readStray(store) ?? beforeThisEra(store),
    lastServedSeq(db),
    firstSeq === null ? Number.MAX_SAFE_INTEGER : firstSeq - 1,
  );
  const site = drawId(SiteId, ports.random);
  const epoch = drawId(EpochId, ports.random);
  const former = giveName(store, {
    site,
    last: moved(store.clock.last()),
    hlc: highestBefore(store, parted),
  });
  const taken = divideLog(store, { former: former.ordinal, parted });
  divideMigrations(store, { former, site, parted, moved });
  divideReplacements(store, { former, site, parted, moved });
  db.prepare<[number]>(`update _concord_held set site = ? where site = ${OWN_SITE_ORDINAL}`).run(
    former.ordinal,
  );
  askAllAgain(store);
  writeMeta(db, 'epoch', epoch);
  forgetMeta(db, 'straySeq');
  writeMeta(db, 'formerSites', JSON.stringify([...readFormerSites(store), store.site]));
  return { site, epoch, taken };
}

/** The site IDs that this file had before. */
export function readFormerSites({ db }: Pick<ReplicaStore, 'db'>): readonly SiteId[] {
  const listed = readMeta(db, 'formerSites');
  // Written by `renewSite` alone.
  return typeof listed === 'string' ? (JSON.parse(listed) as readonly SiteId[]) : [];
}

interface FormerSite {
  readonly ordinal: number;
  readonly site: SiteId;
  /** Highest HLC of it that this file still has. */
  readonly hlc: bigint;
}

/** What divides a history in two: what is the former site's, and what is the new one's. */
interface Division {
  readonly former: FormerSite;
  readonly site: SiteId;
  /** Last seq of the former site's. */
  readonly parted: number;
  readonly moved: MovedClock['moved'];
}

/** The replica's ordinal gets the new name, the former name an ordinal like anybody's. */
function giveName(
  { db, site: formerSite }: ReplicaStore,
  given: { readonly site: SiteId; readonly last: bigint; readonly hlc: bigint },
): FormerSite {
  const { pruned } = db
    .prepare<[], { readonly pruned: bigint }>(
      `select pruned from _concord_site where id = ${OWN_SITE_ORDINAL}`,
    )
    .get() ?? { pruned: 0n };
  db.prepare<[Uint8Array, bigint]>(
    `update _concord_site set site = ?, hlc_max = ?, hlc_whole = 0, pruned = 0 where id = ${OWN_SITE_ORDINAL}`,
  ).run(siteIdToBytes(given.site), given.last);
  const { lastInsertRowid } = db
    .prepare<[Uint8Array, bigint, bigint, bigint]>(
      `insert into _concord_site (site, hlc_max, hlc_whole, pruned) values (?, ?, ?, ?)`,
    )
    .run(siteIdToBytes(formerSite), given.hlc, given.hlc, pruned);
  return { ordinal: toNumber(lastInsertRowid), site: formerSite, hlc: given.hlc };
}

const highestBefore = ({ db }: ReplicaStore, parted: number): bigint =>
  toBigInt(
    db
      .preparePluck<[number]>(
        `select coalesce(max(hlc), 0) from _concord_log where seq <= ? and site is null and kind <> ${LOG_KIND.notice}`,
      )
      .get(parted),
  );

function divideLog(
  { db }: ReplicaStore,
  { former, parted }: { readonly former: number; readonly parted: number },
): number {
  const own = `site is null and kind <> ${LOG_KIND.notice}`;
  db.prepare<[number, number]>(`update _concord_log set site = ? where seq <= ? and ${own}`).run(
    former,
    parted,
  );
  return toNumber(db.preparePluck<[]>(`select count(*) from _concord_log where ${own}`).get());
}

function divideMigrations({ db }: ReplicaStore, { former, site, parted, moved }: Division): void {
  db.prepare<[number, number]>(
    `update _concord_migration set site = ? where site = ${OWN_SITE_ORDINAL} and n not in (
       select rid from _concord_log where kind = ${LOG_KIND.migration} and seq > ? and site is null)`,
  ).run(former.ordinal, parted);
  db.prepare<[number]>(
    `update _concord_element set site = ? where site = ${OWN_SITE_ORDINAL}
       and migration in (select n from _concord_migration where site <> ${OWN_SITE_ORDINAL})`,
  ).run(former.ordinal);
  const mine = db
    .prepareRaw<[], [bigint, string]>(
      `select n, body from _concord_migration where site = ${OWN_SITE_ORDINAL}`,
    )
    .all();
  const write = db.prepare<[string, bigint]>('update _concord_migration set body = ? where n = ?');
  for (const [n, body] of mine) {
    write.run(migrationToJson(asNewSites(migrationFromJson(body), { former, site, moved })), n);
  }
}

/** Tables that were made anew, as migrations are divided. */
function divideReplacements({ db }: ReplicaStore, { former, site, parted, moved }: Division): void {
  db.prepare<[number, number]>(
    `update _concord_replacement set site = ? where site = ${OWN_SITE_ORDINAL} and n not in (
       select rid from _concord_log where kind = ${LOG_KIND.replacement} and seq > ? and site is null)`,
  ).run(former.ordinal, parted);
  const mine = db
    .prepareRaw<[], [bigint, string, string]>(
      `select n, knew, waiting from _concord_replacement where site = ${OWN_SITE_ORDINAL}`,
    )
    .all();
  const write = db.prepare<[string, string, bigint]>(
    'update _concord_replacement set knew = ?, waiting = ? where n = ?',
  );
  for (const [n, knew, waiting] of mine) {
    const known = knewAsNew(Object.fromEntries(pairsOf(knew)), { former, site, moved });
    const waits = pairsOf(waiting).map(([other, hlc]) => [
      other === former.site && hlc > former.hlc ? site : other,
      (other === former.site ? moved(hlc) : hlc).toString(),
    ]);
    const pairs = Object.entries(known).map(([other, hlc]) => [other, hlc.toString()]);
    write.run(JSON.stringify(pairs), JSON.stringify(waits), n);
  }
}

const pairsOf = (text: string): readonly (readonly [SiteId, bigint])[] =>
  // Written by this module and by `table-replacements.ts` alone.
  (JSON.parse(text) as [SiteId, string][]).map(([site, hlc]) => [site, BigInt(hlc)]);

/** What it knew of its own is now what the new site knew of itself; of the former site it knew what it shared with it. */
function asNewSites(migration: Migration, names: Omit<Division, 'parted'>): Migration {
  const { site, moved } = names;
  return {
    ...migration,
    stamp: { hlc: moved(migration.stamp.hlc), site },
    knew: knewAsNew(migration.knew, names),
  };
}

function knewAsNew(
  knew: Migration['knew'],
  { former, site, moved }: Omit<Division, 'parted'>,
): Migration['knew'] {
  const { [former.site]: before = 0n, ...others } = knew;
  const ownHlc = moved(before);
  const shared = ownHlc < former.hlc ? ownHlc : former.hlc;
  return { ...others, [former.site]: shared, [site]: ownHlc };
}

/** Whoever was heard of is asked from the start; what waited in a line comes again. */
function askAllAgain(store: ReplicaStore): void {
  readAllAgain(store);
  store.db.exec(`delete from _concord_staged; delete from _concord_blocked`);
}
