import type { HostInfo } from './host-info.ts';
import type { Secrets } from '../console/secrets-file.ts';
import type { Clock, Random } from '../engine/ports.ts';
import type { EventRecords } from '../console/event-records.ts';
import type { SqlRunner } from '../worker/sql-runner.ts';
import type { ActivityLog } from './activity-log.ts';
import type { ExampleFleet } from './example-fleet.ts';
import type { FleetBoard } from './fleet-board.ts';
import type { Links } from './links.ts';
import type { LocalMembers } from './local-members.ts';
import type { PushHub } from './push-hub.ts';
import type { RemoteHosts } from './remote-hosts.ts';

/** All that the handlers of the contract work with. */
export interface ServicePorts {
  readonly members: LocalMembers;
  readonly links: Links;
  readonly hosts: RemoteHosts;
  readonly board: FleetBoard;
  readonly hub: PushHub;
  readonly activity: ActivityLog;
  readonly events: EventRecords;
  readonly secrets: Secrets;
  readonly sql: SqlRunner;
  readonly example: ExampleFleet;
  readonly info: HostInfo;
  readonly clock: Clock;
  readonly random: Random;
  /** Ends what peers have open on a replica that leaves the fleet. */
  readonly endSessions: (ref: string) => void;
  /** Where paths that do not begin at the root begin. */
  readonly homeDir: string;
}
