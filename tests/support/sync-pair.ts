import { createInProcessLink } from '#main/peers/in-process-link.ts';
import type { PeerLink } from '#main/peers/peer-link.ts';
import { createFakeEndpoint, type FakeEndpoint } from './fake-endpoint.ts';

export const client = { name: 'test', version: '0' };

/** Two replicas in memory and the link by which `b` pulls from `a`. */
export function aPair(options: { readonly facts?: number } = {}): {
  readonly a: FakeEndpoint;
  readonly b: FakeEndpoint;
  readonly fromA: PeerLink;
  readonly fromB: PeerLink;
} {
  const a = createFakeEndpoint({ number: 1, ...options });
  const b = createFakeEndpoint({ number: 2, ...options });
  return {
    a,
    b,
    fromA: createInProcessLink({ own: b, peer: a, client }),
    fromB: createInProcessLink({ own: a, peer: b, client }),
  };
}
