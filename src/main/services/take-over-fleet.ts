import type { Fleet } from '#shared/api/fleet-replica.ts';
import type { HostRecord } from '../console/fleet-records.ts';

/** The replicas that a host holds itself, with refs and links as they are named here. */
export function takeOverFleet(
  fleet: Fleet,
  host: HostRecord,
  ownHost: string,
): Pick<Fleet, 'replicas' | 'links'> {
  const here = (ref: string): string => `${host.id}/${ref}`;
  // What it shows of further hosts is left to those: else two hosts that show each other would never end.
  const replicas = fleet.replicas.filter((replica) => replica.host === ownHost);
  const held = new Set(replicas.map(({ ref }) => ref));
  return {
    replicas: replicas.map((replica) => ({
      ...replica,
      ref: here(replica.ref),
      host: host.url,
      blocked: replica.blocked.map((blocked) => ({
        ...blocked,
        from: blocked.from === null ? null : here(blocked.from),
      })),
    })),
    links: fleet.links
      .filter(({ a, b }) => held.has(a) && (b === null || held.has(b)))
      .map((link) => ({
        ...link,
        id: here(link.id),
        a: here(link.a),
        b: link.b === null ? null : here(link.b),
      })),
  };
}
