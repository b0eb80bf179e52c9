import type { SiteId } from '#shared/model/ids.ts';

/** Which replica of the scenario goes by a site ID, as the replica at the other end of its links was told first. */
export interface SiteClaims {
  /** The replica that the other end knows by this site ID; the first one that comes, as long as it is not let go. */
  readonly claim: (end: string, site: SiteId, name: string) => string;
  /** A second one came while the first one lives. */
  readonly refuse: (end: string, site: SiteId, name: string) => void;
  /** The second one that came; null when none did. */
  readonly second: (end: string, site: SiteId) => string | null;
  /** The first one is no longer what it was. */
  readonly letGo: (end: string, site: SiteId) => void;
}

/** Nobody has come yet. */
export function createSiteClaims(): SiteClaims {
  const first = new Map<string, string>();
  const second = new Map<string, string>();
  const at = (end: string, site: SiteId): string => `${end}/${site}`;

  return {
    claim: (end, site, name) => {
      const known = first.get(at(end, site)) ?? name;
      first.set(at(end, site), known);
      return known;
    },
    refuse: (end, site, name) => void second.set(at(end, site), name),
    second: (end, site) => second.get(at(end, site)) ?? null,
    letGo: (end, site) => {
      first.delete(at(end, site));
      second.delete(at(end, site));
    },
  };
}
