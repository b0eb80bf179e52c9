import { infiniteQueryOptions } from '@tanstack/react-query';

import type { Client } from '#shared/api/types.ts';

import { valueOf } from './client.ts';

const PAGE = 100;

/** Everything that happened, a hundred at a time, the newest first. */
export function activityQuery(client: Client) {
  return infiniteQueryOptions({
    queryKey: ['activity'],
    queryFn: ({ pageParam }) =>
      valueOf(client, 'activity.list', { limit: PAGE, ...(pageParam !== null && { before: pageParam }) }),
    initialPageParam: null as number | null,
    getNextPageParam: (lastPage) => (lastPage.length < PAGE ? undefined : lastPage.at(-1)?.id),
  });
}
