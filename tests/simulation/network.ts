import { present } from '#shared/assert.ts';
import { err, type Result } from '#shared/result.ts';
import type { PeerLink, LinkError } from '#main/peers/peer-link.ts';
import type { SyncEndpoint } from '#main/peers/sync-endpoint.ts';
import { startWireSession } from '#main/peers/wire-session.ts';
import type { WireSocket } from '#main/peers/wire-socket.ts';
import type { Timers } from '#main/peers/timers.ts';

import { createMemoryLog } from '../support/memory-log.ts';

import type { Dice } from './chance.ts';

// Sockets of a network that is only played. Both ends run the sessions of a host: hello, codec, pages, goodbye. No timer
// ever runs out: nothing here is slow, what is lost is cut.

export interface Ends {
  /** The side that pulls. */
  readonly own: SyncEndpoint;
  readonly peer: SyncEndpoint;
}

/** Links over sockets that are cut now and then: whoever pulls connects again and asks on, as a host does. */
export function createNetwork(dice: Dice): (ends: Ends) => PeerLink {
  return (ends) => {
    let session: PeerLink | null = null;
    const connected = async (): Promise<PeerLink> =>
      (session ??= await openSession(ends, dice.happens(CUT_SHARE)));
    return {
      hello: async () => retried(async () => (await connected()).hello()),
      pull: async (request) => retried(async () => (await connected()).pull(request)),
      onHead: () => () => undefined,
      onClosed: () => () => undefined,
      close: () => session?.close(),
    };

    async function retried<T>(ask: () => Promise<Result<T, LinkError>>): Promise<Result<T, LinkError>> {
      for (let tries = 0; tries < TRIES_MAX; tries += 1) {
        const answer = await ask();
        if (answer.ok || answer.error.code !== 'closed') return answer;
        session = null;
      }
      return err({ code: 'unreachable', reason: 'cut at every try' });
    }
  };
}

/** Share of the connections that do not last. */
const CUT_SHARE = 0.1;
const TRIES_MAX = 20;

async function openSession({ own, peer }: Ends, isCut: boolean): Promise<PeerLink> {
  const [near, far] = createSocketPair(isCut ? MESSAGES_BEFORE_CUT : Number.POSITIVE_INFINITY);
  const client = { name: 'simulation', version: '1' };
  const base = { client, timers: NO_TIMERS, log: createMemoryLog(), onInvite: refuseInvite };
  const [identity, ownIdentity] = [await peer.identity(), await own.identity()];
  startWireSession({ ...base, socket: far, endpoint: peer, identity, offers: true });
  return startWireSession({
    ...base,
    ...{ socket: near, endpoint: own, identity: ownIdentity, offers: false, askedSite: identity.site },
  }).link;
}

/** The two hellos, a request, a page; then the next message is lost and the connection with it. */
const MESSAGES_BEFORE_CUT = 4;

const refuseInvite = (): never => {
  throw new Error('nobody invites here');
};

const NO_TIMERS: Timers = { after: () => () => undefined };

type Ears = Parameters<WireSocket['listen']>[0];

/** Two ends of a connection; it is cut once so many messages have passed. */
function createSocketPair(messagesMax: number): readonly [WireSocket, WireSocket] {
  const ears: [Ears | null, Ears | null] = [null, null];
  let passed = 0;
  let isOpen = true;
  const end = (reason: string): void => {
    if (!isOpen) return;
    isOpen = false;
    // Both hear of it, after whatever is on its way.
    for (const ear of ears) void Promise.resolve().then(() => ear?.closed({ code: 'closed', reason }));
  };
  const socketAt = (here: 0 | 1): WireSocket => ({
    send: (bytes, whenSent) => {
      if (!isOpen) return;
      passed += 1;
      if (passed > messagesMax) {
        end('cut');
        return;
      }
      const copy = Uint8Array.from(bytes);
      void Promise.resolve().then(() => {
        whenSent?.();
        present(ears[1 - here], 'both ends listen').message(copy);
      });
    },
    ping: () => undefined,
    bytesHeard: () => 0,
    close: () => end('closed by the other side'),
    cut: () => end('cut'),
    listen: (given) => void (ears[here] = given),
  });
  return [socketAt(0), socketAt(1)];
}
