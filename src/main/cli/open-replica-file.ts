import type { Result } from '#shared/result.ts';
import { openReplica, type OpenReplicaError, type ReplicaHost } from '../replica/open-replica.ts';
import type { Replica } from '../replica/replica.ts';
import type { CommandContext } from './command-context.ts';

const ID_BYTES = 9;

/** This program as the host of a replica, for the time of one command. Nobody can call it. */
export function commandHost({ ports, surroundings }: CommandContext): ReplicaHost {
  const chance = Buffer.from(ports.random.bytes(ID_BYTES)).toString('base64url');
  return { id: `concord command line of ${surroundings.user}, ${chance}`, address: null };
}

/** Opens a replica's file as a host of its own. Errors: as `openReplica`; the file is then as it was. */
export function openReplicaFile(context: CommandContext, path: string): Result<Replica, OpenReplicaError> {
  return openReplica({ path, ports: context.ports, host: commandHost(context) });
}
