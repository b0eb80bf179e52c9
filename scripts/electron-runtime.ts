import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export type ElectronRuntime =
  | { readonly found: true; readonly executablePath: string; readonly because: string }
  | { readonly found: false; readonly because: string };

/** Long enough for the 110 MB of the runtime on a middling line, short enough to wait for in front of a screen. */
const FETCH_TIME_MAX_MS = 90_000;

const TRY_AGAIN = 'to try again: npx install-electron';

/**
 * Finds the Electron runtime, or fetches it once.
 *
 * A failed fetch is remembered beside the packages, so that later starts do not wait for it again.
 * Importing the package `electron` would start an unbounded download, so only its files are looked at.
 */
export function findElectronRuntime(
  root: string,
  env: Readonly<Record<string, string | undefined>>,
): ElectronRuntime {
  const installed = installedPath(root, env);
  if (installed !== undefined) {
    return { found: true, executablePath: installed, because: 'the Electron runtime is installed' };
  }
  const note = join(root, 'node_modules/.cache/electron-not-fetched');
  if (existsSync(note)) {
    return { found: false, because: `the Electron runtime could not be fetched earlier; ${TRY_AGAIN}` };
  }
  process.stderr.write(`Fetching the Electron runtime (once, at most ${FETCH_TIME_MAX_MS / 1000} s)…\n`);
  const failure = fetchRuntime(root);
  const fetched = installedPath(root, env);
  if (failure === undefined && fetched !== undefined) {
    rmSync(note, { force: true });
    return { found: true, executablePath: fetched, because: 'the Electron runtime has been fetched' };
  }
  mkdirSync(dirname(note), { recursive: true });
  writeFileSync(note, failure ?? '');
  return { found: false, because: `the Electron runtime could not be fetched; ${TRY_AGAIN}` };
}

/** The package notes the name of its executable in path.txt, and honours a folder given from outside. */
function installedPath(root: string, env: Readonly<Record<string, string | undefined>>): string | undefined {
  const home = join(root, 'node_modules/electron');
  const pathFile = join(home, 'path.txt');
  const name = existsSync(pathFile) ? readFileSync(pathFile, 'utf8') : undefined;
  const override = env['ELECTRON_OVERRIDE_DIST_PATH'];
  const path = override === undefined ? name && join(home, 'dist', name) : join(override, name ?? 'electron');
  return path !== undefined && path !== '' && existsSync(path) ? path : undefined;
}

function fetchRuntime(root: string): string | undefined {
  const done = spawnSync(process.execPath, [join(root, 'node_modules/electron/install.js')], {
    cwd: root,
    encoding: 'utf8',
    timeout: FETCH_TIME_MAX_MS,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  if (done.status === 0) return undefined;
  return done.stderr || String(done.error ?? done.signal);
}
