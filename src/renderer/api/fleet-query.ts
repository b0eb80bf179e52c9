import { queryOptions, useQuery } from '@tanstack/react-query';
import type { UseQueryResult } from '@tanstack/react-query';

import type { Fleet } from '#shared/api/fleet-replica.ts';
import type { Client } from '#shared/api/types.ts';

import { useApi } from './api-context.tsx';
import { valueOf } from './client.ts';

export function fleetQuery(client: Client) {
  return queryOptions({ queryKey: ['fleet'], queryFn: () => valueOf(client, 'fleet.get', {}) });
}

/** The fleet as last heard; the rail and most screens stand on it. */
export function useFleet(): UseQueryResult<Fleet> {
  return useQuery(fleetQuery(useApi().client));
}
