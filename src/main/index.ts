import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { app, BrowserWindow, dialog, protocol, safeStorage, utilityProcess } from 'electron';

import { openConsoleApp, type ConsoleApp } from './console-app.ts';
import { openWindow, PAGE_ORIGIN, PAGE_SCHEME } from './open-window.ts';
import { exampleFolder, findDataFolder, makeDataFolder } from './platform/data-folder.ts';
import { createJsonLinesLog } from './platform/json-lines-log.ts';
import { openLogFile } from './platform/log-file.ts';
import { createSystemPorts } from './platform/system-ports.ts';
import { readSystemSurroundings } from './platform/system-surroundings.ts';
import { systemClock } from './platform/system-clock.ts';
import { systemTimers } from './platform/system-timers.ts';
import { createUtilityFork } from './platform/utility-fork.ts';
import { VERSION } from './platform/version.ts';
import { answerPageRequest } from './rpc/answer-page-request.ts';
import { serveIpc } from './rpc/serve-ipc.ts';
import { createKeychainSeal } from './console/keychain-seal.ts';

// Composition root for the desktop: it wires and starts, and decides nothing.
// No top-level await: Electron becomes ready only once this module has been evaluated, so that would hang.
const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const preloadPath = at('../preload/index.cjs');
const surroundings = readSystemSurroundings();
const dataDir = findDataFolder(surroundings);
makeDataFolder(dataDir);
const log = createJsonLinesLog({ write: openLogFile(dataDir), nowMs: systemClock.nowMs });

// What nobody caught ends the process all the same; the log says what it was.
process.on('uncaughtExceptionMonitor', (cause) => log.error('process.died', { cause }));

// The browser's own files beside ours; the lock that follows lies among them.
mkdirSync(join(dataDir, 'desktop'), { recursive: true, mode: 0o700 });
app.setPath('userData', join(dataDir, 'desktop'));
protocol.registerSchemesAsPrivileged([
  { scheme: PAGE_SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true } },
]);

if (app.requestSingleInstanceLock()) app.whenReady().then(start).catch(reportAndExit);
else app.quit();

function start(): void {
  const { user, hostName, homeDir, nodeVersion, platform } = surroundings;
  const consoleApp = openConsoleApp({
    dataDir,
    exampleDir: exampleFolder(dataDir, surroundings),
    homeDir,
    info: { name: hostName, version: VERSION, kind: 'desktop', nodeVersion, platform },
    ports: createSystemPorts(log),
    timers: systemTimers,
    seal: createKeychainSeal(safeStorage),
    forkProcess: createUtilityFork({
      fork: (path) => utilityProcess.fork(path),
      killNow: (pid) => void process.kill(pid, 'SIGKILL'),
    }),
  });
  protocol.handle(PAGE_SCHEME, ({ url }) => answerPageRequest(at('../renderer'), url));
  serveIpc(consoleApp, { pageOrigin: PAGE_ORIGIN, caller: { name: user, role: 'operate' } });
  consoleApp.start(null);
  openWindow(preloadPath);
  keepWindow();
  closeBeforeQuit(consoleApp);
}

function keepWindow(): void {
  app.on('second-instance', () => {
    const [window] = BrowserWindow.getAllWindows();
    if (window === undefined) openWindow(preloadPath);
    else window.focus();
  });
  app.on('activate', () => {
    if (BrowserWindow.getAllWindows().length === 0) openWindow(preloadPath);
  });
  app.on('window-all-closed', () => {
    if (surroundings.platform !== 'darwin') app.quit();
  });
}

/** Files are closed before the process ends; that takes a moment. */
function closeBeforeQuit(consoleApp: ConsoleApp): void {
  let isClosed = false;
  app.on('will-quit', (event) => {
    if (isClosed) return;
    event.preventDefault();
    consoleApp
      .close()
      .catch((cause: unknown) => log.error('app.close-failed', { cause }))
      .finally(() => {
        isClosed = true;
        app.quit();
      });
  });
}

function reportAndExit(cause: unknown): void {
  log.error('app.start-failed', { cause });
  dialog.showErrorBox('Concord could not start', cause instanceof Error ? cause.message : String(cause));
  app.exit(1);
}
