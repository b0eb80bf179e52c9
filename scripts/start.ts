// `npm start`: opens the desktop window where it can, else the headless host, and says which and why.
import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';

import { findElectronRuntime } from './electron-runtime.ts';
import { openBrowser } from './open-browser.ts';
import { planHost } from './plan-host.ts';

const root = join(import.meta.dirname, '..');
const args = process.argv.slice(2).filter((arg) => arg !== '--headless');

/** What the loader reports when a shared library of the desktop is not there. */
const LIBRARY_MISSING = 127;

const plan = planHost({
  platform: process.platform,
  env: process.env,
  isRoot: process.getuid?.() === 0,
  wantsHeadless: process.argv.includes('--headless'),
});

if (plan.host === 'headless') startHeadless(plan.because, plan.opensBrowser);
else startDesktop();

function startDesktop(): void {
  const runtime = findElectronRuntime(root, process.env);
  if (!runtime.found) {
    startHeadless(runtime.because, true);
    return;
  }
  console.log(`Opening the desktop window: ${runtime.because} and there is a display.`);
  const child = follow(spawn(runtime.executablePath, ['.', ...args], { cwd: root, stdio: 'inherit' }));
  child.on('error', () => startHeadless('the Electron runtime does not start here', true));
  child.on('exit', (code, signal) => {
    // Chromium ends itself with SIGTRAP when the system does not let it build its sandbox.
    if (code === LIBRARY_MISSING || signal === 'SIGTRAP') {
      startHeadless('the Electron runtime does not start here', true);
    } else {
      process.exitCode = code ?? 1;
    }
  });
}

function startHeadless(because: string, opensBrowser: boolean): void {
  console.log(`Starting the headless host: ${because}.`);
  const child = follow(
    spawn(process.execPath, [join(root, 'out/main/headless.js'), ...args], {
      stdio: ['inherit', 'pipe', 'inherit'],
    }),
  );
  let isOpened = !opensBrowser;
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    process.stdout.write(text);
    const link = /https?:\/\/\S+/.exec(text)?.[0];
    if (isOpened || link === undefined) return;
    isOpened = true;
    openBrowser(link);
  });
  child.on('exit', (code) => {
    process.exitCode = code ?? 1;
  });
}

/** The terminal sends Ctrl+C to the host as well; we stay until it has closed its files. */
function follow(child: ChildProcess): ChildProcess {
  process.removeAllListeners('SIGINT').on('SIGINT', () => undefined);
  process.removeAllListeners('SIGTERM').on('SIGTERM', () => child.kill('SIGTERM'));
  return child;
}
