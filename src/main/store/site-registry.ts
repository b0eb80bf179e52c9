import { assert, present } from '#shared/assert.ts';
import type { SiteId } from '#shared/model/ids.ts';
import { siteIdFromBytes, siteIdToBytes } from '#shared/model/site-bytes.ts';

import { toBigInt, toNumber } from './store-database.ts';
import type { StoreDatabase } from './store-database.ts';

/** Ordinal of the replica's own site. Log entries of its own carry null instead. */
export const OWN_SITE_ORDINAL = 1;

/**
 * The sites that a replica has heard of, by the small ordinals that stand for them in the bookkeeping.
 * Nothing is kept in memory, so a rollback needs no word to it.
 */
export interface SiteRegistry {
  readonly own: SiteId;
  /** Takes a site in when it is new: then within a write transaction only. */
  readonly ordinalOf: (site: SiteId) => number;
  /** Null when the site is unknown; writes nothing. */
  readonly findOrdinal: (site: SiteId) => number | null;
  readonly siteOf: (ordinal: number) => SiteId;
  /** Takes a site's HLC into the version vector; never lowers it. */
  readonly raise: (ordinal: number, hlc: bigint) => void;
  /** Highest HLC recorded or admitted, per site. The own entry may lag behind the clock: put the clock's in its place. */
  readonly highest: () => Readonly<Record<SiteId, bigint>>;
  /** Up to which HLC of each other site every row is here. */
  readonly whole: () => Readonly<Record<SiteId, bigint>>;
  /** Takes in that every row of these sites is here up to these HLCs. Writes nothing where that was known. */
  readonly raiseWhole: (whole: Readonly<Record<SiteId, bigint>>) => void;
}

/** Makes the registry of one connection. `own` is read from the file. */
export function createSiteRegistry(db: StoreDatabase): SiteRegistry {
  const byBytes = db.preparePluck<[Uint8Array]>(`select id from _concord_site where site = ?`);
  const byOrdinal = db.preparePluck<[number]>(`select site from _concord_site where id = ?`);
  const insert = db.prepare<[Uint8Array]>(`insert into _concord_site (site, hlc_max) values (?, 0)`);
  const raise = db.prepare<[bigint, number, bigint]>(
    `update _concord_site set hlc_max = ? where id = ? and hlc_max < ?`,
  );

  const wholes = db.prepareRaw<[]>(`select site, hlc_whole from _concord_site where hlc_whole > 0`);
  const raiseWhole = db.prepare<[bigint, number, bigint]>(
    `update _concord_site set hlc_whole = ? where id = ? and hlc_whole < ?`,
  );

  const siteOf = (ordinal: number): SiteId => siteFrom(byOrdinal.get(ordinal));
  const findOrdinal = (site: SiteId): number | null => {
    const id = byBytes.get(siteIdToBytes(site));
    return id === undefined ? null : toNumber(id);
  };
  const own = siteOf(OWN_SITE_ORDINAL);
  const ordinalOf = (site: SiteId): number =>
    findOrdinal(site) ?? toNumber(insert.run(siteIdToBytes(site)).lastInsertRowid);
  const whole = (): Readonly<Record<SiteId, bigint>> =>
    Object.fromEntries(wholes.all().map(([bytes, hlc]) => [siteFrom(bytes), toBigInt(hlc)]));
  return {
    own,
    ordinalOf,
    findOrdinal,
    siteOf,
    raise: (ordinal, hlc) => void raise.run(hlc, ordinal, hlc),
    highest: () =>
      Object.fromEntries(
        db
          .prepareRaw<[]>(`select site, hlc_max from _concord_site`)
          .all()
          .map(([bytes, hlc]) => [siteFrom(bytes), toBigInt(hlc)]),
      ),
    whole,
    raiseWhole: (heard) => {
      const known = whole();
      const raised = (Object.entries(heard) as [SiteId, bigint][]).filter(
        ([site, hlc]) => site !== own && hlc > (known[site] ?? 0n),
      );
      if (raised.length === 0) return;
      db.within(() => {
        for (const [site, hlc] of raised) raiseWhole.run(hlc, ordinalOf(site), hlc);
      });
    },
  };
}

/** The site ID of stored bytes; a bug when they are none. */
export function siteFrom(bytes: unknown): SiteId {
  assert(bytes instanceof Uint8Array, 'a site of the bookkeeping is 16 bytes');
  return present(siteIdFromBytes(bytes), 'a site of the bookkeeping is 16 bytes');
}
