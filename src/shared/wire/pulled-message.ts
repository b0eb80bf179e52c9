import { z } from 'zod';

import { ConflictId } from '../model/ids.ts';
import { BlockCause } from '../model/vocabulary.ts';

/**
 * How a sync of one direction ended.
 *
 * - `quiet`: the puller has all that the source had noticed.
 * - `blocked`: an admission unit was refused; what came before it has landed.
 * - `too-old`: the source no longer has what comes next; a re-bootstrap is the way.
 * - `refused`: one of the two sides says no. Only a person can mend it.
 * - `paused`: stopped on demand between two pages.
 * - `unreachable`: no answer.
 * - `failed`: an answer that makes no sense, or a failure inside one of the two.
 */
export const SyncEnd = z.enum(['quiet', 'blocked', 'too-old', 'refused', 'paused', 'unreachable', 'failed']);
export type SyncEnd = z.infer<typeof SyncEnd>;

const count = z.int().min(0);
const text = z.string().max(1_000_000);

/** Pull from me now. Answered by `pulled`, always. */
export const inviteMessage = z.strictObject({ type: z.literal('invite') });
export type InviteMessage = z.infer<typeof inviteMessage>;

/** What a pull that was invited did, as its puller counts it. */
export const pulledMessage = z.strictObject({
  type: z.literal('pulled'),
  ended: SyncEnd,
  pages: count,
  read: count,
  admittedGroups: count,
  factsApplied: count,
  factsSuperseded: count,
  factsHeld: count,
  migrations: count,
  blocked: z
    .strictObject({ conflictId: ConflictId, cause: BlockCause, object: text, message: text })
    .nullable(),
});
export type PulledMessage = z.infer<typeof pulledMessage>;
