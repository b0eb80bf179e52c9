import { z } from 'zod';

import { ReplicaState } from '../model/vocabulary.ts';
import { failure } from './procedure.ts';

/** The fleet has no replica with this ref. */
export const ReplicaUnknown = failure('replica-unknown', { ref: z.string() });

/** It is in the fleet and cannot answer now: locked, damaged, incompatible, its file or host gone. */
export const ReplicaUnavailable = failure('replica-unavailable', {
  ref: z.string(),
  state: ReplicaState,
  /** One sentence. */
  reason: z.string(),
});

/** Why no answer about a replica can be given. */
export const ReplicaFailure = z.discriminatedUnion('code', [ReplicaUnknown, ReplicaUnavailable]);
export type ReplicaFailure = z.infer<typeof ReplicaFailure>;
