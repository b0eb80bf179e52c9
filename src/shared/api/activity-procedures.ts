import { z } from 'zod';

import { Ref } from './fleet-replica.ts';
import { procedure } from './procedure.ts';

export const ActivityKind = z.enum([
  'replicaOpened',
  'replicaAttached',
  'replicaCreated',
  'replicaRemoved',
  'replicaFailed',
  'exampleMade',
  'hostConnected',
  'hostDisconnected',
  'linkAdded',
  'linkRemoved',
  'linkPaused',
  'linkResumed',
  'linkFailed',
  'synced',
  'schemaDecided',
  'migrationsAdmitted',
  'blocked',
  'freed',
  'resolved',
  'executed',
  'workerCrashed',
  'tokenCreated',
  'tokenWithdrawn',
]);
export type ActivityKind = z.infer<typeof ActivityKind>;

export const ActivityEntry = z.strictObject({
  id: z.number().int(),
  atMs: z.number().int(),
  kind: ActivityKind,
  ref: Ref.nullable(),
  /** The replica's name when it happened; null when it concerns none. */
  name: z.string().nullable(),
  /** Small facts by name, such as `object`, `peer`, `changes`, `who`, `reason`. */
  facts: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
});
export type ActivityEntry = z.infer<typeof ActivityEntry>;

export const activityProcedures = {
  'activity.list': procedure({
    kind: 'query',
    input: z.strictObject({
      before: z.number().int().optional(),
      limit: z.number().int().min(1).max(1000),
    }),
    output: z.array(ActivityEntry).readonly(),
    error: z.never(),
  }),
};
