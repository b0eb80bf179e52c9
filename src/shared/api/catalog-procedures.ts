import { z } from 'zod';

import { CatalogDiff } from '../model/catalog-diff.ts';
import { Ref } from './fleet-replica.ts';
import { procedure } from './procedure.ts';
import { ReplicaFailure } from './replica-failures.ts';

/** What is asked of the catalogs of several replicas at once. */
export const catalogProcedures = {
  /** The catalogs of two replicas side by side. Only what differs is listed; explained, also what is written otherwise. */
  'catalog.diff': procedure({
    kind: 'query',
    input: z.strictObject({ left: Ref, right: Ref, explain: z.boolean() }),
    output: CatalogDiff,
    error: ReplicaFailure,
  }),
};
