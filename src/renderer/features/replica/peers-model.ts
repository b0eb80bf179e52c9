import type { Fleet } from '#shared/api/fleet-replica.ts';
import type { PeerView } from '#shared/model/views.ts';
import type { ReplicaState } from '#shared/model/vocabulary.ts';

import { number } from '../../ui/words-model.ts';

/** How far a peer's changes have been admitted. */
export interface PeerProgress {
  /** Whole percent, rounded down: 100 means all. */
  readonly percent: number;
  readonly state: ReplicaState;
  readonly words: string;
}

export function peerProgress(peer: PeerView): PeerProgress {
  const percent =
    peer.peerHead <= 0 ? 100 : Math.floor((100 * Math.min(peer.watermark, peer.peerHead)) / peer.peerHead);
  return {
    percent,
    state: peer.blocked ? 'blocked' : percent < 100 ? 'behind' : 'inSync',
    words: `${number(peer.watermark)} of ${number(peer.peerHead)}`,
  };
}

/** The replica of this fleet with a site ID by its name; else the ID, shortened. */
export function peerName(site: string, fleet: Fleet): string {
  return fleet.replicas.find((replica) => replica.status?.site === site)?.name ?? `${site.slice(0, 8)}…`;
}
