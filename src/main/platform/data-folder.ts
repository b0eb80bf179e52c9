import { mkdirSync } from 'node:fs';
import { posix, win32 } from 'node:path';

export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: string;
  readonly homeDir: string;
}

/**
 * Where Concord keeps its own files: CONCORD_DATA, else the operating system's place for application data.
 *
 * The same for both hosts and the command line. Reads nothing and makes nothing.
 */
export function findDataFolder({ env, platform, homeDir }: Surroundings): string {
  const chosen = env['CONCORD_DATA'];
  if (chosen !== undefined && chosen !== '') return chosen;
  if (platform === 'win32') {
    return win32.join(env['APPDATA'] ?? win32.join(homeDir, 'AppData', 'Roaming'), 'Concord');
  }
  if (platform === 'darwin') return posix.join(homeDir, 'Library', 'Application Support', 'Concord');
  const base = env['XDG_DATA_HOME'];
  // The specification says that a relative one is to be taken as not set.
  return posix.join(base?.startsWith('/') ? base : posix.join(homeDir, '.local', 'share'), 'concord');
}

/** Where the example fleet is made: among the user's own files, or with the data where those were put elsewhere. */
export function exampleFolder(dataDir: string, surroundings: Surroundings): string {
  const isUsual =
    findDataFolder({ ...surroundings, env: { ...surroundings.env, CONCORD_DATA: '' } }) === dataDir;
  const paths = surroundings.platform === 'win32' ? win32 : posix;
  return isUsual ? paths.join(surroundings.homeDir, 'Concord example') : paths.join(dataDir, 'example');
}

/** Makes the data folder when it is not there, for its owner alone. */
export function makeDataFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
}
