import type { ReplicaFailure } from '#shared/api/replica-failures.ts';
import { err, type Result } from '#shared/result.ts';
import type { Timers } from '../peers/timers.ts';
import type { FeedError, FeedPage, FeedRequest } from '../replica/replica.ts';
import type { LocalMembers } from './local-members.ts';
import type { Member } from './member.ts';
import { onMember } from './on-member.ts';

/** What programs ask of the feed of a replica of this machine. */
export interface FeedDoor {
  /**
   * One page. With nothing to tell, it waits up to `waitMs` for something.
   *
   * Errors: those of the feed; `replica-unknown`, `replica-unavailable` with the reason.
   */
  readonly read: (
    replica: string,
    request: FeedRequest & { readonly waitMs: number },
  ) => Promise<Result<FeedPage, FeedFailure>>;
}

export type FeedFailure =
  FeedError | { readonly code: 'replica-unknown' | 'replica-unavailable'; readonly message: string };

export function createFeedDoor(deps: { readonly members: LocalMembers; readonly timers: Timers }): FeedDoor {
  const { members, timers } = deps;
  return {
    read: async (replica, { waitMs, ...request }) => {
      const member = findMember(members, replica);
      if (member === null)
        return err({
          code: 'replica-unknown',
          message: `No replica of this host has the site ID or name "${replica}".`,
        });
      const read = await onMember(members, member.ref, ({ keeper }) =>
        readOrWait(member, { timers, waitMs, read: () => keeper.replica.readFeed(request) }),
      );
      return read.ok ? read : err(toFailure(read.error));
    },
  };
}

function findMember(members: LocalMembers, said: string): Member | null {
  const named = (): Member | null => members.all().find((member) => member.record().name === said) ?? null;
  return members.findBySite(said) ?? members.get(said) ?? named();
}

async function readOrWait(
  member: Member,
  how: {
    readonly timers: Timers;
    readonly waitMs: number;
    readonly read: () => Promise<Result<FeedPage, FeedError>>;
  },
): Promise<Result<FeedPage, FeedError>> {
  // Listening begins before the reading, so that nothing falls between.
  let hear: () => void = () => undefined;
  const heard = new Promise<void>((resolve) => {
    hear = resolve;
  });
  const off = member.endpoint.onHead(hear);
  const cancel = how.timers.after(how.waitMs, hear);
  try {
    const first = await how.read();
    if (!first.ok || how.waitMs === 0 || first.value.changes.length > 0 || first.value.next !== undefined)
      return first;
    await heard;
    return await how.read();
  } finally {
    cancel();
    off();
  }
}

function toFailure(error: FeedError | ReplicaFailure): FeedFailure {
  switch (error.code) {
    case 'replica-unavailable':
      return { code: error.code, message: error.reason };
    case 'replica-unknown':
      return { code: error.code, message: 'The replica has just left this host.' };
    default:
      return error;
  }
}
