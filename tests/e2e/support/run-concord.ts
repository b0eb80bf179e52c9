import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const CLI = join(import.meta.dirname, '..', '..', '..', 'out/main/cli.js');

/** Runs the built command line in a folder, which is its data folder as well; gives what it prints. Throws where it says no. */
export function runConcord(folder: string, ...args: readonly string[]): string {
  return execFileSync(process.execPath, [CLI, ...args], {
    cwd: folder,
    encoding: 'utf8',
    // npm says where it was called from, which paths would else start from.
    env: { ...process.env, INIT_CWD: folder, CONCORD_DATA: folder },
  });
}
