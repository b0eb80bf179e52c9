import { err, ok } from '#shared/result.ts';
import type { ClientInfo, PeerLink } from './peer-link.ts';
import type { SyncEndpoint } from './sync-endpoint.ts';

/**
 * A link between two replicas that one host holds. What the peer answers is handed over as it is.
 *
 * Errors: `refused`, as the peer's `readPage` has it. A peer that throws is a bug and passes through.
 */
export function createInProcessLink(ends: {
  /** The side that pulls. */
  readonly own: SyncEndpoint;
  readonly peer: SyncEndpoint;
  readonly client: ClientInfo;
}): PeerLink {
  const { own, peer, client } = ends;
  const unsubscribes = new Set<() => void>();
  let closed = false;

  return {
    hello: async () => {
      if (closed) return CLOSED;
      const identity = await peer.identity();
      return ok({ ...identity, nowMs: peer.nowMs(), client });
    },
    pull: async (request) => {
      if (closed) return CLOSED;
      const { site } = await own.identity();
      const page = await peer.readPage(site, request);
      return page.ok ? page : err({ code: 'refused', refusal: page.error });
    },
    onHead: (listener) => {
      const unsubscribe = peer.onHead(listener);
      unsubscribes.add(unsubscribe);
      return () => {
        unsubscribes.delete(unsubscribe);
        unsubscribe();
      };
    },
    // Both ends are in this process: there is nothing in between that could end by itself.
    onClosed: () => () => undefined,
    close: () => {
      closed = true;
      for (const unsubscribe of unsubscribes) unsubscribe();
      unsubscribes.clear();
    },
  };
}

const CLOSED = err({ code: 'closed', reason: 'closed by this side' });
