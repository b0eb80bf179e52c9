import type { Era, SiteId } from '#shared/model/ids.ts';

/** One opening of a peer's file that says hello to a replica of this host. */
export interface PeerEra {
  readonly replica: SiteId;
  readonly site: SiteId;
  readonly era: Era;
}

export interface EraWatch {
  /**
   * Takes note of a site that says hello.
   *
   * `same`: as it was last heard. `newer`: its file was opened again since, what is left of the old opening is
   * dead. `duplicate`: an opening that a newer one had replaced is back, so two hosts hold copies of one file.
   */
  readonly take: (peer: PeerEra) => 'same' | 'newer' | 'duplicate';
}

/** Replaced eras that are remembered per peer, and peers: the oldest are forgotten first. */
const FORMER_MAX = 64;
const PEERS_MAX = 10_000;

/**
 * Tells a replica that was opened again from one that lives twice.
 *
 * An era is drawn at each opening and never drawn again, so one that comes back after another was heard can
 * only be a second host with a copy of the file (SYNC-006).
 */
export function watchEras(): EraWatch {
  const byPeer = new Map<string, { readonly current: Era; readonly former: readonly Era[] }>();

  return {
    take: ({ replica, site, era }) => {
      const key = `${replica}/${site}`;
      const known = byPeer.get(key);
      if (known?.current === era) return 'same';
      if (known?.former.includes(era) === true) return 'duplicate';
      const former = known === undefined ? [] : [...known.former, known.current].slice(-FORMER_MAX);
      byPeer.delete(key);
      byPeer.set(key, { current: era, former });
      forgetOldest();
      return 'newer';
    },
  };

  function forgetOldest(): void {
    const [oldest] = byPeer.keys();
    if (byPeer.size > PEERS_MAX && oldest !== undefined) byPeer.delete(oldest);
  }
}
