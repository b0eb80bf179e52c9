import type { ReplicaFailure } from '#shared/api/replica-failures.ts';
import { err, ok, type Failure, type Result } from '#shared/result.ts';
import { WorkerGone } from '../worker/pending-calls.ts';
import { ReplicaNotOpen } from '../worker/replica-keeper.ts';
import { STATE_OF_FAILURE } from './replica-state.ts';
import type { LocalMembers } from './local-members.ts';
import type { Member } from './member.ts';

/**
 * Does something with a replica of this machine.
 *
 * Errors: `replica-unknown`; `replica-unavailable` when its file cannot be opened or its worker died meanwhile; and
 * those of `work`.
 */
export async function onMember<T, E extends Failure = never>(
  members: LocalMembers,
  ref: string,
  work: (member: Member) => Promise<Result<T, E>>,
): Promise<Result<T, E | ReplicaFailure>> {
  const member = members.get(ref);
  if (member === null) return err({ code: 'replica-unknown', ref });
  try {
    return await work(member);
  } catch (cause) {
    const unavailable = toUnavailable(ref, cause);
    if (unavailable === null) throw cause;
    return err(unavailable);
  }
}

/** The same for a plain reading, which cannot fail by itself. */
export function readMember<T>(
  members: LocalMembers,
  ref: string,
  read: (member: Member) => Promise<T>,
): Promise<Result<T, ReplicaFailure>> {
  return onMember(members, ref, async (member) => ok(await read(member)));
}

function toUnavailable(ref: string, cause: unknown): ReplicaFailure | null {
  if (cause instanceof ReplicaNotOpen) {
    const { code, message } = cause.failure;
    return { code: 'replica-unavailable', ref, state: STATE_OF_FAILURE[code], reason: message };
  }
  if (cause instanceof WorkerGone) {
    const reason = 'Its worker ended while it answered; it is started again by itself.';
    return { code: 'replica-unavailable', ref, state: 'unreachable', reason };
  }
  return null;
}
