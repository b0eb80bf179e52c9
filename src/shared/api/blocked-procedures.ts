import { z } from 'zod';

import { ConflictId, SiteId } from '../model/ids.ts';
import { BlockedView, HlcText, ResolutionPreview, ShapePreview } from '../model/views.ts';
import { ReplicaState, ResolutionOption } from '../model/vocabulary.ts';
import { Ref } from './fleet-replica.ts';
import { failure, procedure } from './procedure.ts';
import { ReplicaUnavailable, ReplicaUnknown } from './replica-failures.ts';

const OneConflict = z.strictObject({ ref: Ref, conflictId: ConflictId });

const NoSuchConflict = failure('no-such-conflict', { message: z.string() });
const OptionDoesNotFit = failure('option-does-not-fit', { message: z.string() });
const NotSupportedYet = failure('not-supported-yet', { message: z.string() });
const ResolutionFailed = failure('resolution-failed', { message: z.string() });

/** Who made one of the two definitions, as far as this fleet knows. */
export const ConflictSide = z.strictObject({
  side: z.enum(['local', 'remote']),
  site: SiteId.nullable(),
  /** The replica of this fleet with that site; null when it is not in it. */
  ref: Ref.nullable(),
  name: z.string(),
  hlc: HlcText.nullable(),
});
export type ConflictSide = z.infer<typeof ConflictSide>;

/** Another replica with the same conflict. */
export const AlsoStuck = z.strictObject({
  ref: Ref,
  name: z.string(),
  fromName: z.string(),
  behindChanges: z.number().int(),
});
export type AlsoStuck = z.infer<typeof AlsoStuck>;

export const BlockedDetail = BlockedView.extend({
  /** The replica of this fleet whose line is blocked; null when it is not in it. */
  fromRef: Ref.nullable(),
  fromName: z.string(),
  sides: z.array(ConflictSide),
  alsoStuck: z.array(AlsoStuck),
});
export type BlockedDetail = z.infer<typeof BlockedDetail>;

export const ReplicaPreview = z.strictObject({
  ref: Ref,
  name: z.string(),
  /** here: where it is decided. stuck: has the same conflict. other: has the object without being stuck. */
  role: z.enum(['here', 'stuck', 'other']),
  /** What its own rows go through; null when it cannot be said, `note` says why. */
  shape: ShapePreview.nullable(),
  note: z.string().nullable(),
});
export type ReplicaPreview = z.infer<typeof ReplicaPreview>;

export const ResolutionOutcome = z.strictObject({
  conflictId: ConflictId,
  option: ResolutionOption,
  fingerprintBefore: z.string(),
  fingerprintAfter: z.string(),
  /** What the decision let in where it was made. */
  admitted: z.strictObject({
    groups: z.number().int(),
    factsApplied: z.number().int(),
    factsSuperseded: z.number().int(),
    factsHeld: z.number().int(),
    migrations: z.number().int(),
  }),
  /** Rounds of sync that carried the decision on. */
  rounds: z.number().int(),
  /** This replica, those that were stuck on the same conflict, and those that have the object. */
  replicas: z.array(
    z.strictObject({
      ref: Ref,
      name: z.string(),
      state: ReplicaState,
      wasStuck: z.boolean(),
      stillStuck: z.boolean(),
    }),
  ),
});
export type ResolutionOutcome = z.infer<typeof ResolutionOutcome>;

export const blockedProcedures = {
  'blocked.get': procedure({
    kind: 'query',
    input: OneConflict,
    output: BlockedDetail,
    error: z.discriminatedUnion('code', [ReplicaUnknown, ReplicaUnavailable, NoSuchConflict]),
  }),

  /** What an option would change, replica by replica. Run on scratch copies; nothing is changed. */
  'blocked.preview': procedure({
    kind: 'query',
    input: OneConflict.extend({ option: ResolutionOption }),
    output: ResolutionPreview.extend({ replicas: z.array(ReplicaPreview) }),
    error: z.discriminatedUnion('code', [
      ReplicaUnknown,
      ReplicaUnavailable,
      NoSuchConflict,
      OptionDoesNotFit,
      NotSupportedYet,
      ResolutionFailed,
    ]),
  }),

  /** Decides, records it in the journal, and syncs until quiet so that the decision travels. */
  'blocked.resolve': procedure({
    kind: 'command',
    input: OneConflict.extend({ option: ResolutionOption, because: z.string().trim().min(1).max(2000) }),
    output: ResolutionOutcome,
    error: z.discriminatedUnion('code', [
      ReplicaUnknown,
      ReplicaUnavailable,
      NoSuchConflict,
      OptionDoesNotFit,
      NotSupportedYet,
      ResolutionFailed,
    ]),
  }),
};
