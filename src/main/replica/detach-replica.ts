import type { Result } from '#shared/result.ts';

import type { Ports } from '../engine/ports.ts';
import { detachFile, type DetachReport } from '../store/detach-file.ts';
import type { OpenReplicaError, ReplicaHost } from './open-replica.ts';

/**
 * Takes every trace of Concord out of a file; the application's database stays as it is now.
 *
 * Errors: as `openReplica`; the file is then as it was.
 */
export const detachReplica = (options: {
  readonly path: string;
  readonly ports: Pick<Ports, 'clock'>;
  readonly host: ReplicaHost;
}): Result<DetachReport, OpenReplicaError> =>
  detachFile({ path: options.path, host: options.host.id, nowMs: options.ports.clock.nowMs() });
