import { z } from 'zod';

import {
  HeldAction,
  HeldEdit,
  HeldEdited,
  HeldExtent,
  HeldOutcome,
  HeldSelection,
} from '../model/held-decision.ts';
import { HeldView } from '../model/views.ts';
import { HeldReason } from '../model/vocabulary.ts';
import { Ref } from './fleet-replica.ts';
import { failure, procedure } from './procedure.ts';
import { ReplicaFailure, ReplicaUnavailable, ReplicaUnknown } from './replica-failures.ts';

const OfReplica = z.strictObject({ ref: Ref });

const Because = z.string().trim().max(2000);

const HeldFailure = z.discriminatedUnion('code', [
  ReplicaUnknown,
  ReplicaUnavailable,
  /** Nothing that is held fits. */
  failure('nothing-held', { message: z.string() }),
  /** A deletion says why. */
  failure('reason-missing', { message: z.string() }),
  /** A row with these values is none that the table takes. */
  failure('has-no-place', { message: z.string() }),
]);

/** Changes that wait for a place, and what people do with them. */
export const heldProcedures = {
  /** Newest first. `before` is the smallest ID of the page before. An export reads all pages. */
  'replica.held': procedure({
    kind: 'query',
    input: OfReplica.extend({
      before: z.number().int().optional(),
      limit: z.number().int().min(1).max(1000),
      table: z.string().optional(),
      reason: HeldReason.optional(),
      quarantined: z.boolean().optional(),
    }),
    output: z.strictObject({
      counts: z
        .array(z.strictObject({ table: z.string(), reason: HeldReason, rows: z.number().int() }))
        .readonly(),
      items: z.array(HeldView).readonly(),
    }),
    error: ReplicaFailure,
  }),

  /** How much a selection means, and whose it is: what a deletion would lose. */
  'replica.measureHeld': procedure({
    kind: 'query',
    input: OfReplica.extend({ selection: HeldSelection }),
    output: HeldExtent,
    error: ReplicaFailure,
  }),

  /** Quarantines, releases, drains or deletes; the journal has it. A deletion says why. */
  'replica.decideHeld': procedure({
    kind: 'command',
    input: OfReplica.extend({ action: HeldAction, selection: HeldSelection, because: Because }),
    output: HeldOutcome,
    error: HeldFailure,
  }),

  /** Writes a held row with other values, as an edit that knew of it: it travels to the peers. */
  'replica.editHeld': procedure({
    kind: 'command',
    input: OfReplica.extend({ ...HeldEdit.shape, because: Because }),
    output: HeldEdited,
    error: HeldFailure,
  }),
};
