import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A headless host of its own for one test: an empty data folder, a free port, one sign-in link. */
export interface HeadlessHost {
  readonly signInLink: string;
  readonly dataDir: string;
  readonly end: () => Promise<void>;
}

const ROOT = join(import.meta.dirname, '..', '..', '..');
const SIGN_IN_LINK = /https?:\/\/\S+\/sign-in#\S+/;

/** Starts the built host and waits for its link. Rejects with what it printed when it ends before that. */
export async function startHeadlessHost(): Promise<HeadlessHost> {
  const dataDir = await mkdtemp(join(tmpdir(), 'concord-e2e-'));
  const child = spawn(
    process.execPath,
    [join(ROOT, 'out/main/headless.js'), '--data', dataDir, '--port', '0'],
    {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const signInLink = await readLink(child);
  return {
    signInLink,
    dataDir,
    end: async () => {
      await endProcess(child);
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

function readLink(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = '';
    const read = (text: string): void => {
      printed += text;
      const link = SIGN_IN_LINK.exec(printed)?.[0];
      if (link !== undefined) resolve(link);
    };
    child.stdout?.setEncoding('utf8').on('data', read);
    child.stderr?.setEncoding('utf8').on('data', read);
    child.once('exit', (code) => {
      reject(new Error(`The host ended with ${code} before it was ready: ${printed}`));
    });
  });
}

function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('exit', () => {
      resolve();
    });
    child.kill('SIGTERM');
  });
}
