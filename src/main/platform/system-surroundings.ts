import { homedir, hostname, networkInterfaces, userInfo } from 'node:os';

import type { Surroundings } from './data-folder.ts';

/** What this process was started with and on. */
export interface SystemSurroundings extends Surroundings {
  readonly nodeVersion: string;
  /** The user's login name; for the decision journal. */
  readonly user: string;
  readonly hostName: string;
  /** All addresses of this machine. */
  readonly addresses: readonly string[];
}

/** Reads the process's surroundings, once. */
export function readSystemSurroundings(): SystemSurroundings {
  return {
    env: process.env,
    platform: process.platform,
    homeDir: homedir(),
    nodeVersion: process.versions.node,
    user: readUser(),
    hostName: hostname(),
    addresses: Object.values(networkInterfaces()).flatMap((each) =>
      (each ?? []).map(({ address }) => address),
    ),
  };
}

/** A process may run under a number that has no name. */
function readUser(): string {
  try {
    return userInfo().username;
  } catch {
    return 'operator';
  }
}
