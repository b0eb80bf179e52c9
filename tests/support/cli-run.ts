import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { runConcord } from '#main/cli/run-concord.ts';
import { silentLog } from '#main/platform/json-lines-log.ts';
import { readSystemSurroundings } from '#main/platform/system-surroundings.ts';
import { createSystemPorts } from '#main/platform/system-ports.ts';

export interface CliRun {
  readonly status: number;
  readonly out: string;
  readonly err: string;
}

export interface CliHome {
  /** Where the user stands; files of a test go here. */
  readonly folder: string;
  readonly dataDir: string;
  readonly path: (name: string) => string;
  /** Runs `concord` with these arguments, as if in a shell in `folder`. */
  readonly run: (...args: readonly string[]) => Promise<CliRun>;
  readonly runWith: (how: RunHow, ...args: readonly string[]) => Promise<CliRun>;
  readonly remove: () => void;
}

interface RunHow {
  readonly env?: Readonly<Record<string, string>>;
  readonly interrupted?: Promise<void>;
  readonly onOut?: (text: string) => void;
}

/** A folder and a data folder of a user's own, with a command line in it. */
export function makeCliHome(): CliHome {
  const home = mkdtempSync(join(tmpdir(), 'concord-cli-'));
  const folder = home;
  const dataDir = join(home, 'data-folder');

  return {
    folder,
    dataDir,
    path: (name) => join(folder, name),
    run: (...args) => runWith({}, ...args),
    runWith,
    remove: () => rmSync(home, { recursive: true, force: true }),
  };

  async function runWith(how: RunHow, ...args: readonly string[]): Promise<CliRun> {
    const said = { out: '', err: '' };
    const status = await runConcord(args, {
      cwd: folder,
      dataDir,
      surroundings: { ...readSystemSurroundings(), env: how.env ?? {}, user: 'tester' },
      ports: createSystemPorts(silentLog),
      version: '0.0.0',
      output: {
        out: (text) => {
          said.out += text;
          how.onOut?.(text);
        },
        err: (text) => {
          said.err += text;
        },
        isTerminal: false,
        width: null,
      },
      interrupted: how.interrupted ?? new Promise<void>(() => undefined),
    });
    return { status, ...said };
  }
}
