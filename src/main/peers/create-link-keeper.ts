import { ok, type Result } from '#shared/result.ts';
import type { LinkError, PeerLink } from './peer-link.ts';

export interface LinkKeeper {
  /** The open link, or a new one. */
  readonly open: () => Promise<Result<PeerLink, LinkError>>;
  readonly isOpen: () => boolean;
  /** Highest head that the peer told since `open` was last called; 0 when none. */
  readonly headHeard: () => number;
  /** Closes what is open. A connection that is still coming about is closed when it does. */
  readonly drop: () => void;
}

/** Holds the one link of a session: opens it when needed, listens to it, forgets it when it ends. */
export function createLinkKeeper(deps: {
  readonly connect: () => Promise<Result<PeerLink, LinkError>>;
  readonly onHead: () => void;
  readonly onClosed: (why: LinkError) => void;
}): LinkKeeper {
  let link: PeerLink | null = null;
  let drops = 0;
  let headHeard = 0;

  return {
    open: async () => {
      headHeard = 0;
      if (link !== null) return ok(link);
      const dropsBefore = drops;
      const opened = await deps.connect();
      if (!opened.ok) return opened;
      if (drops !== dropsBefore) {
        opened.value.close();
        return DROPPED;
      }
      listen(opened.value);
      return opened;
    },
    isOpen: () => link !== null,
    headHeard: () => headHeard,
    drop: () => {
      drops += 1;
      const open = link;
      link = null;
      open?.close();
    },
  };

  function listen(opened: PeerLink): void {
    link = opened;
    opened.onHead((seq) => {
      if (link !== opened) return;
      headHeard = Math.max(headHeard, seq);
      deps.onHead();
    });
    opened.onClosed((why) => {
      if (link !== opened) return;
      link = null;
      deps.onClosed(why);
    });
  }
}

const DROPPED = { ok: false, error: { code: 'paused' } } as const;
