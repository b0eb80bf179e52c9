import { z } from 'zod';

import { ConflictId } from '../model/ids.ts';
import { ReplicaStatus } from '../model/views.ts';
import { BlockCause, ObjectKind, ReplicaState } from '../model/vocabulary.ts';

/** Names a replica in a console's fleet, local or on a remote host. Stable; opaque. */
export const Ref = z.string().min(1).max(200);
export type Ref = z.infer<typeof Ref>;

/** What the fleet tells of one blocked batch; the whole of it comes with `blocked.get`. */
export const BlockedBrief = z.strictObject({
  conflictId: ConflictId,
  kind: ObjectKind,
  object: z.string(),
  cause: BlockCause,
  /** The peer whose line is blocked; null when it is not in this fleet. */
  from: Ref.nullable(),
  fromName: z.string(),
  sinceMs: z.number().int(),
  attempts: z.number().int(),
  nextTryMs: z.number().int(),
  behindChanges: z.number().int(),
});
export type BlockedBrief = z.infer<typeof BlockedBrief>;

const Lag = z.strictObject({
  /** Changes that its peers have and it has not, summed over its links. */
  changes: z.number().int(),
  /** Since when it lags; null when it does not. */
  oldestMs: z.number().int().nullable(),
});

export const FleetReplica = z.strictObject({
  ref: Ref,
  name: z.string(),
  group: z.string().nullable(),
  /** `this machine`, or the address of the remote host that holds it. */
  host: z.string(),
  /** On its host; null when the host does not tell. */
  path: z.string().nullable(),
  /** The worst that applies, in the order of `ReplicaState`. */
  state: ReplicaState,
  /** One sentence: why it is incompatible, damaged, unreachable or locked; null else. */
  reason: z.string().nullable(),
  /** As last heard at `asOfMs`; null when it never answered. */
  status: ReplicaStatus.nullable(),
  asOfMs: z.number().int(),
  lag: Lag,
  heldRows: z.number().int(),
  blocked: z.array(BlockedBrief),
  lastSyncMs: z.number().int().nullable(),
  /** The largest difference that it heard between a peer's clock and its own; null when it heard none. */
  skewMs: z.number().int().nullable(),
  /** All its links are paused. */
  paused: z.boolean(),
});
export type FleetReplica = z.infer<typeof FleetReplica>;

export const LinkHealth = z.enum(['healthy', 'behind', 'blocked', 'paused', 'tooOld', 'unreachable']);
export type LinkHealth = z.infer<typeof LinkHealth>;

export const FleetLink = z.strictObject({
  id: z.string(),
  a: Ref,
  /** Null when the other end is a peer that this fleet reaches for sync only. */
  b: Ref.nullable(),
  bName: z.string(),
  via: z.enum(['inProcess', 'webSocket']),
  url: z.string().nullable(),
  paused: z.boolean(),
  health: LinkHealth,
  /** Changes of a that b has not admitted, and the reverse; null when not known. */
  lagAtoB: z.number().int().nullable(),
  lagBtoA: z.number().int().nullable(),
  lastSyncMs: z.number().int().nullable(),
  /** When it is tried again after a failure; null when it is not waiting. */
  nextTryMs: z.number().int().nullable(),
  /** One sentence when health is blocked, tooOld or unreachable. */
  reason: z.string().nullable(),
});
export type FleetLink = z.infer<typeof FleetLink>;

/** A remote host whose replicas this fleet shows. */
const FleetHost = z.strictObject({
  url: z.string(),
  reachable: z.boolean(),
  reason: z.string().nullable(),
});

export const Fleet = z.strictObject({
  replicas: z.array(FleetReplica),
  links: z.array(FleetLink),
  hosts: z.array(FleetHost),
  /** The example fleet is there: then "Try the example fleet" is not offered again. */
  exampleExists: z.boolean(),
});
export type Fleet = z.infer<typeof Fleet>;
