import type { PullRequest } from '#shared/model/change-group.ts';
import type { SiteId } from '#shared/model/ids.ts';
import type { WireMessage } from '#shared/wire/messages.ts';
import type { Log } from '../engine/ports.ts';
import type { SyncEndpoint } from './sync-endpoint.ts';
import type { WireChannel } from './wire-channel.ts';

export interface PageServer {
  readonly pull: (request: PullRequest) => void;
}

/**
 * Answers the pulls of one peer, one after the other.
 *
 * At most one page is read or on its way out, and one request waits: a peer that asks on without reading is
 * cut off instead of being buffered for (SYNC-002).
 */
export function createPageServer(
  channel: WireChannel,
  source: { readonly endpoint: SyncEndpoint; readonly peer: SiteId; readonly log: Log },
): PageServer {
  let isBusy = false;
  let next: PullRequest | null = null;

  return {
    pull: (request) => {
      if (!isBusy) void serve(request);
      else if (next === null) next = request;
      else
        channel.fail('out-of-turn', { type: 'pull' }, { code: 'bad-peer', detail: 'too many pulls at once' });
    },
  };

  async function serve(request: PullRequest): Promise<void> {
    isBusy = true;
    channel.send(await readAnswer(request), () => {
      isBusy = false;
      const waiting = next;
      next = null;
      if (waiting !== null) void serve(waiting);
    });
  }

  async function readAnswer(request: PullRequest): Promise<WireMessage> {
    try {
      const page = await source.endpoint.readPage(source.peer, request);
      if (page.ok) return { type: 'page', ...page.value };
      const { code, message } = page.error;
      return { type: 'error', code, fatal: false, facts: { message } };
    } catch (bug) {
      source.log.error('peers.read-page-threw', { bug });
      return { type: 'error', code: 'internal', fatal: false, facts: {} };
    }
  }
}
