import type { Handlers } from '#shared/api/types.ts';
import { createActivityHandlers } from './activity-service.ts';
import { createBlockedHandlers } from './blocked-service.ts';
import { createCatalogHandlers } from './catalog-service.ts';
import { createFleetHandlers } from './fleet-service.ts';
import { createHostHandlers } from './host-service.ts';
import { createReplicaHandlers } from './replica-service.ts';
import { routeRemote } from './route-remote.ts';
import type { ServicePorts } from './service-ports.ts';

/** All handlers of the contract, for the replicas of this machine and those of other hosts alike. */
export function createHandlers(ports: ServicePorts): Handlers {
  const replicas = routeRemote(createReplicaHandlers(ports), ports.hosts);
  return {
    ...createHostHandlers(ports.info),
    ...createFleetHandlers(ports),
    ...replicas,
    ...createCatalogHandlers(replicas, ports.board),
    ...createBlockedHandlers(ports),
    ...createActivityHandlers(ports.events),
  };
}
