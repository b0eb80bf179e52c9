import type { Page } from '#shared/model/change-group.ts';
import { ok, type Result } from '#shared/result.ts';
import type { HelloMessage } from '#shared/wire/messages.ts';
import type { PulledMessage } from '#shared/wire/pulled-message.ts';
import { createAwaited } from './create-awaited.ts';
import { createListeners } from './create-listeners.ts';
import type { LinkError, PeerLink } from './peer-link.ts';
import type { WireChannel } from './wire-channel.ts';

/** A link whose other end can be asked to pull in its turn. */
export interface WireLink extends PeerLink {
  /** Asks the peer to pull from here now, and waits until it has. One at a time. */
  readonly invite: () => Promise<Result<PulledMessage, LinkError>>;
}

/** What the session hands on to its link. False: nobody had asked for it. */
export interface WireLinkEars {
  readonly page: (page: Page) => boolean;
  readonly pulled: (message: PulledMessage) => boolean;
  readonly head: (seq: number) => void;
  /** The peer will not answer the pull that is open. */
  readonly noPage: (why: LinkError) => boolean;
}

/** The pulling half of a session. `opened` resolves once the peer has said hello, or never will. */
export function createWireLink(deps: {
  readonly channel: WireChannel;
  readonly opened: Promise<Result<HelloMessage, LinkError>>;
  readonly nowMs: () => number;
}): { readonly link: WireLink; readonly ears: WireLinkEars } {
  const { channel, nowMs } = deps;
  const heads = createListeners<number>();
  const page = createAwaited<Page>();
  const pulled = createAwaited<PulledMessage>();
  let newestHead = 0;
  let isClosedHere = false;

  const heardAt = deps.opened.then((hello) => (hello.ok ? nowMs() - hello.value.nowMs : 0));
  channel.onEnd((why) => {
    page.fail(why);
    pulled.fail(why);
  });

  return {
    link: { hello, pull, invite, onHead: heads.add, onClosed, close },
    ears: { page: takePage, pulled: pulled.answer, head: takeHead, noPage: page.fail },
  };

  async function hello(): ReturnType<PeerLink['hello']> {
    const said = await deps.opened;
    const why = channel.ended();
    if (!said.ok) return said;
    if (why !== null) return { ok: false, error: why };
    // A session says hello once: the peer's clock is carried on with ours, and its head as it was told since.
    const { site, epoch, era, client, head } = said.value;
    const peerMs = nowMs() - (await heardAt);
    return ok({ site, epoch, era, client, head: Math.max(head, newestHead), nowMs: peerMs });
  }

  async function pull(request: Parameters<PeerLink['pull']>[0]): ReturnType<PeerLink['pull']> {
    const why = channel.ended();
    if (why !== null) return { ok: false, error: why };
    const answer = page.wait();
    channel.send({ type: 'pull', ...request });
    return answer;
  }

  async function invite(): ReturnType<WireLink['invite']> {
    const why = channel.ended();
    if (why !== null) return { ok: false, error: why };
    const answer = pulled.wait();
    channel.send({ type: 'invite' });
    return answer;
  }

  function takePage(arrived: Page): boolean {
    newestHead = Math.max(newestHead, arrived.head);
    return page.answer(arrived);
  }

  function takeHead(seq: number): void {
    newestHead = Math.max(newestHead, seq);
    heads.tell(seq);
  }

  function onClosed(listener: (why: LinkError) => void): () => void {
    return channel.onEnd((why) => {
      if (!isClosedHere) listener(why);
    });
  }

  function close(): void {
    isClosedHere = true;
    channel.leave({ code: 'closed', reason: 'closed by this side' });
  }
}
