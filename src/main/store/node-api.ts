import { ok, err } from '#shared/result.ts';
import type { Result } from '#shared/result.ts';

/** Node-API version that better-sqlite3 13 is built against. */
const NODE_API_MIN = 10;

export interface RuntimeTooOld {
  readonly code: 'runtime-too-old';
  readonly nodeApi: number;
  readonly message: string;
}

/**
 * Whether this Node can load better-sqlite3 at all. Asked before every first open, because an older Node does not
 * refuse the addon: it crashes with a segmentation fault.
 *
 * Errors: `runtime-too-old`; the person needs Node 22.14 or newer, which `npm start` and `npm test` bring along.
 */
export function checkNodeApi(nodeApi: number = runningNodeApi()): Result<undefined, RuntimeTooOld> {
  if (nodeApi >= NODE_API_MIN) return ok();
  return err({
    code: 'runtime-too-old',
    nodeApi,
    message: 'Node 22.14 or newer is needed: run Concord through npm, which brings the right one.',
  });
}

// The guard belongs to the addon it guards, so that nobody can open a database around it.
// eslint-disable-next-line no-restricted-globals
const runningNodeApi = (): number => Number(process.versions['napi'] ?? 0);
