import { z } from 'zod';

import { CatalogDiff } from '../model/catalog-diff.ts';
import { Rehearsal } from '../model/rehearsal.ts';
import { Ref } from './fleet-replica.ts';
import { procedure } from './procedure.ts';
import { RehearseFailures } from './rehearse-failures.ts';
import { ReplicaFailure, ReplicaUnavailable, ReplicaUnknown } from './replica-failures.ts';

/** A person reads the answers; a copy each is made. */
const REPLICAS_MAX = 50;

export const RehearsedReplica = z.strictObject({
  ref: Ref,
  name: z.string(),
  role: z.enum(['author', 'receiver']),
  /** Null when it cannot be said; `note` says why. */
  rehearsal: Rehearsal.nullable(),
  note: z.string().nullable(),
});
export type RehearsedReplica = z.infer<typeof RehearsedReplica>;

/** What is asked of the catalogs of several replicas at once. */
export const catalogProcedures = {
  /** The catalogs of two replicas side by side. Only what differs is listed; explained, also what is written otherwise. */
  'catalog.diff': procedure({
    kind: 'query',
    input: z.strictObject({ left: Ref, right: Ref, explain: z.boolean() }),
    output: CatalogDiff,
    error: ReplicaFailure,
  }),

  /** What schema statements would do where they are written, and where they arrive. Run on scratch copies. */
  'catalog.rehearse': procedure({
    kind: 'query',
    input: z.strictObject({
      /** Where they would be written. */
      at: Ref,
      sql: z.string().min(1).max(1_000_000),
      /** Where they would arrive; all others of the fleet when left out. */
      on: z.array(Ref).max(REPLICAS_MAX).optional(),
    }),
    output: z.array(RehearsedReplica).readonly(),
    error: z.discriminatedUnion('code', [ReplicaUnknown, ReplicaUnavailable, ...RehearseFailures]),
  }),
};
