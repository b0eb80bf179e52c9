import { err, type Result } from '#shared/result.ts';
import type { WireLink } from '../peers/create-wire-link.ts';
import type { SyncEndpoint } from '../peers/sync-endpoint.ts';
import { openWebSocketLink } from '../peers/web-socket-link.ts';
import { silentLog } from '../platform/json-lines-log.ts';
import { systemTimers } from '../platform/system-timers.ts';
import { refuse, type CommandFailure } from './command-answer.ts';
import type { CommandContext } from './command-context.ts';
import { linkSentence } from './error-sentence.ts';
import { openQuietReader } from './open-quiet-reader.ts';
import type { RemoteSide } from './sync-sides.ts';

/** The command line, as peers are told of it. */
export const clientOf = (context: CommandContext) => ({
  name: 'concord command line',
  version: context.version,
});

/** Opens a link to a replica at another host. Errors: all that a handshake can end with, as a sentence. */
export async function openPeerLink(
  context: CommandContext,
  peer: RemoteSide,
  own: { readonly endpoint: SyncEndpoint; readonly offers: boolean },
): Promise<Result<WireLink, CommandFailure>> {
  const { host, site, token } = peer;
  const link = await openWebSocketLink({
    ...own,
    host,
    site,
    token,
    client: clientOf(context),
    timers: systemTimers,
    log: silentLog,
  });
  if (link.ok) return link;
  return err({ code: link.error.code, message: linkSentence(peer.name, link.error), status: 1 });
}

/**
 * Shakes hands with a peer on behalf of a file that is only read, so that a peer that makes no sense leaves no trace in
 * it: opening a replica as its host writes.
 */
export async function tryPeer(
  context: CommandContext,
  peer: RemoteSide,
  path: string,
): Promise<Result<undefined, CommandFailure>> {
  const opened = openQuietReader(context, path);
  if (!opened.ok) return refuse(opened.error.code, opened.error.message);
  const { site, epoch, era, head } = opened.value.status();
  opened.value.close();
  const unasked = async () => Promise.reject(new Error('a handshake asks for nothing but the identity'));
  const link = await openPeerLink(context, peer, {
    endpoint: {
      identity: async () => Promise.resolve({ site, epoch, era, head }),
      nowMs: context.ports.clock.nowMs,
      readPage: unasked,
      planPull: unasked,
      admitPage: unasked,
      retryBlocked: unasked,
      refusedBy: unasked,
      onHead: () => () => undefined,
    },
    offers: false,
  });
  if (!link.ok) return link;
  link.value.close();
  return { ok: true, value: undefined };
}
