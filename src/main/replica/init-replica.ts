import type { SiteId } from '#shared/model/ids.ts';
import type { Result } from '#shared/result.ts';

import { initFile } from '../store/init-file.ts';
import { serveReplicaOn, type OpenReplicaError, type OpenReplicaOptions } from './open-replica.ts';
import type { Replica } from './replica.ts';

/**
 * Makes a new, empty replica where there is no file or an empty one, and opens it.
 *
 * Errors: as `openReplica`, and `file-exists`; then nothing is there that was not before.
 */
export function initReplica(
  options: OpenReplicaOptions & { readonly site?: SiteId },
): Result<Replica, OpenReplicaError> {
  const made = initFile({ path: options.path, ports: options.ports, site: options.site });
  return made.ok ? serveReplicaOn(made.value, options) : made;
}
