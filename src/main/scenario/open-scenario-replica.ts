import { ok, type Result } from '#shared/result.ts';
import { attachReplica } from '../replica/attach-replica.ts';
import { initReplica } from '../replica/init-replica.ts';
import { openReplica, type OpenReplicaError, type OpenReplicaOptions } from '../replica/open-replica.ts';
import type { Replica } from '../replica/replica.ts';
import type { HostSpec } from './host-calls.ts';

/** The same for all hosts of a scenario, so that the lease of one that died, or of a copied file, stops nobody. */
const HOST = { id: 'concord scenario', address: null };

/** Opens the replica of a scenario's host, or makes it first. */
export function openScenarioReplica(
  spec: HostSpec,
  { ports, watch }: Pick<OpenReplicaOptions, 'ports' | 'watch'>,
): Result<Replica, OpenReplicaError> {
  const { maxDriftMs, ...settings } = spec.settings;
  const options: OpenReplicaOptions = {
    path: spec.path,
    ports,
    host: HOST,
    ...(watch !== undefined && { watch }),
    settings: { ...settings, ...(maxDriftMs !== undefined && { driftMaxMs: maxDriftMs }) },
  };
  switch (spec.how) {
    case 'init':
      return initReplica(options);
    case 'open':
      return openReplica(options);
    case 'attach': {
      const attached = attachReplica(options);
      return attached.ok ? ok(attached.value.replica) : attached;
    }
  }
}
