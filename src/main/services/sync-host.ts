import { err, ok, type Result } from '#shared/result.ts';
import type { SiteId } from '#shared/model/ids.ts';
import type { Token, Tokens } from '../console/tokens.ts';
import type { SyncDenial } from '../peers/read-sync-request.ts';
import type { SyncGrant, SyncHost } from '../peers/sync-host.ts';
import type { Timers } from '../peers/timers.ts';
import { createListeners } from '../peers/create-listeners.ts';
import type { Member } from './member.ts';
import type { LocalMembers } from './local-members.ts';

/** A withdrawn token ends its sessions within a second. */
const RIGHTS_CHECK_MS = 500;

export interface ServedSync extends SyncHost {
  /** Ends the sessions of a replica that leaves the fleet, or of all. */
  readonly endSessions: (ref?: string) => void;
}

/** Says who may sync which replica of this host, by its tokens. */
export function createSyncHost(deps: {
  readonly members: LocalMembers;
  readonly tokens: Tokens;
  readonly timers: Timers;
}): ServedSync {
  const { members, tokens, timers } = deps;
  const endings = createListeners<string | undefined>();

  return {
    authorize: async ({ token: secret, site }): Promise<Result<SyncGrant, SyncDenial>> => {
      const token = secret === null ? null : tokens.verify(secret);
      if (!token?.ok) return err({ code: 'unauthorized' });
      if (!maySync(token.value, site)) return err({ code: 'forbidden' });
      const member = members.findBySite(site);
      const opened = await member?.keeper.acquire();
      // A token for some sites learns nothing about what is here, not even that it is gone.
      if (member === null || opened?.ok !== true) {
        return err({ code: token.value.sites === null ? 'no-such-replica' : 'forbidden' });
      }
      return ok(grantFor(member, token.value));
    },
    endSessions: endings.tell,
  };

  function grantFor({ ref, endpoint }: Member, token: Token): SyncGrant {
    let cancelCheck: () => void = () => undefined;
    const offs: (() => void)[] = [];
    return {
      endpoint,
      onWithdrawn: (listener) => {
        const check = (): void => {
          if (tokens.isInForce(token.id)) cancelCheck = timers.after(RIGHTS_CHECK_MS, check);
          else listener();
        };
        cancelCheck = timers.after(RIGHTS_CHECK_MS, check);
        return () => cancelCheck();
      },
      onClosing: (listener) => {
        const off = endings.add((ending) => {
          if (ending === undefined || ending === ref) listener();
        });
        offs.push(off);
        return off;
      },
      release: () => {
        cancelCheck();
        for (const off of offs) off();
      },
    };
  }
}

function maySync(token: Token, site: SiteId): boolean {
  return token.role !== 'read' && (token.sites === null || token.sites.includes(site));
}
