import type { Fleet, FleetReplica } from '#shared/api/fleet-replica.ts';
import { toFleetLink, toFleetReplica, type KnownSites, type MemberFacts } from './fleet-view.ts';
import type { LinkNow, Links } from './links.ts';
import type { LocalMembers } from './local-members.ts';
import type { RemoteHosts } from './remote-hosts.ts';

/** The fleet as it is shown: own replicas and those of other hosts, with their links. */
export interface FleetBoard {
  /** Made anew only after something changed. Opens nothing and waits for nothing. */
  readonly fleet: () => Fleet;
  readonly replica: (ref: string) => FleetReplica | null;
  readonly findBySite: (site: string) => FleetReplica | null;
  /** What it shows is no longer so. */
  readonly invalidate: () => void;
}

/** Puts the fleet together from what is in memory. */
export function createFleetBoard(deps: {
  readonly members: LocalMembers;
  readonly links: Links;
  readonly hosts: RemoteHosts;
  readonly exampleExists: () => boolean;
  readonly nowMs: () => number;
}): FleetBoard {
  const lagSinceMs = new Map<string, number>();
  let fleet: Fleet | null = null;
  let byRef = new Map<string, FleetReplica>();
  let bySite = new Map<string, FleetReplica>();

  return {
    fleet: current,
    replica: (ref) => {
      current();
      return byRef.get(ref) ?? null;
    },
    findBySite: (site) => {
      current();
      return bySite.get(site) ?? null;
    },
    invalidate: () => {
      fleet = null;
    },
  };

  function current(): Fleet {
    if (fleet !== null) return fleet;
    fleet = build();
    byRef = new Map(fleet.replicas.map((replica) => [replica.ref, replica]));
    bySite = new Map(
      fleet.replicas.flatMap((replica) => (replica.status === null ? [] : [[replica.status.site, replica]])),
    );
    for (const { ref, lag } of fleet.replicas) {
      if (lag.changes === 0) lagSinceMs.delete(ref);
      else if (!lagSinceMs.has(ref)) lagSinceMs.set(ref, lag.oldestMs ?? deps.nowMs());
    }
    return fleet;
  }

  function build(): Fleet {
    const remote = deps.hosts.all().map((host) => host.fleet());
    const remoteReplicas = remote.flatMap(({ replicas }) => replicas);
    const own = deps.members.all().map((member): MemberFacts => ({
      record: member.record(),
      ...member.keeper.state(),
      snapshot: member.snapshot(),
      lagSinceMs: lagSinceMs.get(member.ref) ?? null,
    }));
    const known = knowSites(own, remoteReplicas);
    const links = deps.links.all();
    const linksByRef = groupByEnd(links);
    return {
      replicas: [
        ...own.map((facts) => toFleetReplica(facts, linksByRef.get(facts.record.ref) ?? [], known)),
        ...remoteReplicas,
      ],
      links: [...links.map((link) => toFleetLink(link, known)), ...remote.flatMap((each) => each.links)],
      hosts: deps.hosts
        .all()
        .map((host) => ({ url: host.url, reachable: host.trouble() === null, reason: host.trouble() })),
      exampleExists: deps.exampleExists(),
    };
  }
}

function groupByEnd(links: readonly LinkNow[]): ReadonlyMap<string, readonly LinkNow[]> {
  const byRef = new Map<string, LinkNow[]>();
  for (const link of links) {
    for (const ref of [link.record.a, link.record.b]) {
      if (ref === null) continue;
      const known = byRef.get(ref);
      if (known === undefined) byRef.set(ref, [link]);
      else known.push(link);
    }
  }
  return byRef;
}

function knowSites(own: readonly MemberFacts[], remote: readonly FleetReplica[]): KnownSites {
  const named = [
    ...own.map(({ record, snapshot }) => ({ ref: record.ref, name: record.name, status: snapshot.status })),
    ...remote,
  ];
  const answered = named.flatMap(({ ref, name, status }) => (status === null ? [] : [{ ref, name, status }]));
  return {
    bySite: new Map(answered.map(({ ref, name, status }) => [status.site, { ref, name, head: status.head }])),
    statusByRef: new Map(answered.map(({ ref, status }) => [ref, status])),
  };
}
