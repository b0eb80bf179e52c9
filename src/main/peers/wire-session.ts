import type { SiteId } from '#shared/model/ids.ts';
import type { ErrorMessage, HelloMessage, WireMessage } from '#shared/wire/messages.ts';
import { PROTOCOL_RANGE, type ProtocolRange } from '#shared/wire/protocol.ts';
import type { PulledMessage } from '#shared/wire/pulled-message.ts';
import type { ReplicaIdentity } from '../replica/replica.ts';
import { checkHello, type HelloRefusal } from './check-hello.ts';
import { createAwaited } from './create-awaited.ts';
import { createHeadNotices } from './create-head-notices.ts';
import { createWireLink, type WireLink, type WireLinkEars } from './create-wire-link.ts';
import type { ClientInfo } from './peer-link.ts';
import { readWireError } from './read-wire-error.ts';
import { createPageServer, type PageServer } from './serve-pages.ts';
import type { SyncEndpoint } from './sync-endpoint.ts';
import { openWireChannel, type WireChannel, type WireChannelDeps } from './wire-channel.ts';

/** How long the other end may take to say hello. */
const HELLO_MAX_MS = 10_000;
/** Messages of unknown types that are answered before the peer is taken for one that speaks something else. */
const STRANGERS_MAX = 16;

export interface WireSessionDeps extends WireChannelDeps {
  readonly endpoint: SyncEndpoint;
  /** Of the endpoint, read just before: a hello cannot wait once the socket is open. */
  readonly identity: ReplicaIdentity;
  readonly client: ClientInfo;
  /** The replica that was asked for; absent on the side that is called. */
  readonly askedSite?: SiteId;
  /** False: the peer may not pull from here. */
  readonly offers: boolean;
  /** Pulls from the peer because it asked for it. */
  readonly onInvite: () => Promise<PulledMessage>;
  /** A last look at who says hello; null lets it in. */
  readonly screen?: (hello: HelloMessage) => HelloRefusal | null;
  /** What this side speaks; by default all that this program does. */
  readonly protocol?: ProtocolRange;
}

/**
 * One socket, from hello to goodbye. Both ends run the same: each says hello at once, and from then on each may
 * pull from the other. Until a peer has said who it is, nothing but a hello is taken from it
 * (SYNC-003).
 */
export interface WireSession {
  readonly channel: WireChannel;
  readonly link: WireLink;
}

/** Starts a session on a socket that has just opened. It ends with its channel. */
export function startWireSession(deps: WireSessionDeps): WireSession {
  const greeting = createAwaited<HelloMessage>();
  const opened = greeting.wait();
  const channel = openWireChannel(deps, { message: receive, stranger: receiveStranger });
  const { link, ears } = createWireLink({ channel, opened, nowMs: deps.endpoint.nowMs });
  const protocol = deps.protocol ?? PROTOCOL_RANGE;
  let converse: ((message: WireMessage) => void) | null = null;
  let strangers = 0;

  const cancelHello = deps.timers.after(HELLO_MAX_MS, () =>
    channel.fail('timed-out', { afterMs: HELLO_MAX_MS }, { code: 'timed-out', afterMs: HELLO_MAX_MS }),
  );
  channel.onEnd((why) => {
    cancelHello();
    greeting.fail(why);
  });
  channel.send(helloOf(deps, protocol));
  return { channel, link };

  function receive(message: WireMessage): void {
    if (converse === null) greet(message);
    else converse(message);
  }

  function greet(message: WireMessage): void {
    if (message.type === 'error') {
      channel.leave(readWireError(message, protocol));
      return;
    }
    if (message.type !== 'hello') {
      breach(channel, 'hello-expected', message.type);
      return;
    }
    const refusal = findRefusal(message, { ...deps, protocol });
    if (refusal !== null) {
      channel.fail(refusal.code, refusal.facts, refusal.why);
      return;
    }
    cancelHello();
    converse = startConversation({ ...deps, channel, ears, protocol, peer: message.site });
    greeting.answer(message);
  }

  function receiveStranger(type: string): void {
    strangers += 1;
    if (converse === null) breach(channel, 'hello-expected', type);
    else if (strangers > STRANGERS_MAX) breach(channel, 'unknown-message', type);
    else channel.send({ type: 'error', code: 'unknown-message', fatal: false, facts: { type } });
  }
}

