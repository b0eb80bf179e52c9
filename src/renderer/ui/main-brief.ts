import type { BlockedBrief, FleetReplica } from '#shared/api/fleet-replica.ts';

/** Of a replica's blocked batches the one that most changes wait behind: what screens speak of first. */
export function mainBrief({ blocked }: Pick<FleetReplica, 'blocked'>): BlockedBrief | undefined {
  return blocked.reduce<BlockedBrief | undefined>(
    (main, brief) => (main === undefined || brief.behindChanges > main.behindChanges ? brief : main),
    undefined,
  );
}
