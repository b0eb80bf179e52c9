import type { SiteId } from '#shared/model/ids.ts';
import { err, ok } from '#shared/result.ts';
import type { HelloMessage } from '#shared/wire/messages.ts';
import type { ProtocolRange } from '#shared/wire/protocol.ts';
import type { PulledMessage } from '#shared/wire/pulled-message.ts';
import type { Clock, Log, Random } from '../engine/ports.ts';
import type { ReplicaIdentity } from '../replica/replica.ts';
import type { HelloRefusal } from './check-hello.ts';
import { createLinkSession } from './link-session.ts';
import type { LinkState } from './link-state.ts';
import type { ClientInfo } from './peer-link.ts';
import type { SyncGrant } from './sync-host.ts';
import type { SyncReport } from './sync-report.ts';
import type { Timers } from './timers.ts';
import type { EraWatch, PeerEra } from './watch-eras.ts';
import { startWireSession } from './wire-session.ts';
import type { WireSocket } from './wire-socket.ts';

export interface ServedSessionDeps {
  readonly socket: WireSocket;
  readonly grant: SyncGrant;
  readonly identity: ReplicaIdentity;
  readonly eras: EraWatch;
  /** Closes what is left of an older opening of the peer's file. */
  readonly closeOlder: (newer: PeerEra) => void;
  readonly client: ClientInfo;
  readonly clock: Clock;
  readonly random: Random;
  readonly timers: Timers;
  readonly log: Log;
  readonly protocol?: ProtocolRange;
}

/** One peer that came to a replica of this host. */
export interface ServedSession {
  readonly replica: SiteId;
  /** Null until it has said hello. */
  readonly peer: () => HelloMessage | null;
  /** How this host's own pulling from the peer goes. */
  readonly pulling: () => LinkState;
  readonly close: () => void;
  /** Resolved once nothing of it uses the replica any more. */
  readonly over: Promise<void>;
}

/**
 * Serves one socket, and pulls from its peer over the same socket: at once, at each new head, when invited.
 *
 * The grant is released when all is over, also the page that was being admitted when the socket ended
 * (SYNC-005).
 */
export function startServedSession(deps: ServedSessionDeps): ServedSession {
  const { grant, identity } = deps;
  let peer: HelloMessage | null = null;

  const { channel, link } = startWireSession({
    ...deps,
    endpoint: grant.endpoint,
    offers: true,
    onInvite: async () => {
      // The invitation may have come in one piece with the hello.
      await started;
      return pulledOf(await pulls.syncNow());
    },
    screen,
  });
  const pulls = createLinkSession({
    ...deps,
    endpoint: grant.endpoint,
    connect: async () => {
      const why = channel.ended();
      return Promise.resolve(why === null ? ok(link) : err(why));
    },
  });

  const offWithdrawn = grant.onWithdrawn(() =>
    channel.fail('unauthorized', {}, { code: 'closed', reason: 'the right was withdrawn' }),
  );
  const offClosing = grant.onClosing(close);
  const over = new Promise<void>((resolve) => {
    channel.onEnd(() => {
      offWithdrawn();
      offClosing();
      void pulls.close().then(() => {
        grant.release();
        resolve();
      });
    });
  });
  const started = link.hello().then((hello) => {
    if (hello.ok) pulls.start();
  });

  return { replica: identity.site, peer: () => peer, pulling: pulls.state, close, over };

  function screen(hello: HelloMessage): HelloRefusal | null {
    const newest = { replica: identity.site, site: hello.site, era: hello.era };
    const verdict = deps.eras.take(newest);
    if (verdict === 'duplicate') return DUPLICATE_SITE;
    peer = hello;
    if (verdict === 'newer') deps.closeOlder(newest);
    return null;
  }

  function close(): void {
    channel.leave({ code: 'closed', reason: 'closed by this side' }, 'closing');
  }
}

const DUPLICATE_MESSAGE = 'Another host serves a file with the same site ID.';
const DUPLICATE_SITE: HelloRefusal = {
  code: 'duplicate-site',
  facts: { message: DUPLICATE_MESSAGE },
  why: { code: 'refused', refusal: { code: 'duplicate-site', message: DUPLICATE_MESSAGE } },
};

function pulledOf({ error: _error, peer: _peer, skewMs: _skewMs, ...rest }: SyncReport): PulledMessage {
  return { type: 'pulled', ...rest };
}