function findRefusal(hello: HelloMessage, deps: WireSessionDeps & { readonly protocol: ProtocolRange }) {
  const { protocol, identity, askedSite, screen } = deps;
  const refusal = checkHello(hello, { protocol, ownSite: identity.site, askedSite });
  return refusal ?? screen?.(hello) ?? null;
}

function helloOf({ identity, endpoint, client }: WireSessionDeps, protocol: ProtocolRange): HelloMessage {
  const { site, epoch, era, head } = identity;
  const [lowest, highest] = protocol;
  return {
    type: 'hello',
    protocol: [lowest, highest],
    site,
    epoch,
    era,
    head,
    nowMs: endpoint.nowMs(),
    client,
  };
}

function breach(channel: WireChannel, code: ErrorMessage['code'], type: string): void {
  channel.fail(code, { type }, { code: 'bad-peer', detail: `${code}: ${type}` });
}

interface ConversationDeps extends WireSessionDeps {
  readonly channel: WireChannel;
  readonly ears: WireLinkEars;
  readonly protocol: ProtocolRange;
  readonly peer: SiteId;
}

/** What both ends do once they know each other: answer pulls, hand answers on, tell of news. */
function startConversation(deps: ConversationDeps): (message: WireMessage) => void {
  const { channel, ears } = deps;
  const pages = createPageServer(channel, deps);
  const answerInvite = createInviteAnswers(deps);
  tellHeads(deps);

  return (message) => {
    switch (message.type) {
      case 'pull':
        pull(message, pages);
        return;
      case 'page':
        if (!ears.page(withoutType(message))) breach(channel, 'out-of-turn', message.type);
        return;
      case 'pulled':
        if (!ears.pulled(message)) breach(channel, 'out-of-turn', message.type);
        return;
      case 'head':
        ears.head(message.seq);
        return;
      case 'invite':
        answerInvite();
        return;
      case 'hello':
        breach(channel, 'hello-twice', message.type);
        return;
      case 'error':
        hearError(message);
    }
  };

  function pull(message: WireMessage & { type: 'pull' }, server: PageServer): void {
    if (deps.offers) server.pull(withoutType(message));
    else channel.send({ type: 'error', code: 'not-offered', fatal: false, facts: {} });
  }

  function hearError(error: ErrorMessage): void {
    const why = readWireError(error, deps.protocol);
    if (error.fatal) channel.leave(why);
    else if (!ears.noPage(why))
      deps.log.warn('peers.peer-complains', { code: error.code, facts: error.facts });
  }
}

function createInviteAnswers({ channel, onInvite, log }: ConversationDeps): () => void {
  let isBusy = false;

  return () => {
    if (isBusy) breach(channel, 'out-of-turn', 'invite');
    else void answer();
  };

  async function answer(): Promise<void> {
    isBusy = true;
    try {
      channel.send(await onInvite());
    } catch (bug) {
      log.error('peers.invite-threw', { bug });
      channel.fail('internal', {}, { code: 'internal' });
    } finally {
      isBusy = false;
    }
  }
}

/** Tells of each head that is newer than what our hello said, also of one that came while it was under way. */
function tellHeads({ channel, endpoint, identity, timers, log, offers }: ConversationDeps): void {
  if (!offers) return;
  const notices = createHeadNotices(timers, (seq) => channel.send({ type: 'head', seq }));
  const unsubscribe = endpoint.onHead(notices.tell);
  channel.onEnd(() => {
    unsubscribe();
    notices.stop();
  });
  endpoint.identity().then(
    ({ head }) => {
      if (head > identity.head) notices.tell(head);
    },
    (bug: unknown) => log.error('peers.identity-threw', { bug }),
  );
}

function withoutType<M extends WireMessage>(message: M): Omit<M, 'type'> {
  const { type: _type, ...rest } = message;
  return rest;
}
