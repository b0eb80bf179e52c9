import { queryOptions } from '@tanstack/react-query';

import type { Client } from '#shared/api/types.ts';

import { valueOf } from './client.ts';

/** How many rows a replica holds, per table and reason. */
export function heldCountsQuery(client: Client, ref: string) {
  return queryOptions({
    queryKey: ['held', ref, 'counts'],
    queryFn: () => valueOf(client, 'replica.held', { ref, limit: 1 }),
  });
}
