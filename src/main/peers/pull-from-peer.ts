import type { Page, PullRequest } from '#shared/model/change-group.ts';
import type { SiteId } from '#shared/model/ids.ts';
import { err, type Result } from '#shared/result.ts';
import type { AdmissionReport, PeerIdentity, PullRefusal } from '../replica/replica.ts';
import type { LinkError, PeerLink } from './peer-link.ts';
import type { SyncEndpoint } from './sync-endpoint.ts';
import { createSyncTally, type SyncReport, type SyncTally } from './sync-report.ts';

export interface PullEnds {
  readonly endpoint: SyncEndpoint;
  readonly link: PeerLink;
}

export interface PullOptions {
  /** Tries what is blocked by this peer before asking for more, whatever its next try. */
  readonly retryBlocked?: boolean;
  /** Asked before each page; true ends the sync as `paused`. */
  readonly shouldStop?: () => boolean;
  /** Called after each page is admitted. */
  readonly onPage?: (page: Page) => void;
}

/** Pages in a row that may leave the puller where it was: redelivery and resolutions do, a broken peer does for ever. */
const FRUITLESS_PAGES_MAX = 8;

/**
 * One sync of one direction: asks a peer page by page until it has no more, or until something stops the line.
 *
 * The place in the log is asked of the replica before each page, never kept here (SYNC-001), so a sync that is broken
 * off anywhere goes on where the last admission ended. Nothing is buffered: the next page is asked for once
 * this one is admitted.
 *
 * Errors: none are thrown for what links and peers do; the report says how it ended.
 */
export async function pullFromPeer(ends: PullEnds, options: PullOptions = {}): Promise<SyncReport> {
  const { endpoint, link } = ends;
  const tally = createSyncTally();
  const progress = createProgressGuard();

  const { onPage, retryBlocked, shouldStop = () => false } = options;
  const hello = await link.hello();
  if (!hello.ok) return endRefused(ends, hello.error, { tally, site: null });
  let peer: PeerIdentity = hello.value;
  tally.heard(peer, endpoint.nowMs());
  if (retryBlocked === true) tally.admission(await endpoint.retryBlocked(peer.site));

  for (;;) {
    if (shouldStop()) return tally.end('paused');

    const page = await fetchPage({ ...ends, peer, progress });
    if (!page.ok) return endRefused(ends, page.error, { tally, site: peer.site });
    tally.page(page.value);
    peer = { ...peer, head: page.value.head };

    const admission = await endpoint.admitPage(peer, page.value);
    tally.admission(admission);
    onPage?.(page.value);
    const ended = endAfter(tally, page.value, admission);
    if (ended !== null) return ended;
  }
}

/**
 * How a sync ends that got no page. Where the reason lies in what the two replicas are, the line is blocked with it: a person
 * has to see it on the replica, whatever becomes of the link.
 */
async function endRefused(
  { endpoint }: Pick<PullEnds, 'endpoint'>,
  error: LinkError | PullRefusal,
  { tally, site }: { readonly tally: SyncTally; readonly site: SiteId | null },
): Promise<SyncReport> {
  const refusal = refusalIn(error);
  if (refusal === null) return tally.endBy(error);
  // Who is refused before the other has said who it is has its own site ID at the other end.
  const about = site ?? (await endpoint.identity()).site;
  return tally.endBlocked(await endpoint.refusedBy(about, refusal));
}

function refusalIn(error: LinkError | PullRefusal): PullRefusal | null {
  if (error.code === 'refused') return error.refusal;
  return error.code === 'epoch-changed' || error.code === 'too-old' || error.code === 'duplicate-site'
    ? error
    : null;
}

function endAfter(tally: SyncTally, page: Page, { blocked }: AdmissionReport): SyncReport | null {
  if (blocked !== null) return tally.endBlocked(blocked);
  return page.more ? null : tally.end('quiet');
}

async function fetchPage(from: {
  readonly endpoint: SyncEndpoint;
  readonly link: PeerLink;
  readonly peer: PeerIdentity;
  readonly progress: ProgressGuard;
}): Promise<Result<Page, LinkError | PullRefusal>> {
  const request = await from.endpoint.planPull(from.peer);
  if (!request.ok) return request;
  if (!from.progress.take(request.value)) return err({ code: 'bad-peer', detail: 'pages without progress' });
  return from.link.pull(request.value);
}

interface ProgressGuard {
  /** False once too many requests in a row ask for the same place. */
  readonly take: (request: PullRequest) => boolean;
}

function createProgressGuard(): ProgressGuard {
  let lastPlace = '';
  let fruitless = 0;

  return {
    take: ({ cursor, conflicts }) => {
      const place = JSON.stringify([cursor?.epoch, cursor?.seq, cursor?.inside, conflicts]);
      fruitless = place === lastPlace ? fruitless + 1 : 0;
      lastPlace = place;
      return fruitless <= FRUITLESS_PAGES_MAX;
    },
  };
}
