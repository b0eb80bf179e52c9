import { z } from 'zod';

import { SiteId } from '../model/ids.ts';
import { Ref } from './fleet-replica.ts';
import { procedure } from './procedure.ts';
import { ReplicaFailure } from './replica-failures.ts';

const OfReplica = z.strictObject({ ref: Ref });
const count = z.number().int().min(0);

/** Longer than this nobody keeps anything; milliseconds. */
const AGE_MAX_MS = 100 * 366 * 86_400_000;

const PruneOutcome = z.strictObject({
  tombstones: count,
  logEntries: count,
  history: count,
  held: count,
});

/** What is done to a replica as a whole, now and then. */
export const upkeepProcedures = {
  /** Checks all of its bookkeeping against its tables: one sentence per problem. Reads every row. */
  'replica.check': procedure({
    kind: 'command',
    input: OfReplica,
    output: z.strictObject({ problems: z.array(z.string()).readonly() }),
    error: ReplicaFailure,
  }),
  /** Lets go of old deletions, log entries and history: older than was said, else than its settings keep them. */
  'replica.prune': procedure({
    kind: 'command',
    input: OfReplica.extend({ olderThanMs: z.number().int().min(0).max(AGE_MAX_MS).optional() }),
    output: PruneOutcome,
    error: ReplicaFailure,
  }),
  /** Takes a restored or copied file on as a new replica, with its rows and what it wrote since. */
  'replica.newSite': procedure({
    kind: 'command',
    input: OfReplica.extend({ because: z.string().trim().min(1).max(2000) }),
    output: z.strictObject({ siteBefore: SiteId, site: SiteId, taken: count }),
    error: ReplicaFailure,
  }),
};
